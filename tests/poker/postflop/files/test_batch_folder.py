"""The folder of a batch: damaged files, files of another batch, processes that are killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError, OutputError
from equilibrist.poker import batch
from equilibrist.poker.postflop.files import batch_folder
from equilibrist.poker.postflop.files.batch_folder import BatchFolder
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import check_error, refuses

RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK,54s", pot=100, stack=100, bets="50%,a")
BOARDS = ["Ts3h2h5c9s", "AsAhAdAc2c", "KsQd2c3c7h"]
SETTINGS = "batch.json"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all boards; tests put back what they change."""
    folder = tmp_path_factory.mktemp("finished") / "study"
    batch(RIVER, BOARDS, folder, iterations=2)
    return folder


def resumed(folder: Path) -> list[dict[str, Any]]:
    return batch(RIVER, BOARDS, folder, iterations=2, resume=True).rows


WHOLE = [
    "{}", "[]", "7", "null", '"skipped"', '{"rows": []}', '{"skipped": 1}', '{"skipped": "no"}',
    '{"checksum": null}', "[" * 100_000, '{"x":' * 500 + "1" + "}" * 500, "\udc80",
]  # fmt: skip


@pytest.mark.parametrize("content", WHOLE)
@pytest.mark.parametrize("name", [f"{BOARDS[1]}.json", SETTINGS])
def test_files_that_no_batch_wrote(name: str, content: str, finished: Path) -> None:
    file = finished / name
    before = file.read_bytes()
    try:
        file.write_bytes(content.encode("utf-8", "surrogateescape"))
        with pytest.raises(EquilibristError) as caught:
            resumed(finished)
        if name != SETTINGS:
            check_error(caught.value, FileFormatError, option="file", path=file)
            assert caught.value.remedy
    finally:
        file.write_bytes(before)


@given(st.data())
def test_any_change_of_a_file_is_found(finished: Path, data: st.DataObject) -> None:
    """A file is cut, or bytes of it are changed: it says the same, or it is refused."""
    name = data.draw(st.sampled_from([*(f"{board}.json" for board in BOARDS), SETTINGS]))
    file = finished / name
    before = file.read_bytes()
    place = data.draw(st.integers(0, len(before) - 1))
    end = data.draw(st.sampled_from([place, place + 1, len(before)]))
    changed = before[:place] + data.draw(st.binary(max_size=2)) + before[end:]
    try:
        same = bool(json.loads(changed) == json.loads(before))
    except ValueError:
        same = False
    try:
        file.write_bytes(changed)
        if same:  # 2 may have become 2.0, which is refused
            with suppress(FileFormatError):
                resumed(finished)
        else:
            with pytest.raises(EquilibristError if name == SETTINGS else FileFormatError):
                resumed(finished)
    finally:
        file.write_bytes(before)


def test_what_is_removed_is_solved_again(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = resumed(finished)
    (finished / SETTINGS).unlink()
    (finished / f"{BOARDS[1]}.json").unlink()
    ran = []
    run = SpotSolver.run

    def recorded(solver: SpotSolver, iterations: int, /) -> None:
        ran.append(solver.spot.board)
        run(solver, iterations)

    monkeypatch.setattr(SpotSolver, "run", recorded)
    again = resumed(finished)
    assert set(ran) == {BOARDS[1]}
    for row in (*rows, *again):
        row.pop("seconds")
    assert again == rows


def test_files_of_other_boards_and_batches_are_refused(finished: Path, tmp_path: Path) -> None:
    first, second = (f"{board}.json" for board in BOARDS[:2])
    batch(RIVER, BOARDS[:1], tmp_path, iterations=2)
    (tmp_path / second).write_bytes((finished / first).read_bytes())
    with refuses(FileFormatError, option="file"):
        resumed(tmp_path)
    (tmp_path / second).write_bytes((finished / second).read_bytes())
    assert len(resumed(tmp_path)) == 4
    for file in tmp_path.iterdir():
        if file.name != second:
            file.unlink()
    with refuses(FileFormatError, option="file"):
        batch(RIVER, BOARDS, tmp_path, iterations=3)
    assert [file.name for file in tmp_path.iterdir()] == [second]


def test_the_order_of_locks_is_a_setting(tmp_path: Path) -> None:
    locks = [
        {"line": "", "hands": {"AA": {"Check": 1}, "AA,QQ": {"Check": 0}}},
        {"line": "", "hands": {"AA,QQ": {"Check": 0}, "AA": {"Check": 1}}},
    ]
    batch(RIVER.replace(locks=locks[:1]), BOARDS[:1], tmp_path, iterations=2)
    with refuses(ConfigError, option="locks", given="[': AA,QQ = Check 0; AA = Check 1']"):
        batch(RIVER.replace(locks=locks[1:]), BOARDS, tmp_path, iterations=2, resume=True)


def test_a_folder_that_another_program_holds_stays_as_it_is(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its plan, too, which says what is resumed."""
    monkeypatch.setattr(batch_folder, "_PATIENCE", 0.0)
    before = (finished / SETTINGS).read_bytes()
    with BatchFolder.found(finished).held(), refuses(ConfigError, option="folder"):
        batch(RIVER, BOARDS[:1], finished, iterations=2, resume=True)
    assert (finished / SETTINGS).read_bytes() == before


def test_a_batch_that_another_program_begins_first_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = BatchFolder.held
    other = BatchFolder(tmp_path, {"pot": 7})

    def later(place: BatchFolder) -> Any:
        other.prepare()
        return held(place)

    monkeypatch.setattr(BatchFolder, "held", later)
    with refuses(ConfigError, option="folder"):
        batch(RIVER, BOARDS[:1], tmp_path, iterations=2)
    assert BatchFolder.found(tmp_path).settings == other.settings


@pytest.mark.parametrize("name", ["file/study", "a" * 300, "null\0"])
def test_folders_that_cannot_be(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refuses(OutputError, option="folder", path=tmp_path / name):
        batch(RIVER, BOARDS, tmp_path / name, iterations=2)


KILLED = """
import os, signal, sys
from pathlib import Path
from equilibrist.poker import Spot, batch
from equilibrist.poker.postflop.solving.solver import SpotSolver

folder, when, killed, spot, *boards = sys.argv[1:]
run, replace = SpotSolver.run, Path.replace

def running(solver, iterations):
    run(solver, iterations)
    if when == "solving" and solver.spot.board == killed:
        os.kill(os.getpid(), signal.SIGKILL)

def naming(file, target):
    if when == "writing" and target.name == killed + ".json":
        os.truncate(file, file.stat().st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(file, target)

SpotSolver.run, Path.replace = running, naming
batch(Spot.from_toml(spot), boards, folder, iterations=2, resume=True)
"""


@pytest.mark.slow
def test_what_is_finished_outlives_a_kill(finished: Path, tmp_path: Path) -> None:
    """Killed in the middle of the second board, then while the second and third are written."""
    spot, folder = tmp_path / "spot.toml", tmp_path / "study"
    spot.write_text(RIVER.to_toml())
    names = [f"{board}.json" for board in BOARDS]
    for when, place in (("solving", 1), ("writing", 1), ("writing", 2)):
        command: list[str | Path] = [
            sys.executable,
            "-c",
            KILLED,
            folder,
            when,
            BOARDS[place],
            spot,
            *BOARDS,
        ]
        ran = subprocess.run(command, capture_output=True, check=False)
        assert ran.returncode == -signal.SIGKILL, ran.stderr.decode()
        whole = {file.name for file in folder.iterdir() if file.suffix == ".json"}
        assert whole == {SETTINGS, *names[:place]}
        assert any(file.suffix == ".partial" for file in folder.iterdir()) == (when == "writing")
    rows, straight = resumed(folder), resumed(finished)
    for row in (*rows, *straight):
        row.pop("seconds")
    assert rows == straight


@pytest.mark.parametrize(
    ("rake", "now", "earlier"),
    [
        (0, "exploitability_percent", "exploitability_pct"),
        (0.05, "mean_gain_percent", "mean_gain_pct"),
        (0.05, "mean_gain_percent", "exploitability_pct"),
    ],
)
def test_a_folder_of_an_earlier_version(
    rake: float, now: str, earlier: str, tmp_path: Path
) -> None:
    """Its boards have the frequency error and the measure by other names."""
    spot = RIVER.replace(locks=[": frequency = All-in 60%"], rake=rake)
    new, old = tmp_path / "new", tmp_path / "old"
    rows = batch(spot, BOARDS[:1], new, iterations=2).rows
    assert rows[0]["frequency_error"] > 0
    folder = BatchFolder.found(new)
    settings, found = folder.settings, folder.read(BOARDS[0])
    found[earlier] = found.pop(now)
    found["missed_frequency"] = found.pop("frequency_error")
    earlier_folder = BatchFolder(old, settings)
    earlier_folder.prepare()
    earlier_folder.write(BOARDS[0], found)
    assert batch(spot, BOARDS[:1], old, iterations=2, resume=True).rows == rows
