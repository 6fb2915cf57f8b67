"""Solutions that a batch keeps: further lines without solving, and folders that are looked into."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    LineSyntaxError,
    OutputError,
    RangeSyntaxError,
)
from equilibrist.poker import batch
from equilibrist.poker.postflop.files.batch import BoardSolver
from equilibrist.poker.postflop.files.kept_boards import KeptBoards, board_rows, row_at
from equilibrist.poker.postflop.files.storage import load_spot
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.sampling.batches import Batch
from tests.refusals import refuses, unchecked

TURN = Spot(
    board="Ts3s2h5h", oop="AA,QQ,JTs", ip="KK,98s", pot=60, stack=90, bets="50%", raises="a"
)
BOARDS = ["Ts3s2h5h", "KsQd7c2c", "AsAdAcAh"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "study"
    batch(TURN, BOARDS, folder, iterations=4, keep="first-street")
    return folder


@pytest.fixture
def study(kept: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(kept, tmp_path / "study")


def test_a_batch_whose_boards_are_to_come_has_none_yet(study: Path) -> None:
    """That nothing was kept is said where boards are finished."""
    for file in (*study.glob("*.spot"), *study.glob("[KT]*.json")):
        file.unlink()
    with refuses(FileFormatError, option="keep"):
        KeptBoards.open(study)
    for file in study.glob("A*.json"):
        file.unlink()
    with refuses(FileFormatError, option="folder", path=study):
        KeptBoards.open(study)


def without_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def test_a_further_line_is_read_from_kept_boards(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ("X", "", "x-b30")
    expected = batch(TURN, BOARDS, tmp_path / "other", lines=lines, iterations=4)
    with monkeypatch.context() as patched:
        patched.delattr(SpotSolver, "run")
        report = batch(TURN, BOARDS, study, lines=lines, iterations=4, resume=True)
    assert without_times(report.rows) == without_times(expected.rows)
    shutil.rmtree(tmp_path / "other")
    for file in study.glob("*.spot"):  # what was read once stays in the rows
        file.unlink()
    again = batch(TURN, BOARDS, study, lines=("X-B30", "X"), iterations=4, resume=True)
    assert [row["line"] for row in again.rows] == ["X-B30"] * 4 + ["X"] * 4


def test_boards_that_were_not_kept_are_solved_again(tmp_path: Path) -> None:
    first = batch(TURN, BOARDS[:2], tmp_path, iterations=4)
    with refuses(ConfigError, option="lines", given=["X"], expected=[""]):
        batch(TURN, BOARDS[:2], tmp_path, lines=("X",), iterations=4, resume=True)
    second = batch(TURN, BOARDS[:2], tmp_path, iterations=4, resume=True, keep="all")
    assert without_times(first.rows) == without_times(second.rows)
    assert KeptBoards.open(tmp_path).boards == ("KsQd7c2c", "Ts3s2h5h")
    with refuses(ConfigError, option="keep", given="first-street", expected="all"):
        batch(TURN, BOARDS, tmp_path, iterations=4, resume=True, keep="first-street")
    batch(TURN, BOARDS, tmp_path, iterations=4, resume=True)  # goes on keeping
    assert len(KeptBoards.open(tmp_path).boards) == 3


def test_a_kept_solution_of_another_run_is_refused(study: Path, tmp_path: Path) -> None:
    batch(TURN, BOARDS[:1], tmp_path / "other", iterations=5, keep="all")
    file = study / f"{BOARDS[0]}.spot"
    file.write_bytes((tmp_path / "other" / file.name).read_bytes())
    with refuses(FileFormatError, option="file", path=file):
        batch(TURN, BOARDS, study, lines=("X",), iterations=4, resume=True)
    file.write_bytes(b"")
    with pytest.raises(FileFormatError):
        batch(TURN, BOARDS, study, lines=("X",), iterations=4, resume=True)


def test_what_is_refused_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(SpotSolver, "run")
    river = TURN.replace(board="Ts3s2h5h9c")
    with refuses(ConfigError, option="keep", given="no-rivers"):
        batch(river, [river.board], tmp_path / "new", iterations=1, keep="no-rivers")
    assert not (tmp_path / "new").exists()
    (tmp_path / f"{BOARDS[0]}.spot").write_text("mine")
    with pytest.raises(OutputError):
        batch(TURN, BOARDS, tmp_path, iterations=1, keep="all")
    assert [file.name for file in tmp_path.iterdir()] == [f"{BOARDS[0]}.spot"]


def test_settings_that_keep_something_else(study: Path) -> None:
    file = study / "batch.json"
    settings = json.loads(file.read_text())
    assert settings["keep"] == "first-street"
    file.write_text(json.dumps({**settings, "keep": "some"}))
    with refuses(FileFormatError, option="file", path=file):
        batch(TURN, BOARDS, study, iterations=4, resume=True)


def test_a_folder_is_looked_into(kept: Path, tmp_path: Path) -> None:
    boards = KeptBoards.open(kept)
    assert boards.file("2c7cQdKs") == kept / "KsQd7c2c.spot"
    row = boards.row("Ts3s2h5h", "X")
    node = boards.load("Ts3s2h5h").at("X")
    assert row["ev_oop"] == node.totals.ev[0]
    assert row["Bet 30 freq"] == node.frequency["Bet 30"]
    root = boards.load("Ts3s2h5h").at()
    assert row["frequency"] == pytest.approx(root.frequency["Check"])
    assert boards.row("Ts3s2h5h")["frequency"] == 1
    for line in ("", "X"):  # of the report, and of the solution
        assert boards.row("Ts3s2h5h", line) == row_at(boards.load("Ts3s2h5h"), line)
    with refuses(ConfigError, option="board", given="KhQc7d2d") as caught:
        boards.file("KhQc7d2d")
    assert "KsQd7c2c" in caught.value.remedy
    with refuses(ConfigError, option="board", given="KhQc7d2s"):
        boards.file("KhQc7d2s")
    with pytest.raises(LineSyntaxError):
        boards.row("Ts3s2h5h", "X-B31")
    with refuses(FileFormatError, option="folder"):
        KeptBoards.open(tmp_path)
    batch(TURN, BOARDS[:1], tmp_path, iterations=1)
    with refuses(FileFormatError, option="keep"):
        KeptBoards.open(tmp_path)
    (row,) = board_rows(tmp_path)  # of the report
    assert row["board"] == BOARDS[0]
    with refuses(ConfigError, option="line", given="X"):
        board_rows(tmp_path, "X")
    (tmp_path / "batch.json").write_text('{"strategy": "x", "seats": [0]}')
    with refuses(FileFormatError, option="folder"):
        board_rows(tmp_path)
    assert [row["board"] for row in board_rows(kept, "X")] == list(boards.boards)


def test_lines_of_a_folder_without_solutions(tmp_path: Path) -> None:
    """In any notation; one that cannot be played is no line that was not kept."""
    batch(TURN, BOARDS[:2], tmp_path / "plain", lines=("X",), iterations=2)
    rows = board_rows(tmp_path / "plain", "X")
    for line in ("x", "r:0:c"):
        assert board_rows(tmp_path / "plain", line) == rows
    for line in ("X-B31", "X-X|2c"):
        with refuses(LineSyntaxError, option="line"):
            board_rows(tmp_path / "plain", line)
    with refuses(ConfigError, option="line", given=""):
        board_rows(tmp_path / "plain")


def test_columns_of_hands_are_added_later(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From kept boards, with the numbers of a batch that began with them."""
    hands, lines = ("QQ", "AA"), ("", "X")
    expected = batch(TURN, BOARDS, tmp_path / "other", lines=lines, hands=hands, iterations=4)
    with monkeypatch.context() as patched:
        patched.delattr(SpotSolver, "run")
        batch(TURN, BOARDS, study, hands=("JTs",), iterations=4, resume=True)
        report = batch(TURN, BOARDS, study, lines=lines, hands=hands, iterations=4, resume=True)
        again = batch(TURN, BOARDS, study, hands=("AA", "JTs"), iterations=4, resume=True)
    assert repr(without_times(report.rows)) == repr(without_times(expected.rows))
    assert [name for name in again.rows[0] if name.startswith("JTs")] == [
        "JTs share", "JTs ev", "JTs Check freq", "JTs Bet 30 freq",
    ]  # fmt: skip
    solution = KeptBoards.open(study).load("KsQd7c2c")
    node = solution.at()
    row = next(row for row in report.rows if row["board"] == "KsQd7c2c" and row["line"] == "")
    classes = node.classes(0)
    assert row["AA Check freq"] == pytest.approx(classes.strategy[0, 0, 0])
    assert row["AA ev"] == pytest.approx(classes.ev[0, 0])
    (total,) = (row for row in report.rows if row["board"] == "all" and row["line"] == "")
    boards = [row for row in report.rows if row["line"] == "" and row["board"] != "all"]
    weights = [row["frequency"] * row["QQ share"] for row in boards]
    mean = sum(w * row["QQ ev"] for w, row in zip(weights, boards, strict=True)) / sum(weights)
    assert total["QQ ev"] == pytest.approx(mean)
    with refuses(RangeSyntaxError, option="range", given="AZ"):
        batch(TURN, BOARDS, study, hands=("AZ",), iterations=4, resume=True)
    with refuses(ConfigError, option="hands"):
        batch(TURN, BOARDS, study, hands=unchecked("AA"), iterations=4, resume=True)


def test_executors_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(SpotSolver, "run")
    with refuses(ConfigError, option="executor", given="threads"):
        batch(TURN, BOARDS, tmp_path / "new", iterations=1, executor="threads")
    with refuses(ConfigError, option="address", given="auto"):
        batch(TURN, BOARDS, tmp_path / "new", iterations=1, address="auto")
    with refuses(ConfigError, option="address", given="nowhere"):
        batch(TURN, BOARDS, tmp_path / "new", iterations=1, executor="ray", address="nowhere")
    assert not (tmp_path / "new").exists()


def test_what_a_cluster_is_given_can_be_sent(tmp_path: Path) -> None:
    """A task of a cluster returns what this process would write."""
    run = {"iterations": 4, "target": None, "seconds": None, "storage": None, "algorithm": None}
    solver = BoardSolver(TURN, ("", "X"), ("AA",), "first-street", tuple(BOARDS), run)
    results, content = pickle.loads(pickle.dumps(solver)).gain(None, Batch(1, 1), 1.0)
    expected = batch(
        TURN, BOARDS, tmp_path, lines=("", "X"), hands=("AA",), iterations=4, keep="first-street"
    )
    assert [row["line"] for row in results["rows"]] == ["", "X"]
    assert results["rows"][0]["ev_oop"] == expected.rows[1]["ev_oop"]
    (tmp_path / "sent.spot").write_bytes(content)
    sent, kept = (load_spot(tmp_path / name) for name in ("sent.spot", "KsQd7c2c.spot"))
    assert np.array_equal(sent.at().values.ev, kept.at().values.ev, equal_nan=True)


@pytest.mark.slow
def test_a_ray_cluster_solves_the_same(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    run: dict[str, Any] = {"iterations": 4, "keep": "first-street"}
    there = batch(TURN, BOARDS, tmp_path, executor="ray", threads=2, **run)
    here = batch(TURN, BOARDS, kept, iterations=4, resume=True)
    assert without_times(there.rows) == without_times(here.rows)
    assert KeptBoards.open(tmp_path).boards == KeptBoards.open(kept).boards


def test_files_of_other_boards_and_damaged_ones_are_not_taken(study: Path) -> None:
    kept = KeptBoards.open(study)
    shutil.copy(kept.file("KsQd7c2c"), kept.file("Ts3s2h5h"))
    file = str(kept.file("Ts3s2h5h"))
    with refuses(FileFormatError, given="KsQd7c2c", expected="Ts3s2h5h", place=file) as caught:
        kept.load("Ts3s2h5h")
    assert "--keep" in str(caught.value.remedy)
    kept.file("Ts3s2h5h").write_text("damaged")
    with refuses(FileFormatError, place=file) as caught:
        kept.load("Ts3s2h5h")
    assert "--keep" in str(caught.value.remedy)
