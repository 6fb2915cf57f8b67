"""Trees of solved spots as files: which nodes, and their figures."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, EquilibristError, LineSyntaxError, RangeSyntaxError
from equilibrist.poker import estimate, export, solve
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.postflop.solution.node_aggregates import NodeValues
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.files.exported_trees import FLOP, RIVER, TURN, close, exported, solved
from tests.poker.postflop.solution.made_up import made_up_solution
from tests.refusals import refuses


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("spot", "filters"), [
    (RIVER, {"ends": True}),
    (TURN, {"ends": True}),
    (FLOP, {"line": "X-X|2c|X", "ends": True}),
    (FLOP, {"line": "X-X|2d", "streets": "turn"}),
    (FLOP, {"line": "X-X|X-X|2c", "all_runouts": True}),
    (FLOP, {"streets": "flop"}),
])  # fmt: skip
def test_nodes_are_what_at_says(spot: Spot, filters: dict[str, Any], tmp_path: Path) -> None:
    solution = solved(spot)
    nodes = exported(solution, tmp_path / "tree.json", **filters)
    assert len({node["line"] for node in nodes}) == len(nodes)
    for node in nodes:
        node.pop("runouts")
        close(node, solution.at(node["line"]).to_dict())


@pytest.mark.parametrize(
    ("spot", "runout"), [(RIVER, ""), (TURN, "2c"), (FLOP, ""), (FLOP, "3c2h")]
)
def test_both_ways_to_a_node_have_the_same_figures(spot: Spot, runout: str) -> None:
    solution, cards = solved(spot), parse_cards(runout)
    tree = solution.tree
    street = spot.first_street + len(cards)
    for node in solution.nodes(cards, np.flatnonzero(tree.street == street).tolist()):
        for name, of_board, alone in zip(
            NodeValues._fields, node.values, solution.at(node.line).values, strict=True
        ):
            exact = 1e-12 if name == "equity" else 0
            np.testing.assert_allclose(of_board, alone, rtol=0, atol=exact, err_msg=node.line)


def test_all_boards_are_there_once_or_as_their_images(tmp_path: Path) -> None:
    spot = TURN.replace(ip="KK,98s")
    solution, path = solved(spot), tmp_path / "tree.json"
    some, every = exported(solution, path), exported(solution, path, all_runouts=True)
    rivers = estimate(spot).streets[1]
    assert rivers.all_boards == 48
    boards = {node["board"]: node["runouts"] for node in some if node["street"] == "river"}
    assert len(boards) == rivers.boards < 48
    assert sum(boards.values()) == 48
    assert {node["runouts"] for node in every} == {1}
    of_street = Counter(solution.tree.street[solution.tree.kind == ACTION].tolist())
    assert len(some) == of_street[1] + len(boards) * of_street[2]
    assert len(every) == of_street[1] + 48 * of_street[2]
    lines = {node["line"]: node for node in every}
    for node in some:
        assert {**lines[node["line"]], "runouts": node["runouts"]} == node


@pytest.mark.slow
def test_flops_go_to_all_rivers(tmp_path: Path) -> None:
    nodes = exported(solved(FLOP), tmp_path / "tree.json", line="X-X|X-X|", hands="AsAh")
    first = [node for node in nodes if len(node["line"].split("|")) == 4]
    assert sum(node["runouts"] for node in first) == 49 * 48
    assert len(first) < 49 * 48 / 3


def test_no_hand_shares_a_card_with_the_board(tmp_path: Path) -> None:
    for node in exported(solved(TURN), tmp_path / "tree.json", all_runouts=True):
        cards = {node["board"][k : k + 2] for k in range(0, len(node["board"]), 2)}
        for hands in (node["hands"], node["other_hands"]):
            assert not any({hand[:2], hand[2:]} & cards for hand in hands)
            assert all(figures["weight"] > 0 for figures in hands.values())


def test_given_cards_stand_though_others_are_solved(tmp_path: Path) -> None:
    spot = TURN.replace(ip="KK,98s")
    nodes = exported(solved(spot), tmp_path / "tree.json", line="X-X|4d")
    other = exported(solved(spot), tmp_path / "tree.json", line="X-X|4c")
    assert {node["board"] for node in nodes} == {"Ts3s2h5h4d"}
    assert [node["ev"] for node in nodes] == [node["ev"] for node in other]
    assert {node["runouts"] for node in nodes} == {1}


@pytest.mark.slow
def test_filters(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    every = exported(solved(TURN), path)
    assert every[0]["line"] == ""
    rivers = exported(solved(TURN), path, streets="river")
    assert rivers == [node for node in every if node["street"] == "river"]
    assert exported(solved(TURN), path, streets=" Turn,river") == every
    line = exported(solved(TURN), path, line="X-B30")
    assert line == [n for n in every if n["line"] == "X-B30" or n["line"].startswith("X-B30-")]
    held = exported(solved(TURN), path, hands="AhKh,QQ")
    for node, whole in zip(held, every, strict=True):
        for key in ("hands", "other_hands"):
            assert node.pop(key) == {
                hand: figures
                for hand, figures in whole[key].items()
                if hand == "AhKh" or (hand[0], hand[2]) == ("Q", "Q")
            }
        assert node.items() <= whole.items()
    assert sum(len(node["hands"]) for node in exported(solved(TURN), path, hands="AhKh"))


@pytest.mark.parametrize(("filters", "error", "fields"), [
    ({"line": "X-B33"}, LineSyntaxError, dict(position=2, option="line", given="B33")),
    ({"line": "X-X|Ts"}, LineSyntaxError, dict(position=4, option="line", given="Ts")),
    ({"line": "B30-A-C"}, ConfigError, dict(option="line", given="B30-A-C")),
    ({"line": "B30-A-C|2c", "ends": True}, ConfigError, dict(option="line", given="B30-A-C|2c")),
    ({"streets": "flop"}, ConfigError, dict(option="line", given="")),
    ({"streets": "preflop"}, ConfigError, dict(option="streets", given="preflop")),
    ({"streets": 3}, ConfigError, dict(option="streets", given=3)),
    ({"hands": "AhK"}, RangeSyntaxError, dict(position=0, option="range", given="AhK")),
    ({"hands": 5}, ConfigError, dict(option="hands", given=5)),
    ({"on_board": 5}, ConfigError, dict(option="on_board", given=5)),
])  # fmt: skip
def test_what_is_not_there(
    filters: dict[str, Any], error: type[EquilibristError], fields: dict[str, Any], tmp_path: Path
) -> None:
    with refuses(error, **fields):
        export(solved(TURN), tmp_path / "tree.json", **filters)
    assert not list(tmp_path.iterdir())


def test_what_is_nowhere_stays_empty(tmp_path: Path) -> None:
    """A node where play never comes has no figures, and still a strategy."""
    solution = solve(Spot(
        board="Ts3h2h5c9s", oop="AA", ip="KK", pot=100, stack=100, bets="a"
    ), iterations=2000, algorithm="cfr+")  # fmt: skip
    after = exported(solution, tmp_path / "tree.json", line="A")[0]
    before = solution.at().to_dict()
    assert before["hands"]["AsAh"]["ev"] > 99.9
    assert after["hands"]["KsKh"]["strategy"][0] > 0.99
    ends = exported(solution, tmp_path / "tree.json", line="A-C", ends=True)
    assert [node["player"] for node in ends] == [None]


def test_without_boards_nodes_are_asked_one_by_one(tmp_path: Path) -> None:
    solution = made_up_solution(board="Ts3s2h5h9c", oop="AA", ip="KK", pot=60, stack=90, bets="a")
    for node in exported(solution, tmp_path / "tree.json"):
        node.pop("runouts")
        assert node == solution.at(node["line"]).to_dict()


@pytest.mark.parametrize("keep", ["all", "no-rivers"])
def test_a_solution_from_a_file(keep: Any, tmp_path: Path) -> None:
    solved(TURN).save(tmp_path / "a.spot", keep)
    loaded = load_result(tmp_path / "a.spot")
    before = exported(solved(TURN), tmp_path / "tree.json", streets="turn")
    assert exported(loaded, tmp_path / "tree.json", streets="turn") == before
    river = {"line": "X-X|2c"}
    nodes = exported(loaded, tmp_path / "tree.json", **river)
    if keep == "all":
        assert nodes == exported(solved(TURN), tmp_path / "tree.json", **river)
    for node in nodes:
        assert (node["resolved_exploitability_chips"] is None) == (keep == "all")
        node.pop("runouts")
        close(node, loaded.at(node["line"]).to_dict())
