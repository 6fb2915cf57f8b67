"""Walking through a solved spot."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.solutions.node_values import NodeValues
from tests.poker.solutions.made_up import made_up_solution
from tests.poker.spots.spots import FLOP, TURN


@pytest.mark.parametrize(
    ("typed", "line", "board"),
    [
        ("", "", "Td9d6h"),
        ("X-X|8h", "X-X|8h", "Td9d6h8h"),
        ("x-b120-c|[8H]|x-x|2c|b264", "X-B120-C|8h|X-X|2c|B264", "Td9d6h8h2c"),
        ("X-B120-R300-A-C|2c|3c", "X-B120-R300-A900-C|2c|3c", "Td9d6h2c3c"),
        ("X-B120-R300-A-C|2c", "X-B120-R300-A900-C|2c", "Td9d6h2c"),
    ],
)
def test_lines(typed: str, line: str, board: str) -> None:
    solution = made_up_solution(**FLOP)
    node = solution.at(typed)
    assert (node.line, node.board) == (line, board)
    assert solution.at(line).to_dict() == node.to_dict()


def test_figures_are_asked_for_the_node_and_the_cards() -> None:
    solution = made_up_solution(**FLOP)
    asked = []

    def evaluate(node: int, runout: tuple[int, ...]) -> NodeValues:
        asked.append((node, runout))
        return solution.evaluate(node, runout)

    recorded = replace(solution, evaluate=evaluate)
    recorded.at("X-X|8h|X-X|2c|B120")
    state, _ = solution.rules.follow("X-X|8h|X-X|2c|B120")
    assert asked == [(find_node(solution.tree, state.line), parse_cards("8h2c"))]


@pytest.mark.parametrize(
    ("line", "message", "position"),
    [
        ("X-B33", "B33 is not among the actions here: X (Check), B120 (Bet 120)", 2),
        ("X-X|", "a card must be dealt here, such as X-X|2c", 4),
        ("X-X|B120", "a card must be dealt here, such as X-X|2c", 4),
        ("X-X|2c|X-X|B120", "a card must be dealt here, such as X-X|2c|X-X|2d", 11),
        ("X-X|Td", "Td is on the board Td9d6h already", 4),
        ("X-X|8h|X-X|8h", "8h was dealt before", 11),
        ("X-X|8h2c", "one card is dealt on each street", 4),
        ("X|8h", "the flop is not over", 2),
        ("X-B120-F|8h", "no card is dealt any more", 9),
        ("X-X-B120", "nobody acts after X-X; a bar comes next", 4),
        ("X-X|8h|X-X|2c|X-X|3c", "no card is dealt any more", 18),
        ("X-Y", "'Y' is no action", 2),
    ],
)
def test_wrong_lines(line: str, message: str, position: int) -> None:
    with pytest.raises(LineSyntaxError) as caught:
        made_up_solution(**FLOP).at(line)
    assert message in str(caught.value)
    assert caught.value.position == position


def test_document_of_a_solution() -> None:
    solution = made_up_solution(**TURN)
    document = solution.to_dict("X-B120")
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    node = document.pop("node")
    assert node == solution.at("X-B120").to_dict()
    root = solution.at().to_dict()
    assert document == {
        "board": "Td9d6hQc",
        "pot": 200,
        "stack": 900,
        "oop": str(solution.spot.oop),
        "ip": str(solution.spot.ip),
        "iterations": 300,
        "seconds": 1.5,
        "exploitability_chips": 0.27,
        "exploitability_pct": pytest.approx(0.135),
        "stopped_by": "target",
        "memory_bytes": 1_000_000,
        "locks": [],
        "unlocked_exploitability_chips": None,
        "missed_frequency": None,
        "equity": root["equity"],
        "ev": root["ev"],
        "eqr": root["eqr"],
    }
    assert solution.equity == pytest.approx(root["equity"], abs=1e-6)
    assert solution.ev == pytest.approx(root["ev"], abs=1e-6)
    assert solution.eqr == pytest.approx(root["eqr"], abs=1e-6)


def test_how_it_was_solved() -> None:
    solution = made_up_solution(**TURN)
    text = "300 iterations, 1.5 seconds; exploitability 0.27 chips, 0.135 % of the pot"
    assert str(solution) == text
    assert repr(solution) == f"<Solution of Td9d6hQc: {text}>"
    assert text in solution._repr_html_()


def test_a_solution_is_no_pickle() -> None:
    with pytest.raises(ConfigError, match=r"poker\.save.* writes it to a file, which poker\.load"):
        pickle.dumps(made_up_solution(**TURN))
