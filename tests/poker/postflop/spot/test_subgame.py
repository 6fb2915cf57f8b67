"""A later street as a spot of its own: the same betting, chip for chip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.poker.betting.public_tree import PublicTree, node_line, public_tree
from equilibrist.poker.betting.street_tree import CHANCE
from equilibrist.poker.cards.cards import parse_board, parse_cards
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.subgame import subgame_at

FLOP: dict[str, Any] = {
    "board": "QsJh2h", "oop": "AA,J9s", "ip": "KK,76s", "pot": 40, "stack": 300,
}  # fmt: skip
SPOTS = {
    "sizes of streets": {"bets": "52%|55%, e|70%, a", "raises": "45%|2.5x|60%", "raise_cap": 2},
    "players": {"oop_bets": "50%", "ip_bets": "33%|100%|30c", "ip_raises": "3x, a"},
    "donks": {"bets": "50%", "raises": "50%", "donks": "|30%|25%, a"},
    "no donks": {"bets": "50%", "donks": "|none|"},
    "donks on the river": {"bets": "100%||", "raises": "a", "donks": "||40%", "raise_cap": 1},
    "no bets later": {"bets": "60%|none|none", "raises": "50%", "rake": 0.05, "rake_cap": 3},
    "all-in later": {"bets": "60%|50%|a", "raises": "50%"},
    "all-in donks": {"bets": "60%|none|none", "donks": "|a|a", "raises": "2x"},
    "thresholds": {
        "bets": "60%", "raises": "50%", "add_all_in": 1.5, "force_all_in": 0.2, "merge": 0.1,
        "min_bet": 7, "rake": 0.1,
    },
    "added": {
        "bets": "50%", "raises": "50%", "raise_cap": 1,
        "added_lines": ("X-B33-C|B77-C|B100", "X-X|X-B10-R55", "B25"),
        "removed_lines": ("X-X|B20-R60", "X-B20-C|X-X|B40", "B20-C|X-B40-C"),
    },
    "raises of added": {"bets": "||", "raises": "50%", "added_lines": ("X-X|B20",)},
}  # fmt: skip


def rest_of(tree: PublicTree, root: int) -> list[tuple[Any, ...]]:
    """What follows a node, in the order of the tree: kinds, actions, amounts, pots, payoffs."""
    found, nodes = [], [root]
    paid = tree.paid[root, 0]
    for node in nodes:  # grows on the way
        ends = tree.num_children[node] == 0
        found.append(
            (
                int(tree.kind[node]), int(tree.player[node]), int(tree.street[node]),
                int(tree.action[node]), int(tree.amount[node]), int(tree.num_children[node]),
                (tree.paid[node] - paid).tolist(), int(tree.pot[node]),
                (tree.payoffs[node] + paid).tolist() if ends else [],
            )
        )  # fmt: skip
        first = int(tree.first_child[node])
        nodes += range(first, first + int(tree.num_children[node]))
    return found


@pytest.mark.parametrize("keys", SPOTS.values(), ids=SPOTS)
def test_the_betting_is_the_same(keys: dict[str, Any]) -> None:
    spot = Spot(**FLOP, **keys)
    tree = public_tree(spot.rules())
    weight = np.array([held.weights for held in spot.ranges])
    runout = parse_cards("5c7d")
    lines = 0
    for node in np.flatnonzero(tree.kind == CHANCE):
        after = int(tree.first_child[node])
        line = node_line(tree, after)
        rest = subgame_at(spot, line, runout[: len(line) - 1], weight)
        assert rest
        assert rest_of(public_tree(rest.rules()), 0) == rest_of(tree, after), line
        assert rest.cards == (*spot.cards, *runout[: len(line) - 1])
        lines += 1
    assert lines > 3


def test_ranges_are_what_comes_there() -> None:
    spot = Spot(**FLOP, bets="50%", raises="50%")
    weight = np.array([held.weights / 3 for held in spot.ranges])
    line = spot.rules().follow("X-X|")[0].line
    rest = subgame_at(spot, line, parse_board("Kh7d2c")[:1], weight)
    assert rest
    assert rest.oop["AsAh"] == pytest.approx(1 / 3)
    assert rest.ip["KsKc"] == pytest.approx(1 / 3)
    assert rest.ip["KsKh"] == 0
    weight[0] = 0
    assert subgame_at(spot, line, parse_board("Kh7d2c")[:1], weight) is None
