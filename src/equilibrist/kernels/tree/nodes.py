"""Reading a tree of histories: the columns of a node, and what chance draws."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel

FIRST, BASE, CHILDREN, PLAYER = (np.uintp(k) for k in range(4))
"""Columns of `HistoryArrays.node`."""
CHANCE = -1
TERMINAL = -2


@inner_kernel
def pick_outcome(tree, node, u):
    """The child of a chance node that a number u in [0, 1) picks: the first whose sum exceeds u.

    The search starts where equal probabilities would put it, and is then over at once.
    """
    base = np.uintp(tree.node[node, BASE])
    count = np.uintp(tree.node[node, CHILDREN])
    one = np.uintp(1)
    k = min(np.uintp(u * count), count - one)
    while k > 0 and tree.chance_cumulative[base + k - one] > u:
        k -= one
    while tree.chance_cumulative[base + k] <= u:
        k += one
    return np.uintp(tree.node[node, FIRST]) + k
