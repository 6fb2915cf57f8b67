"""The tree of plain nodes: counts of known games, and rules that contradict themselves."""

from __future__ import annotations

import pytest

from equilibrist.errors import GameError, RecallError, UnsupportedError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from equilibrist.reference.game_walk import Node, walk
from tests.refusals import refuses
from tests.small_games import Chain, Written


def count(node: Node) -> int:
    return 1 + sum(count(child) for child in node.children)


@pytest.mark.parametrize(
    ("spec", "nodes", "infosets"),
    [
        ("kuhn", 58, 12),
        ("leduc", 9457, 936),
        ("liars_dice(sides=3)", 1147, 192),
        ("goofspiel(cards=4,imp_info=true,points_order=descending)", 1077, 162),
    ],
)
def test_known_sizes(spec: str, nodes: int, infosets: int) -> None:
    tree = walk(load_game(spec))
    assert count(tree.root) == nodes
    assert len(tree.infosets) == infosets


def test_kuhn_infosets_hold_two_histories_each() -> None:
    tree = walk(load_game("kuhn"))
    assert {len(i.nodes) for i in tree.infosets.values()} == {2}
    assert tree.infosets["1pb"].path == (("1", 0),)
    assert tree.infosets["1pb"].nodes[0].history == ("1", "2", "pass", "bet")
    assert list(tree.infosets)[:2] == ["1", "2p"]


class Twisted:
    """Chance, then player 0 moves twice; `keys` and `labels` say what each move looks like."""

    name = "twisted"
    num_players = 2

    def __init__(self, keys, labels=("l", "r")) -> None:
        self.keys, self.labels = keys, labels

    def initial_state(self):
        return ""

    def player(self, state):
        return CHANCE if not state else TERMINAL if len(state) == 3 else 0

    def actions(self, state):
        return ("h", "t") if not state else self.labels if state == "h" else ("l", "r")

    def chance(self, state):
        return (0.5, 0.5)

    def next(self, state, k):
        return state + self.actions(state)[k][0]

    def payoffs(self, state):
        return (1.0, -1.0)

    def infoset(self, state):
        return self.keys(state)


def test_rules_that_make_sense_are_walked() -> None:
    assert len(walk(Twisted(lambda s: s)).infosets) == 6


def test_outcomes_of_chance_with_one_name_get_numbers() -> None:
    ends = {("", 0.1): (1.0,), ("o", 0.2): (2.0,), ("o", 0.3): (3.0,), ("o #2", 0.4): (4.0,)}
    root = walk(Written(("chance", ends), 1)).root
    assert root.actions == ("", "o #2'", "o #3", "o #2")
    assert [child.history for child in root.children] == [(label,) for label in root.actions]


def test_forgotten_moves_are_refused() -> None:
    with refuses(RecallError, infoset="later") as caught:
        walk(Twisted(lambda s: s[0] if len(s) == 1 else "later"))
    assert caught.value.infoset == "later"
    assert caught.value.history == ("h", "r")


def test_different_actions_in_one_infoset_are_refused() -> None:
    with refuses(GameError, option="infoset", given="first") as caught:
        walk(Twisted(lambda s: "first" if len(s) == 1 else s, labels=("left", "right")))
    assert caught.value.history == ("t",)


def test_imperfect_recall_of_a_library_game() -> None:
    with pytest.raises(RecallError):
        walk(load_game("random_tree(seed=1,depth=8,imperfect_recall=true,players=1)"))


def test_a_line_of_play_too_long_for_recursion_is_refused() -> None:
    assert len(walk(Chain(200)).infosets) == 200
    with refuses(UnsupportedError, option="depth", given=201, expected=200):
        walk(Chain(5000))
