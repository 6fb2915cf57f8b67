"""Reports: every next card, and one spot on many boards."""

from __future__ import annotations

import csv
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from equilibrist.errors import (
    CardSyntaxError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    LineSyntaxError,
)
from equilibrist.poker import batch, runouts, solve
from equilibrist.poker.cards.flops import flops
from equilibrist.poker.postflop.files.boards import Board, flop_boards, read_boards
from equilibrist.poker.postflop.files.runout_report import csv_text, deals_follow, runout_rows
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Callbacks
from tests.refusals import refuses

TURN = Spot(
    board="Ts3s2h5h", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="50%", raises="a"
)
RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,54s", pot=100, stack=100, bets="50%,a")
BOARDS = [Board("Ts3h2h5c9s", 4), Board("AsAhAdAc2c"), Board("KsQd2c3c7h", 12)]


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=20)


@pytest.mark.parametrize("line", ["X-X", "X-B30-C", "B30-A-C"])
def test_every_card_has_its_row(line: str) -> None:
    solution = solved(TURN)
    report = runouts(solution, line)
    assert len(report) == 48
    assert list(report.index[:4]) == ["As", "Ah", "Ad", "Ac"]
    assert report.index[-1] == "2c"
    for card in ("As", "Kh", "4d", "4c", "2c"):
        row, node = report.loc[card], solution.at(f"{line}|{card}")
        assert (row["board"], row["line"], row["pot"]) == (node.board, node.line, node.pot)
        for what, pair in node.totals._asdict().items():
            assert [row[f"{what}_oop"], row[f"{what}_ip"]] == pytest.approx(pair, abs=1e-9)
        for action, share in node.frequency.items():
            assert row[f"{action} freq"] == pytest.approx(share)


def test_progress_counts_the_cards_that_are_looked_at() -> None:
    told: list[tuple[int, int]] = []
    rows = runout_rows(solved(TURN), "X-X", lambda done, cards: told.append((done, cards)))
    assert len(rows) == 48
    assert told == [(k, 35) for k in range(35)]  # clubs are images of diamonds


def test_cards_are_as_frequent_as_the_line() -> None:
    solution = solved(TURN)
    frequency = solution.at().frequency["Check"] * solution.at("X").frequency["Check"]
    assert runouts(solution, "X-X")["frequency"].sum() == pytest.approx(frequency, rel=1e-5)


def test_actions_add_up_to_the_node() -> None:
    report = runouts(solved(TURN), "X-X")
    parts = [report[f"{a} freq"] * report[f"{a} ev"].fillna(0) for a in ("Check", "Bet 30")]
    assert np.array(sum(parts)) == pytest.approx(np.array(report["ev_oop"]), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("line", ["", "X", "X-X|2c", "X-X|2c|X-X", "B30-F", "X-B33"])
def test_lines_after_which_no_card_comes(line: str) -> None:
    kind = LineSyntaxError if line == "X-B33" else ConfigError
    with refuses(kind, option="line", given="B33" if line == "X-B33" else line or "the root"):
        runouts(solved(TURN), line)


def test_batch(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "study"
    told: list[str] = []
    report = batch(
        RIVER,
        BOARDS,
        folder,
        lines=("", "X"),
        iterations=20,
        callbacks=Callbacks(on_stage=told.append),
    )
    boards = ("Ts3h2h5c9s", "AsAhAdAc2c", "KsQd2c3c7h")
    assert told == [f"board {k} of 3: {board}" for k, board in enumerate(boards, 1)]
    assert report.skipped == {}
    assert [(row["line"], row["board"]) for row in report.rows] == [
        (line, board) for line in ("", "X") for board in (*(b.board for b in BOARDS), "all")
    ]
    for row in report.rows:
        if row["board"] != "all":
            alone = solved(RIVER.replace(board=row["board"]))
            node = alone.at(row["line"])
            assert [row["ev_oop"], row["ev_ip"]] == pytest.approx(node.totals.ev)
            assert row["exploitability_percent"] == pytest.approx(alone.exploitability_percent)
            assert [row[f"{action} freq"] for action in node.frequency] == pytest.approx(
                list(node.frequency.values())
            )
    frame = pd.read_parquet(folder / "report.parquet")
    assert frame.equals(report.frame)
    with (folder / "report.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["board"] for row in rows] == [row["board"] for row in report.rows]
    found = [float(row["ev_oop"]) for row in rows]
    assert found == pytest.approx(list(frame["ev_oop"]), abs=1e-6)


def test_boards_count_as_often_as_they_are_seen(tmp_path: Path) -> None:
    report = batch(RIVER, BOARDS, tmp_path, lines=("", "X"), iterations=20)
    rows = report.rows[:3]
    deals = []
    for board, row in zip(BOARDS, rows, strict=True):
        root = solved(RIVER.replace(board=board.board)).at().values
        deals.append(board.weight * float(root.weight[0] @ root.matchups[0]))
        assert row["weight"] == board.weight
    shares = [count / sum(deals) for count in deals]
    assert [row["frequency"] for row in rows] == pytest.approx(shares)
    total, checked = report.rows[3], report.rows[7]
    assert total["frequency"] == pytest.approx(1)
    assert total["weight"] == 17
    for key in ("ev_oop", "ev_ip", "equity_oop", "Check freq"):
        mean = sum(share * row[key] for share, row in zip(shares, rows, strict=True))
        assert total[key] == pytest.approx(mean)
    assert total["ev_oop"] + total["ev_ip"] == pytest.approx(100)
    assert total["eqr_oop"] == pytest.approx(total["ev_oop"] / total["equity_oop"] / 100)
    assert checked["frequency"] == pytest.approx(total["Check freq"])
    actions = [key.removesuffix(" freq") for key in total if key.endswith(" freq")]
    parts = [total[f"{a} freq"] * total[f"{a} ev"] for a in actions if total[f"{a} freq"]]
    assert sum(parts) == pytest.approx(total["ev_oop"], abs=0.01)


def test_impossible_boards_are_skipped(tmp_path: Path) -> None:
    spot = RIVER.replace(board="9s3h2h5c8s", oop="TT", ip="TT")
    boards = ["9s3h2h5c8s", "TsAh2h5c7s", "TsThTd9h9s", "KsAh2h5c7s"]
    report = batch(spot, boards, tmp_path, iterations=2)
    assert [row["board"] for row in report.rows] == [boards[0], boards[3], "all"]
    assert list(report.skipped) == boards[1:3]
    assert "no deal is possible" in report.skipped[boards[1]]
    assert "blocks every hand of oop" in report.skipped[boards[2]]
    with refuses(ConfigError, option="boards"):
        batch(spot, boards[1:3], tmp_path / "none", iterations=2)


def test_a_killed_batch_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = batch(RIVER, BOARDS, tmp_path / "whole", iterations=20)
    ran: list[str] = []
    run = SpotSolver.run

    def recorded(solver: SpotSolver, iterations: int, /) -> None:
        ran.append(solver.spot.board)
        if len(set(ran)) == 2 and not (tmp_path / "go").exists():
            raise KeyboardInterrupt
        run(solver, iterations)

    monkeypatch.setattr(SpotSolver, "run", recorded)
    with pytest.raises(KeyboardInterrupt):
        batch(RIVER, BOARDS, tmp_path / "cut", iterations=20)
    names = {entry.name for entry in (tmp_path / "cut").iterdir()} - {"batch.lock"}
    assert names == {"batch.json", "Ts3h2h5c9s.json"}
    (tmp_path / "go").touch()
    ran.clear()
    cut = batch(RIVER, BOARDS, tmp_path / "cut", iterations=20, resume=True, threads=2)
    assert list(dict.fromkeys(ran)) == ["AsAhAdAc2c", "KsQd2c3c7h"]
    for report in (whole, cut):
        for row in report.rows:
            row.pop("seconds")
    assert csv_text(cut.rows) == csv_text(whole.rows)


@pytest.mark.parametrize(("spot", "change", "fields"), [
    (RIVER, {"iterations": 21}, dict(option="iterations", given="21", expected="20")),
    (RIVER, {"storage": "int16"}, dict(option="storage", given="int16")),
    (RIVER, {"lines": ("X",)}, dict(option="lines", given="['X']", expected="['']")),
    (RIVER.replace(pot=101), {}, dict(option="pot", given=101, expected=100)),
    (RIVER, {"resume": False}, dict(option="folder")),
])  # fmt: skip
def test_a_batch_resumes_with_the_same_settings(
    spot: Spot, change: dict[str, Any], fields: dict[str, Any], tmp_path: Path
) -> None:
    batch(RIVER, BOARDS[:1], tmp_path, iterations=20)
    with refuses(ConfigError, **fields):
        batch(spot, BOARDS, tmp_path, **{"iterations": 20, "resume": True, **change})
    assert not (tmp_path / "AsAhAdAc2c.json").exists()


@pytest.mark.parametrize(("boards", "change", "kind", "fields"), [
    (["Ts3h2h5c"], {}, ConfigError, dict(option="board", given="Ts3h2h5c", expected=5)),
    (["Ts3h2h5c9s", "Ts3h2h5c9s"], {}, ConfigError, dict(option="board", given="Ts3h2h5c9s")),
    (["Ts3h2h5c9x"], {}, CardSyntaxError, dict(position=8, option="card", given="9x")),
    ([], {}, ConfigError, dict(option="boards")),
    (["Ts3h2h5c9s"], {"lines": ("B33",)}, LineSyntaxError, dict(position=0, given="B33")),
    (["Ts3h2h5c9s"], {"lines": ("X-X|2c",)}, LineSyntaxError, dict(given="X-X|2c")),
    (["Ts3h2h5c9s"], {"target": "0.3"}, ConfigError, dict(option="target", given="0.3")),
])  # fmt: skip
def test_wrong_batches(
    boards: list[str],
    change: dict[str, Any],
    kind: type[EquilibristError],
    fields: dict[str, Any],
    tmp_path: Path,
) -> None:
    with refuses(kind, **fields):
        batch(RIVER, boards, tmp_path / "new", **change)
    assert not (tmp_path / "new").exists()


def test_damaged_boards_are_named(tmp_path: Path) -> None:
    batch(RIVER, BOARDS[:1], tmp_path, iterations=2)
    (tmp_path / "Ts3h2h5c9s.json").write_text('{"rows": [')
    with refuses(FileFormatError, option="file"):
        batch(RIVER, BOARDS[:1], tmp_path, iterations=2, resume=True)


def test_files_of_boards(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(
        "flop,weight,suits\nAsAhKs,12,two-tone\n\n# none\nqs Jh 2h  # a comment\n2c3c4d 2.5\n"
    )
    assert read_boards(file) == [("AsAhKs", 12), ("QsJh2h", 1), ("2c3c4d", 2.5)]
    file.write_text("AsAhKs\nAsAhXs\n")
    with refuses(FileFormatError, option="card", given="Xs"):
        read_boards(file)
    with refuses(FileFormatError, option="file", given="No such file or directory"):
        read_boards(tmp_path / "none")


def test_flops() -> None:
    assert flop_boards("all") == [(flop.name, flop.weight) for flop in flops()]
    assert sum(board.weight for board in flop_boards("subset:5")) == pytest.approx(22_100)
    assert flop_boards("all", "short") == [(flop.name, flop.weight) for flop in flops("short")]
    assert sum(board.weight for board in flop_boards("subset:5", "short")) == pytest.approx(7140)
    for which in ("some", "subset", "subset:x", "subset:0", f"subset:{'9' * 5000}"):
        with pytest.raises(ConfigError):
            flop_boards(which)


def test_nan_in_files(tmp_path: Path) -> None:
    text = csv_text([{"board": "a", "x": math.nan, "y": -1e-12}, {"board": "b", "z": 1}])
    assert text == "board,x,y,z\na,,0,\nb,,,1\n"
    batch(RIVER, BOARDS[:1], tmp_path, iterations=2)
    json.loads((tmp_path / "Ts3h2h5c9s.json").read_text(), parse_constant=pytest.fail)


def test_a_lock_on_one_card_holds_on_that_card_only() -> None:
    spot = TURN.replace(locks=["X-X|4d: Check 100%"])
    report = runouts(solve(spot, iterations=20), "X-X")
    checks = report["Check freq"]
    assert checks["4d"] == pytest.approx(1)
    assert checks["4c"] < 0.99


@pytest.mark.parametrize(
    ("board", "line", "remedy"),
    [
        ("TsTh2h2c9d", "X-X", "node itself"),
        ("TsTh2h2c", "X-X|9d|X-X", "an earlier street"),
        ("TsTh2h2c", "X", "such as X-X"),
    ],
)
def test_the_remedy_for_a_line_without_a_next_card_can_be_followed(
    board: str, line: str, remedy: str
) -> None:
    spot = Spot(board=board, oop="AA", ip="KK", pot=100, stack=100, bets="50%")
    with pytest.raises(ConfigError) as caught:
        deals_follow(spot, line)
    assert remedy in caught.value.remedy
