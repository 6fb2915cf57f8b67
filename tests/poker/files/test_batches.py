"""Batches: what is read and refused before the first board is solved, and locks board by board."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import EquilibristError, FileFormatError, MemoryBudgetError
from equilibrist.poker import batch, estimate, solve
from equilibrist.poker.files.batch import Board, read_boards
from equilibrist.poker.solving.solver import HoldemSolver
from equilibrist.poker.spots.lock import Lock
from equilibrist.poker.spots.resolved_locks import locks_on
from equilibrist.poker.spots.spot import Spot

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
    columns += ["exploitability_pct", "iterations", "seconds"]
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


FILE_ERRORS = [
    ("QsJh2h,-7", "the weight of QsJh2h is '-7'; expected a number from 0"),
    ("QsJh2h,abc", "the weight of QsJh2h is 'abc'"),
    ("QsJh2h,", "the weight of QsJh2h is ''"),
    ("QsJh2h, nan", "the weight of QsJh2h is 'nan'"),
    ("QsJh2h,1e999", "the weight of QsJh2h is inf"),
    ("QsJh2h,0", "the weight of QsJh2h is '0'; expected a number above 0"),
    ("QsJh2h;0,5", "the weight of QsJh2h is '0,5'"),
    ("QsJh2h 12 13", "no card begins with '1'"),
    ("QsJh2h -7", "no card begins with '-'"),
    (",9", "a board of 0 cards"),
    ("9", "a board of 0 cards"),
    (",", "a board of 0 cards"),
]


@pytest.mark.parametrize(("line", "message"), FILE_ERRORS)
def test_wrong_lines_of_board_files(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"AsAhKs\n{line}\n")
    with pytest.raises(FileFormatError) as caught:
        read_boards(file)
    assert f"boards.txt, line 2: {message}" in str(caught.value)


def test_weights_in_board_files(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(
        "# mine\n\nBoard;weight\nQs Jh 2h, .5\nQs Jh 2h : 1e3\nqsjh2h;2.;x\nQs Jh 2h 4\n"
    )
    assert read_boards(file) == [("QsJh2h", weight) for weight in (0.5, 1000, 2, 4)]


@pytest.mark.parametrize(("boards", "message"), [
    (["Ts3h2h5c9s", "3hTs2h9s5c"], "3hTs2h9s5c is among the boards twice, once as Ts3h2h5c9s"),
    ([Board("Ts3h2h5c9s", -7)], "the weight of Ts3h2h5c9s is -7"),
    ([Board("Ts3h2h5c9s", float("nan"))], "the weight of Ts3h2h5c9s is nan"),
    ([("Ts3h2h5c9s", 0)], "is 0; expected a number above 0"),
    ([("Ts3h2h5c9s", "heavy")], "is 'heavy'"),
    ([7], "a board is 7; expected text"),
    ([("Ts3h2h5c9s",)], "a board is ('Ts3h2h5c9s',); expected text"),
    ([(7, 1)], "cards are 7"),
])  # fmt: skip
def test_wrong_boards(boards: list[Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(EquilibristError) as caught:
        batch(RIVER, boards, tmp_path / "new", iterations=1)
    assert message in str(caught.value)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("run", "message"), [
    ({"variant": "dfcr"}, "unknown"),
    ({"variant": "hs-dcfr"}, "plans how many iterations"),
    ({"storage": "float16"}, "storage is 'float16'"),
    ({"storage": "float64"}, "storage is 'float64'"),
    ({"threads": 0}, "threads is 0"),
    ({"memory": 0}, "memory is 0"),
    ({"checkpoint": "file"}, "unknown argument of a batch 'checkpoint'"),
])  # fmt: skip
def test_wrong_runs_leave_nothing_behind(run: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(EquilibristError) as caught:
        batch(RIVER, [RIVER.board], tmp_path / "new", iterations=1, **run)
    assert message in str(caught.value)
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
        patched.delattr(HoldemSolver, "run")
        with pytest.raises(MemoryBudgetError, match="Ts3s2h5d: the spot takes"):
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
