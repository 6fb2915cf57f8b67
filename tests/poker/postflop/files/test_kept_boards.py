"""Solutions that a batch keeps: further lines without solving, and folders that are looked into."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, OutputError
from equilibrist.poker import batch
from equilibrist.poker.postflop.files.kept_boards import KeptBoards
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import refuses

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
    with refuses(ConfigError, option="lines", given="X", expected=[""]):
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
