"""Comparisons of spots that should be one."""

from __future__ import annotations

import numpy as np

from equilibrist.poker import Spot


def check_same(found: Spot, wanted: Spot) -> None:
    """The same game: board, chips, ranges, rake, and the tree of the betting node by node."""
    assert (found.board, found.pot, found.stack) == (wanted.board, wanted.pot, wanted.stack)
    assert (found.oop, found.ip) == (wanted.oop, wanted.ip)
    assert (found.rake, found.rake_cap) == (wanted.rake, wanted.rake_cap)
    trees = found.betting.tree, wanted.betting.tree
    for name in ("kind", "player", "street", "parent", "amount", "paid", "payoffs"):
        one, other = (getattr(tree, name) for tree in trees)
        np.testing.assert_array_equal(one, other, err_msg=name)
