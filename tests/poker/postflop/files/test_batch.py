"""Batches: what is read and refused before the first board is solved, and locks board by board."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.poker import batch, estimate, solve
from equilibrist.poker.postflop.files.boards import Board, read_boards
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.resolved_locks import locks_on
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import refuses

TURN = Spot(
    board="Ts3s2h5h", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="50%", raises="a"
)
RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,54s", pot=100, stack=100, bets="50%,a")


def test_locks_on_cards_of_a_board_are_left_out_there(tmp_path: Path) -> None:
    spot = TURN.replace(
        locks=["X-X|8h: Check 100%", ": AcAd = Check 100%; QQ = Check 25%", "X: KcKd = Check 1"]
    )
    report = batch(spot, ["Ts3s2h8h", "TsAc2h5h", "KcAc2h5h"], tmp_path, lines=("X",), iterations=5)
    assert report.skipped == {}
    there = [
        spot.replace(board="Ts3s2h8h", locks=spot.locks[1:]),
        spot.replace(board="TsAc2h5h", locks=[spot.locks[0], ": QQ = Check .25", spot.locks[2]]),
        spot.replace(board="KcAc2h5h", locks=[spot.locks[0], ": QQ = Check .25"]),
    ]
    for row, alone in zip(report.rows, there, strict=False):
        node = solve(alone, iterations=5).at("X")
        assert [row["ev_oop"], row["ev_ip"]] == pytest.approx(node.totals.ev)
        assert row["Check freq"] == pytest.approx(node.frequency["Check"])


def test_columns(tmp_path: Path) -> None:
    """How often, equity, EV and EQR of both players, frequency and EV of each action."""
    report = batch(RIVER, ["Ts3h2h5c9s", "KsQd2c3c7h"], tmp_path, iterations=2)
    columns = ["board", "weight", "line", "frequency", "pot"]
    columns += [f"{what}_{seat}" for what in ("equity", "ev", "eqr") for seat in ("oop", "ip")]
    actions = ("Check", "Bet 50", "All-in 100")
    columns += ["acts", *(f"{action} {what}" for action in actions for what in ("freq", "ev"))]
    columns += ["exploitability_percent", "iterations", "seconds"]
    assert [list(row) for row in report.rows] == [columns] * 3
    assert list(pd.read_parquet(tmp_path / "report.parquet")) == columns
    assert (tmp_path / "report.csv").read_text().splitlines()[0] == ",".join(columns)


def test_locks_that_hold_stay_as_they_are() -> None:
    locks = (
        Lock("X-X|2c", {"AA": {}, "QQ,JTs": {"Check": 0.5}}, {"Check": 1}),
        Lock.parse("X: KK=X 1"),
    )
    spot = TURN.replace(locks=locks[:1])
    rules, ranges = spot.rules(), (spot.oop, spot.ip)
    assert locks_on(spot.locks, rules, (40, 41, 42, 12), ranges) == spot.locks
    (left,) = locks_on(spot.locks, rules, (48, 49, 50, 12), ranges)
    assert left == Lock("X-X|2c", {"QQ,JTs": {"Check": 0.5}}, {"Check": 1})


POSITIVE = "a number above 0 and at most 1e+09"
FILE_ERRORS = [
    ("QsJh2h,-7", dict(option="weight", given="-7")),
    ("QsJh2h,abc", dict(option="weight", given="abc")),
    ("QsJh2h,", dict(option="weight", given="")),
    ("QsJh2h, nan", dict(option="weight", given="nan")),
    ("QsJh2h,1e999", dict(option="weight", given=float("inf"))),
    ("QsJh2h,0", dict(option="weight", given=0.0)),
    ("QsJh2h;0,5", dict(option="weight", given="0,5")),
    ("QsJh2h 12 13", dict(option="card", given="12")),
    ("QsJh2h -7", dict(option="card", given="-7")),
    (",9", dict(option="board", given=0)),
    ("9", dict(option="board", given=0)),
    (",", dict(option="board", given=0)),
]


@pytest.mark.parametrize(("line", "fields"), FILE_ERRORS)
def test_wrong_lines_of_board_files(line: str, fields: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"AsAhKs\n{line}\n")
    with refuses(FileFormatError, **fields):
        read_boards(file)


def test_weights_in_board_files(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(
        "# mine\nBoard;weight\nQs Jh 2h, .5\nQs Jh 2h : 1e3\nqsjh2h;2.;x\nQs Jh 2h 4\nQs,Jh, 2h\n"
    )
    assert read_boards(file) == [("QsJh2h", weight) for weight in (0.5, 1000, 2, 4, 1)]


@pytest.mark.parametrize(
    ("text", "boards"),
    [
        ("AhKd2c,QsJs4h", [("AhKd2c", 1), ("QsJs4h", 1)]),
        ("AhKd2c QsJs4h3d", [("AhKd2c", 1), ("QsJs4h3d", 1)]),
        ("Ah Kd 2c; Qs Js 4h", [("AhKd2c", 1), ("QsJs4h", 1)]),
        ("ahkd2c:2, QsJs4h : .5", [("AhKd2c", 2), ("QsJs4h", 0.5)]),
        ("Qs,Jh,2h", [("QsJh2h", 1)]),
        ("Qs Jh 2h", [("QsJh2h", 1)]),
        ("10h9h8h", [("Th9h8h", 1)]),
        (", ".join(["AhKd2c"] * 60), [("AhKd2c", 1)] * 60),  # longer than names of files
    ],
)
def test_boards_that_are_typed(text: str, boards: list[tuple[str, float]]) -> None:
    assert read_boards(text) == boards


@pytest.mark.parametrize("text", ["AhKd2c,QsJx4h", "AhKd2c:0", "AhKd2c,2", "AhKdKd,AhKd2c", "AhKd"])
def test_typed_boards_that_are_wrong(text: str) -> None:
    with pytest.raises(EquilibristError) as caught:
        read_boards(text)
    assert not isinstance(caught.value, FileFormatError)


@pytest.mark.parametrize(("boards", "fields"), [
    (["Ts3h2h5c9s", "3hTs2h9s5c"], dict(option="board", given="3hTs2h9s5c")),
    ([Board("Ts3h2h5c9s", -7)], dict(option="weight", given=-7, expected=POSITIVE)),
    ([Board("Ts3h2h5c9s", float("nan"))], dict(option="weight", given=float("nan"))),
    ([("Ts3h2h5c9s", 0)], dict(option="weight", given=0, expected=POSITIVE)),
    ([("Ts3h2h5c9s", "heavy")], dict(option="weight", given="heavy")),
    ([7], dict(option="board", given=7)),
    ([("Ts3h2h5c9s",)], dict(option="board", given="('Ts3h2h5c9s',)")),
    ([(7, 1)], dict(option="cards", given=7)),
])  # fmt: skip
def test_wrong_boards(boards: list[Any], fields: dict[str, Any], tmp_path: Path) -> None:
    with refuses(ConfigError, **fields):
        batch(RIVER, boards, tmp_path / "new", iterations=1)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("run", "kind", "fields"), [
    ({"algorithm": "dfcr"}, UnknownNameError, dict(option="algorithm", name="dfcr")),
    ({"algorithm": "hs-dcfr"}, ConfigError, dict(option="algorithm", given="hs-dcfr")),
    ({"storage": "float16"}, ConfigError, dict(option="storage", given="float16")),
    ({"threads": 0}, ConfigError, dict(option="threads", given=0)),
    ({"memory": 0}, ConfigError, dict(option="memory", given=0)),
])  # fmt: skip
def test_wrong_runs_leave_nothing_behind(
    run: dict[str, Any], kind: type[EquilibristError], fields: dict[str, Any], tmp_path: Path
) -> None:
    with refuses(kind, **fields):
        batch(RIVER, [RIVER.board], tmp_path / "new", iterations=1, **run)
    assert not (tmp_path / "new").exists()


def test_boards_that_do_not_fit_are_named_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second board has no suits that change places, so it takes more than the first."""
    boards = ["TsThTd5h", "Ts3s2h5d"]
    sizes = (estimate(TURN.replace(board=board)) for board in boards)
    least, most = (size.memory_bytes("float32") for size in sizes)
    assert least < most
    with monkeypatch.context() as patched:
        patched.delattr(SpotSolver, "run")
        with refuses(MemoryBudgetError, option="memory"):
            batch(TURN, boards, tmp_path / "new", memory=most - 1)
    assert not (tmp_path / "new").exists()
    batch(TURN, boards[:1], tmp_path / "new", iterations=1, memory=most - 1)


@given(st.text(st.sampled_from('QsJh2hTd9 ,;:.#e-+1\n\t"x[]'), max_size=40) | st.text(max_size=20))
def test_any_board_file(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "any-boards.txt"
    file.write_text(text, encoding="utf-8")
    with suppress(FileFormatError):
        boards = read_boards(file)
        assert all(0 < board.weight <= 1e9 for board in boards)
        assert len(boards) <= len(text.splitlines())
