"""Trees of solved spots as files."""

from __future__ import annotations

import csv
import json
import tracemalloc
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas
import pyarrow.parquet
import pytest

from equilibrist.errors import ConfigError, LineSyntaxError, OutputError, RangeSyntaxError
from equilibrist.poker import estimate, export, load, save, solve
from equilibrist.poker.betting.public_tree import ACTION
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.solutions.node import SEATS, Node
from equilibrist.poker.solutions.node_values import NodeValues
from equilibrist.poker.solutions.result import PostflopResult
from equilibrist.poker.solutions.tree_files.tree_filter import NodeFilter
from equilibrist.poker.spots.spot import Spot
from tests.poker.solutions.made_up import made_up_solution
from tests.refusals import refuses

RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ,AKs:0.5", ip="KK,54s", pot=100, stack=100, bets="50%,a")
TURN = Spot(
    board="Ts3s2h5h",
    oop="AA,QQ,JTs",
    ip="KK,98s,AhKh:0.25",
    pot=60,
    stack=90,
    bets="50%",
    raises="a",
)
FLOP = Spot(board="Ts9s2s", oop="AA,JTs", ip="KK,QQ", pot=60, stack=40, bets="a")

HANDS = {"hands": "AhKh,QQ", "line": "X", "all_runouts": True}


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=20, algorithm="dcfr-restarts")  # no equity is next to nothing


def exported(solution: PostflopResult, path: Path, **filters: Any) -> list[dict[str, Any]]:
    """The nodes in a JSON file."""
    count = export(solution, path, **filters)
    document = json.loads(path.read_text(encoding="utf-8"))
    nodes: list[dict[str, Any]] = document.pop("nodes")
    assert document == solution.facts()
    assert len(nodes) == count
    return nodes


def close(found: Any, expected: Any, where: str = "") -> None:
    """The same, but for the last digit of equities where their seventh digit is a five.

    A board's nodes find them from one table, a node by itself more directly.
    """
    assert type(found) is type(expected), where
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            close(found[key], value, f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, value in enumerate(expected):
            close(found[k], value, f"{where}/{k}")
    elif isinstance(expected, float):
        assert abs(found - expected) < (1.5e-6 if "/eq" in where else 1e-15), where
    else:
        assert found == expected, where


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


@pytest.mark.parametrize("spot", [RIVER, TURN])
def test_csv_says_what_json_says(spot: Spot, tmp_path: Path) -> None:
    nodes = exported(solved(spot), tmp_path / "tree.json", ends=True)
    export(solved(spot), tmp_path / "tree.csv", ends=True)
    with (tmp_path / "tree.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert not any(None in row or None in row.values() for row in rows)
    place = iter(rows)
    for number_of_node, node in enumerate(nodes):
        for player, seat in enumerate(SEATS):
            looked_up = number_of_node % 25 == 0
            eqrs = realised(solved(spot).at(node["line"]), player) if looked_up else {}
            acts = player == node["player"]
            hands = node["hands" if player == (node["player"] or 0) else "other_hands"]
            totals = {key: node[key][player] for key in ("equity", "ev")}
            weight = sum(figures["weight"] for figures in hands.values())
            summary = {"weight": weight, **totals, "strategy": node["frequency"]}
            summary["action_ev"] = node["action_ev"]
            for hand, figures in {"all": summary, **hands}.items():
                row = next(place)
                for key in ("line", "street", "board", "runouts", "pot"):
                    assert row[key] == str(node[key])
                assert row["acts"] == ("" if node["player"] is None else SEATS[node["player"]])
                assert (row["player"], row["hand"]) == (seat, hand)
                assert row["eqr"] == eqrs.get(hand, row["eqr"])
                numbers = [number(row[key]) for key in ("weight", "equity", "ev")]
                assert numbers[1:] == [figures["equity"], figures["ev"]]
                assert numbers[0] == pytest.approx(figures["weight"], rel=1e-5)
                shares = figures["strategy"] if acts else []
                found = [(row[f"action{k}"], row[f"share{k}"]) for k in range(1, 4)]
                assert [name for name, _ in found if name] == (node["actions"] if acts else [])
                assert [number(share) for name, share in found if name] == shares
                evs = [number(row[f"ev{k}"]) for k in range(1, 1 + len(shares))]
                assert evs == (figures["action_ev"] if acts else [])
    assert next(place, None) is None


@pytest.mark.parametrize(("spot", "filters"), [(RIVER, {}), (TURN, {"ends": True}), (TURN, HANDS)])
def test_parquet_says_what_csv_says(
    spot: Spot, filters: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equilibrist.poker.solutions.tree_files.parquet.ROWS", 500)
    counts = [
        export(solved(spot), tmp_path / name, **filters) for name in ("tree.csv", "tree.parquet")
    ]
    assert counts[0] == counts[1] > 0
    texts = pandas.read_csv(tmp_path / "tree.csv", dtype=dict.fromkeys(("line", "acts"), str))
    table = pandas.read_parquet(tmp_path / "tree.parquet")
    assert list(table.columns) == list(texts.columns)
    assert (table["line"].eq("")).sum() == texts["line"].isna().sum()
    for name in texts.columns:
        ours, theirs = table[name].astype(object), texts[name].astype(object)
        if name == "line":
            theirs = theirs.fillna("")
        assert ours.isna().equals(theirs.isna()), name
        known = ~theirs.isna()
        if name == "weight":  # six digits in text
            assert ours[known].tolist() == pytest.approx(theirs[known].tolist(), rel=1e-5)
        else:
            assert ours[known].tolist() == theirs[known].tolist(), name
    assert table["runouts"].dtype == "int64"
    groups = pyarrow.parquet.ParquetFile(tmp_path / "tree.parquet").num_row_groups
    assert groups >= len(table) // 1000


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_what_will_be_written_is_said_before(form: str, tmp_path: Path) -> None:
    plans: list[Any] = []
    file = tmp_path / f"tree.{form}"

    def plan(found: Any) -> None:
        assert not file.exists()
        plans.append(found)

    boards: list[int] = []
    count = export(
        solved(TURN), file, on_plan=plan, on_board=lambda _, number: boards.append(number)
    )
    (found,) = plans
    assert found.nodes == count
    assert {found.boards} == set(boards) == {len(boards)}
    assert found.seconds > 0
    assert 0.9 < found.num_bytes / file.stat().st_size < 1.1


def test_numbers_that_many_boards_share_are_foreseen(tmp_path: Path) -> None:
    """Parquet stores them once: boards in files of their own take ten times as much."""
    flop = Spot(board="Ts8s4s", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="a")
    plans: list[Any] = []
    file = tmp_path / "tree.parquet"
    export(solve(flop, iterations=5), file, on_plan=plans.append)
    assert plans[0].boards > 600
    assert 0.85 < plans[0].num_bytes / file.stat().st_size < 1.15


def realised(node: Node, player: int) -> dict[str, str]:
    """The EQR of each hand of a player, as a cell."""
    combos = node.combos(player)
    rounded = (np.round(node.realised(player)[combos], 6) + 0.0).tolist()
    texts = [f"{eqr:.6f}".rstrip("0").rstrip(".") if eqr == eqr else "" for eqr in rounded]
    return dict(zip(map(combo_name, combos.tolist()), texts, strict=True))


def number(text: str) -> float | None:
    return float(text) if text else None


@pytest.mark.parametrize(("spot", "filters"), [
    (RIVER, {"ends": True}), (TURN, {}), (TURN, HANDS), (FLOP, {"line": "X-X|2c", "ends": True}),
])  # fmt: skip
def test_every_line_is_the_document_of_its_node(
    spot: Spot, filters: dict[str, Any], tmp_path: Path
) -> None:
    """To the last byte: the text is made by array operations, not by `json.dumps`."""
    solution, path = solved(spot), tmp_path / "tree.jsonl"
    export(solution, path, **filters)
    choice = NodeFilter(spot, **filters)
    only = None if choice.hands is None else choice.hands.weights > 0
    expected = [
        json.dumps({**node.to_dict(only), "runouts": board.runouts})
        for board in choice.boards()
        for node in solution.nodes(board.runout, board.nodes)
    ]
    assert path.read_text(encoding="utf-8").splitlines() == expected


def test_a_node_in_each_line(tmp_path: Path) -> None:
    nodes = exported(solved(RIVER), tmp_path / "tree.json")
    export(solved(RIVER), tmp_path / "tree.jsonl")
    lines = (tmp_path / "tree.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == nodes


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


def test_a_board_at_a_time_and_each_once(tmp_path: Path) -> None:
    asked: list[tuple[int, ...]] = []
    solution = solved(TURN)
    assert solution.on_board

    def on_board(runout: tuple[int, ...]) -> Any:
        asked.append(runout)
        return solution.on_board(runout)

    told: list[tuple[int, int]] = []
    recorded = replace(solution, on_board=on_board)
    export(recorded, tmp_path / "tree.json", on_board=lambda *done: told.append(done))
    assert len(set(asked)) == len(asked) == len(told)
    assert told == [(k, len(asked)) for k in range(len(asked))]


def test_without_boards_nodes_are_asked_one_by_one(tmp_path: Path) -> None:
    solution = made_up_solution(board="Ts3s2h5h9c", oop="AA", ip="KK", pot=60, stack=90, bets="a")
    for node in exported(solution, tmp_path / "tree.json"):
        node.pop("runouts")
        assert node == solution.at(node["line"]).to_dict()


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path, before = tmp_path / "tree.json", '{"board": "of before"}'
    path.write_text(before)

    def breaks(done: int, boards: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(solved(TURN), path, on_board=breaks)
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["tree.json"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    full = tmp_path / "full.json"
    full.symlink_to("/dev/full")
    with refuses(OutputError, option="file", given="No space left on device"):
        export(solved(TURN), full)
    with refuses(OutputError, option="folder"):
        export(solved(RIVER), tmp_path / "no" / "tree.csv")
    with refuses(ConfigError, option="path"):
        export(solved(RIVER), cast("Any", None))
    with refuses(ConfigError, option="path"):
        export(solved(RIVER), tmp_path / "tree.txt")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["full.json"]


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
    filters: dict[str, Any], error: type[Exception], fields: dict[str, Any], tmp_path: Path
) -> None:
    with refuses(error, **fields):
        export(solved(TURN), tmp_path / "tree.json", **filters)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("keep", ["all", "no-rivers"])
def test_a_solution_from_a_file(keep: Any, tmp_path: Path) -> None:
    save(solved(TURN), tmp_path / "a.spot", keep)
    loaded = load(tmp_path / "a.spot")
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


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_memory_does_not_grow_with_the_file(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty times as many boards, and their text and figures nowhere but in the file."""
    for module in ("tree_files.writing", "result"):
        monkeypatch.setattr(f"equilibrist.poker.solutions.{module}._AT_ONCE", 1)
    solution, file = solved(TURN), tmp_path / f"tree.{form}"
    sizes, peaks = [], []
    export(solution, file, line="X-X|")
    for line in ("X-X|2c", "X-X|"):
        tracemalloc.start()
        export(solution, file, line=line)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        sizes.append(file.stat().st_size)
    assert sizes[1] > 25 * sizes[0]
    assert peaks[1] - peaks[0] < sizes[1] / 2


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_only_exports_are_replaced(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree.{form}"
    path.write_bytes(b"")
    for _ in range(2):  # an empty file, and an export
        assert export(solved(RIVER), path) > 0
    for content in (b"my,precious\n1,2\n", b'{"mine": 1}', b"PAR1 or so"):
        path.write_bytes(content)
        with refuses(OutputError, option="file", given=path.name):
            export(solved(RIVER), path)
        assert path.read_bytes() == content
