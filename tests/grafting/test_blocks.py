"""Blocks: which infosets patterns name, and sets that are no blocks."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, RecallError
from equilibrist.grafting import find_blocks
from equilibrist.grafting.blocks import infosets_above, joined
from tests.refusals import refuses, unchecked


def keys(block: object, player: int) -> list[str]:
    return [block.tree.infoset_keys[i] for i in block.infosets(player)]  # type: ignore[attr-defined]


def test_patterns_take_the_infosets_of_each_player() -> None:
    tree = eq.compile_game("kuhn")
    bets, passes = find_blocks(tree, ["*b", "1p + 2p + 3p"])
    assert bets.name == "*b"
    assert keys(bets, 0) == ["1pb", "2pb", "3pb"]
    assert sorted(keys(bets, 1)) == ["1b", "2b", "3b"]
    assert keys(passes, 0) == []
    assert sorted(keys(passes, 1)) == ["1p", "2p", "3p"]
    both = joined((bets, passes))
    assert both.name == "*b + 1p + 2p + 3p"
    np.testing.assert_array_equal(both.inside, bets.inside | passes.inside)
    (own,) = find_blocks(tree, ["*b"], seats=[1])
    assert keys(own, 0) == []
    assert sorted(keys(own, 1)) == ["1b", "2b", "3b"]


def test_what_comes_before_an_infoset() -> None:
    tree = eq.compile_game("kuhn")
    above = infosets_above(tree)
    for i, key in enumerate(tree.infoset_keys):
        assert above[i] == (tree.index(key[0]) if key.endswith("pb") else -1)


def test_sets_that_are_no_blocks() -> None:
    tree = eq.compile_game("kuhn")
    with refuses(ConfigError, option="block", given="?", place="1pb"):
        find_blocks(tree, ["?"])
    find_blocks(tree, ["? + ?pb"])
    with refuses(ConfigError, option="block", given="1", place="1pb"):
        find_blocks(tree, ["1"], seats=[0])
    with refuses(ConfigError, option="block", given="*x*"):
        find_blocks(tree, ["*b", "*x*"])
    with refuses(ConfigError, option="block", given="*pb"):  # player 0's
        find_blocks(tree, ["*pb"], seats=[1])
    with refuses(ConfigError, option="block", given="2*", place="2pb"):
        find_blocks(tree, ["*b", "2*"])


@pytest.mark.parametrize("given", [[], "*b", None, 3])
def test_what_is_no_list_of_patterns(given: object) -> None:
    with refuses(ConfigError, option="blocks", given=given):
        find_blocks(eq.compile_game("kuhn"), unchecked(given))


def test_keys_match_as_they_are_shown() -> None:
    """The cards of Kuhn poker are 1, 2 and 3 in keys, and J, Q and K for people."""
    tree = eq.compile_game("kuhn")
    for shown, own in (("J*", "1*"), ("?pb", "*pb"), ("K* + Qb", "3* + 2b")):
        (block,), (same,) = find_blocks(tree, [shown]), find_blocks(tree, [own])
        assert np.array_equal(block.inside, same.inside)


def test_other_wrong_arguments() -> None:
    with refuses(ConfigError, option="block", given=7):
        find_blocks(eq.compile_game("kuhn"), unchecked([7]))
    with pytest.raises(RecallError):
        find_blocks(eq.compile_game("random_tree(seed=3,imperfect_recall=true)"), ["*"])
