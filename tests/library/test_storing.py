"""What stores solutions, and what cannot be kept."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from equilibrist import load_result
from equilibrist._jit.places import cache_root
from equilibrist.errors import ConfigError
from equilibrist.library import saving
from equilibrist.library.names import newest
from equilibrist.library.saving import default_stem
from equilibrist.poker.postflop.solving.solver import SpotSolver
from tests.cli.command import Shell
from tests.library.solving_lines import RIVER, TURN


def test_the_file_of_the_user_is_stored_as_well(shell: Shell, folder: Path) -> None:
    ran = shell("solve kuhn -n 30 --out mine.safetensors --json").ok()
    assert ran.json["solution_file"] == "mine.safetensors"
    (folder / "mine.safetensors").unlink()
    assert "30 iterations" in shell("inspect last").ok().out


def test_partial_results_are_stored(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    run = SpotSolver.run

    def interrupted(self: SpotSolver, iterations: int, /) -> None:
        run(self, iterations)
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(SpotSolver, "run", interrupted)
        ran = shell(f"postflop solve {TURN} --iterations 40")
    assert ran.code == 130
    assert "Solution saved as `last`" in ran.out
    solution = load_result(newest()[0])
    assert solution.stopped_by == "interrupted"
    assert 0 < solution.iterations < 40


def test_commands_that_solve_on_their_way_store_it(shell: Shell, folder: Path) -> None:
    shell("match cfr+ uniform --game kuhn").ok()
    ran = shell("play rps --seats ai,uniform --hands 1").ok()
    assert "saved as `last`" in ran.err
    ran = shell(f"postflop report {TURN} --iterations 5 --line X-X").ok()
    assert "saved as `last`" in ran.err
    listed = shell("last --json").json["solutions"]
    assert [one["game"] for one in listed] == ["Ts3h2h5c", "rock_paper_scissors", "kuhn"]
    assert not [*folder.iterdir()]
    again = shell("play rps --seats ai,uniform --hands 1").ok()
    assert "using the solution stored as `last-2`" in again.err


def taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "taken").write_text("a file, not a folder")
    monkeypatch.setenv("EQUILIBRIST_DATA_DIR", str(folder / "taken"))


def homeless(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(cache_root()))
    monkeypatch.delenv("EQUILIBRIST_DATA_DIR")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # no HOME, no entry for the user


@pytest.mark.parametrize("broken", [taken, homeless])
@pytest.mark.parametrize("line", ["solve kuhn -n 5", f"postflop solve {RIVER} --iterations 5"])
def test_a_data_folder_that_cannot_be_written_is_a_warning(
    shell: Shell,
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[Path, pytest.MonkeyPatch], None],
    line: str,
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    broken(folder, monkeypatch)
    before = {*folder.iterdir()}
    ran = shell(line).ok()
    first = ran.err.splitlines()[0]  # before the work
    assert first.startswith("warning: the solution will not be stored as `last`")
    assert "--out FILE" in first
    (saved,) = elsewhere.glob("equilibrist-*/solution.safetensors")
    assert f"saved as `{saved}`" in ran.out
    assert load_result(saved).iterations == 5
    ran = shell(f"{line} --out mine").ok()
    assert "will not be stored" not in ran.err
    assert "is not stored as `last`" in ran.err
    assert "saved to mine" in ran.out
    assert {*folder.iterdir()} - before == {folder / "mine"}
    shell("inspect last").refused(ConfigError, given="last")
    (folder / "mine").unlink()


def test_nothing_can_be_saved_anywhere(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(folder, monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(folder / "taken"))
    ran = shell("solve kuhn -n 5").ok()
    assert "exploitability" in ran.out
    assert "saved" not in ran.out
    assert ran.err.count("warning:") == 2


@pytest.mark.parametrize(("share", "kept"), [(1.0, "all"), (0.6, "no-rivers"), (0.0, None)])
def test_of_large_spots_the_streets_that_fit_are_kept(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, share: float, kept: str | None
) -> None:
    shell(f"postflop solve {TURN} --iterations 9 -q --out whole").ok()
    before = newest()
    whole: Any = load_result("whole")
    sizes = {
        streets: sum(array.nbytes for array in whole.parts(streets)[1].values())
        for streets in (1, 2)
    }
    room = {"all": sizes[2], "no-rivers": sizes[2] - 1, None: sizes[1] - 1}[kept]
    assert sizes[1] < sizes[2] * share or kept != "no-rivers"
    monkeypatch.setattr(saving, "LARGEST", room)
    ran = shell(f"postflop solve {TURN} --iterations 9").ok()
    if kept is None:
        assert newest() == before
        assert "is not stored as `last`" in ran.err
        assert "saved" not in ran.out
        return
    solution = load_result(newest()[0])
    assert solution.keep == kept
    assert solution.at("X-X|2c").line == "X-X|2c"
    assert ("without rivers" in ran.out) == (kept == "no-rivers")
    assert ("no-rivers" in shell("last").ok().out) == (kept == "no-rivers")


class Usage:
    """As `shutil.disk_usage` gives it."""

    def __init__(self, total: int, used: int, free: int) -> None:
        self.total, self.used, self.free = total, used, free


def test_a_disk_that_is_nearly_full_is_left_room(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**6, 10**6, 0))
    shell(f"postflop solve {TURN} --iterations 9 -q").ok()
    assert newest() == []


@pytest.mark.parametrize(
    ("game", "algorithm", "stem"),
    [
        ("leduc", "dcfr", "leduc-dcfr"),
        ("kuhn(players=3)", "hs-dcfr(15)", "kuhn-players-3-hs-dcfr-15"),
        ("../secret/rules", "cfr+", "rules-cfr+"),
        ("my game!", "mine/own", "my-game-own"),
        ("...", "dcfr", "unnamed-dcfr"),
    ],
)
def test_default_names_of_files(game: str, algorithm: str, stem: str) -> None:
    assert default_stem(game, algorithm) == stem


def test_long_names_are_shortened_without_becoming_the_same() -> None:
    one, other = (default_stem("matrix" + "0" * 300 + end, "dcfr") for end in "ab")
    assert len(one) <= 80
    assert one != other
