"""Walking through a solved spot."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, LineSyntaxError, UnknownNameError
from equilibrist.plotting import convergence_figure
from equilibrist.poker.betting.actions import CHECK
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_aggregates import NodeValues
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.run.trace import TracePoint
from tests.poker.postflop.solution.made_up import made_up_solution
from tests.poker.postflop.spot.spots import FLOP, TURN
from tests.refusals import refuses


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


@pytest.mark.parametrize(
    ("node", "line"),
    [
        ("r:0", ""),
        ("r:0:c:b120:c:8h:c:c:2c:b384", "X-B120-C|8h|X-X|2c|B264"),
        ("r:0:c:b120:b300:b900:c:2c", "X-B120-R300-A900-C|2c"),
    ],
)
def test_node_ids_of_pio_are_lines(node: str, line: str) -> None:
    solution = made_up_solution(**FLOP)
    assert solution.at(node).line == line
    assert solution.at(line).pio_id == node


def test_ids_in_capitals_and_a_bar_behind_the_last_card_are_taken() -> None:
    solution = made_up_solution(**FLOP)
    assert solution.at("R:0:C:B120").line == "X-B120"
    assert solution.at("X-B120-C|8h|").line == "X-B120-C|8h"


def test_steps_from_node_to_node() -> None:
    root = made_up_solution(**FLOP).at()
    assert root.parent is None
    assert {name: child.line for name, child in root.children.items()} == root.next_lines
    assert root.play("Check").line == root.play("X").line == root.play(CHECK).line == "X"
    turn = root.play("Check").play("Bet 120").play("C").deal("8h")
    assert (turn.line, turn.player) == ("X-B120-C|8h", 0)
    lines, node = [], turn.play("X")
    while (before := node.parent) is not None:
        node = before
        lines.append(node.line)
    assert lines == ["X-B120-C|8h", "X-B120-C", "X-B120", "X", ""]
    assert root.play("X").play("X").children == {}
    with refuses(UnknownNameError, option="action", name="Bet 7"):
        root.play("Bet 7")
    with refuses(LineSyntaxError, option="line"):
        root.deal("8h")
    with refuses(ConfigError, option="line"):
        root.play("X").play("X").play("X")
    with refuses(ConfigError, option="node"):
        Node(parse_cards("Td9d6h"), root._state, (), root.actions, root.values).play("X")


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("", None),
        ("X", ""),
        ("X-B120", "X"),
        ("X-X|7d", "X-X"),
        ("X-X|7d|B120", "X-X|7d"),
        ("X-B120-R300-A900-C|2c|3c", "X-B120-R300-A900-C|2c"),
    ],
)
def test_the_line_before(line: str, before: str | None) -> None:
    assert made_up_solution(**FLOP).at(line).line_before == before


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
    ("line", "fields", "position"),
    [
        ("X-B33", dict(option="line", given="B33"), 2),
        ("X-X|", dict(option="line", given=""), 4),
        ("X-X|B120", dict(option="line", given=""), 4),
        ("X-X|2c|X-X|B120", dict(option="line", given=""), 11),
        ("X-X|Td", dict(option="line", given="Td"), 4),
        ("X-X|8h|X-X|8h", dict(option="line", given="8h"), 11),
        ("X-X|8h2c", dict(option="line", given="8h2c"), 4),
        ("X|8h", dict(option="line", given="8h"), 2),
        ("X-B120-F|8h", dict(option="line", given="8h"), 9),
        ("X-X-B120", dict(option="line", given="B120"), 4),
        ("X-X|8h|X-X|2c|X-X|3c", dict(option="line", given="3c"), 18),
        ("X-Y", dict(option="line", given="Y"), 2),
    ],
)
def test_wrong_lines(line: str, fields: dict[str, Any], position: int) -> None:
    with refuses(LineSyntaxError, **fields) as caught:
        made_up_solution(**FLOP).at(line)
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
        "exploitability_percent": pytest.approx(0.135),
        "mean_gain_chips": 0.27,
        "mean_gain_percent": pytest.approx(0.135),
        "stopped_by": "target",
        "converged": True,
        "memory_bytes": 1_000_000,
        "leaf_values": None,
        "folded": [],
        "ev_error_chips": None,
        "tremble": None,
        "quantal": None,
        "temperature": None,
        "trembling_gain_chips": None,
        "locks": [],
        "unlocked_exploitability_chips": None,
        "unlocked_mean_gain_chips": None,
        "frequency_error": None,
        "equity": root["equity"],
        "ev": root["ev"],
        "eqr": root["eqr"],
    }
    assert solution.equity == pytest.approx(root["equity"], abs=1e-6)
    assert solution.ev == pytest.approx(root["ev"], abs=1e-6)
    assert solution.eqr == pytest.approx(root["eqr"], abs=1e-6)


def test_documents_of_spots_with_and_without_rake_have_the_same_keys() -> None:
    plain = made_up_solution(**TURN).to_dict("X-B120")
    raked = made_up_solution(**TURN, rake=0.05).to_dict("X-B120")
    assert list(raked) == list(plain)
    assert list(raked["node"]) == list(plain["node"])
    assert raked["mean_gain_chips"] == plain["mean_gain_chips"] == plain["exploitability_chips"]
    for key in (
        "exploitability_chips",
        "exploitability_percent",
        "unlocked_exploitability_chips",
    ):
        assert raked[key] is None
    assert raked["node"]["resolved_exploitability_chips"] is None
    assert "resolved_mean_gain_chips" in raked["node"]


def test_how_it_was_solved() -> None:
    solution = made_up_solution(**TURN)
    text = "300 iterations, 1.5 s; exploitability 0.27 chips, 0.135 % of the pot"
    assert str(solution) == text
    assert repr(solution) == f"<PostflopResult of Td9d6hQc: {text}>"
    assert text in solution._repr_html_()


def test_far_from_an_equilibrium() -> None:
    """The pot is 200: without a target 1 % of it is 2 chips."""
    solution = made_up_solution(**TURN)
    for target, mean_gain, converged in (
        (0.3, 0.3, True),
        (0.3, 0.31, False),
        (None, 2.0, True),
        (None, 2.01, False),
        (5.0, 4.0, True),
    ):
        found = replace(solution, target=target, mean_gain=mean_gain)
        assert found.converged is found.to_dict()["converged"] is converged
        assert str(found).startswith("not converged: ") is not converged


def test_a_solution_without_an_engine_is_no_pickle() -> None:
    with refuses(ConfigError, option="solution"):
        pickle.dumps(made_up_solution(**TURN))


def test_with_rake_no_measurement_is_an_exploitability() -> None:
    """Files of earlier versions say that it was."""
    trace = (TracePoint(10, 0.5, 0.8, 0.4, ()), TracePoint(20, 1.0, 0.4, 0.2, ()))
    drawn = {
        "mean gain": "mean gain (chips)",
        "exploitability": "exploitability (payoff units per game)",
    }
    for rake, name in ((0.05, "mean gain"), (0.0, "exploitability")):
        solution = replace(made_up_solution(**{**TURN, "rake": rake}), trace=trace)
        assert [point.nash_conv for point in solution.trace] == [0.8, 0.4]
        assert [point.measure for point in solution.trace] == [0.4, 0.2]
        assert [point.measure_name for point in solution.trace] == [name] * 2
        assert [point.exploitability for point in solution.trace] == (
            [0.4, 0.2] if name == "exploitability" else [None, None]
        )
        assert solution.measure_name == name
        (axes,) = convergence_figure({"spot": solution.trace}).axes
        assert axes.get_ylabel() == drawn[name]
        assert list(np.asarray(axes.lines[0].get_ydata())) == [0.4, 0.2]


def test_a_hand_that_meets_next_to_nothing_has_neither_ev_nor_equity() -> None:
    """What it leaves of the other range is less than what sums are exact to."""
    spot = Spot(
        board="9h5d3cJc2s", oop=f"QsQh,AhAd:{1e-13:.20f}", ip="QsTs,77", pot=60, stack=100,
        bets="50%",
    )  # fmt: skip
    values, hand = solve(spot, iterations=3).at().values, parse_combo("QsTs")
    assert values.weight[1, hand] == 1
    assert np.isnan(values.ev[1, hand])
    assert np.isnan(values.equity[1, hand])
    for figures in (values.ev, values.equity):
        assert not np.isnan(figures[1, parse_combo("7h7c")])
