"""Counts of abstract games: the nodes that the literature and a recount have."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import NotationError
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame, abstract_size
from equilibrist.poker.hands.tree_lines import node_at, path_to

POT: dict[str, Any] = {"bets": "100%,a", "raises": "100%,a"}
HALF = {"bets": "50%,100%,a", "raises": "100%,a", "raise_cap": "4|2|2|2"}
"""Half pot, pot and all-in, then pot and all-in; four raises before the flop, then three bets."""


@pytest.mark.parametrize(
    ("keys", "decisions", "actions"),
    [
        ({"limit": "limit", "stack": 24}, (8, 70, 630, 5670), (21, 182, 1638, 14742)),
        ({"stack": 20, **POT}, (12, 36, 76, 132), None),
        ({"stack": 100, "raise_cap": 4, **POT}, (20, 100, 340, 900), None),
        ({"stack": 200, "raise_cap": 4, **POT}, (20, 100, 340, 900), None),
        ({"stack": 20, **HALF}, (24, 144, 536, 1456), None),
        ({"stack": 100, **HALF}, (36, 284, 1516, 6108), None),
        ({"stack": 200, **HALF}, (36, 356, 2356, 11140), None),
    ],
)
def test_decisions_by_street(keys, decisions, actions):
    size = abstract_size(Hand(**keys), (169, 1000, 1000, 1000))
    assert size.tree.decisions == decisions
    assert size.infosets == tuple(
        count * buckets for count, buckets in zip(decisions, size.buckets, strict=True)
    )
    if actions is not None:
        assert size.tree.actions == actions
        assert sum(size.slots) == 21 * 169 + 1000 * sum(actions[1:])


def test_infosets_of_a_public_trainer():
    """Half pot, pot and all-in at 100 big blinds with 50 buckets: 579 thousand."""
    sizes = "50%,100%,a"
    size = abstract_size(Hand(stack=100, bets=sizes, raises=sizes, raise_cap=1), (169, 50, 50, 50))
    assert sum(size.tree.decisions) == 11_568
    assert sum(size.infosets) == 579_828


def test_size_is_that_of_the_game():
    hand, buckets = Hand(stack=20, **POT), (169, 5, 4, 3)
    size, game = abstract_size(hand, buckets), AbstractGame(hand, buckets)
    assert game.layout.slots == size.slots
    assert game.layout.infosets == size.infosets
    used = sum(
        game.tree.num_children[node] * game.shape(node)[1]
        for node in (game.layout.slot >= 0).nonzero()[0].tolist()
    )
    assert used == game.num_slots


def test_nodes_by_line():
    tree = AbstractGame(Hand(stack=20, **POT), (1, 1, 1, 1)).tree
    node = node_at(tree, "R3-C|X-B6")
    assert tree.line(node) == "R3-C|X-B6"
    assert node == node_at(tree, "r3 - c - x - b6")
    assert [tree.label(tree.children(at)[action]) for at, action in path_to(tree, node)] == [
        "R3", "C", "X", "B6",
    ]  # fmt: skip
    assert node_at(tree, "A") == node_at(tree, "A20")
    assert tree.street[node_at(tree, "C-X")] == 1
    with pytest.raises(NotationError) as error:
        node_at(tree, "R3-R7")
    assert error.value.position == 3
    assert error.value.given == "R7"
    assert "R9" in str(error.value.expected)
