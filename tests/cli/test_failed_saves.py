"""What cannot be saved: the result is shown, and nothing earlier is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import OutputError
from equilibrist.library.names import newest
from equilibrist.results import Result
from tests.cli.command import Shell


def test_what_cannot_be_saved_is_still_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk may fill while a long run runs: its result must not be lost."""
    from equilibrist.solving import Result

    def full(self: Result, path: Path) -> Result:
        raise OutputError(f"cannot write {path}: No space left on device", path)

    monkeypatch.setattr(Result, "save", full)
    for options, code in (("", 0), ("--out a.safetensors", 2)):
        ran = shell(f"solve kuhn -n 50 {options}")
        assert ran.code == code
        assert "No space left on device" in ran.err
        assert "player 0  -0.05" in ran.out
        assert "saved" not in ran.out
        ran = shell(f"solve kuhn -n 50 --json {options}")
        assert ran.code == code
        assert ran.json["solution_file"] is None


def test_a_file_that_fails_is_not_said_to_be_saved(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk of --out is full, that of the data folder is not."""
    save = Result.save

    def full(self: Result, path: Path) -> Path:
        if Path(path).name == "a.safetensors":
            raise OutputError(f"cannot write {path}: No space left on device", path)
        return save(self, path)

    monkeypatch.setattr(Result, "save", full)
    ran = shell("solve kuhn -n 50 --out a.safetensors")
    assert ran.code == 2
    assert "a.safetensors" not in ran.out
    assert "Solution saved as `last`" in ran.out
    assert Result.load(newest()[0]).iterations == 50


@pytest.mark.parametrize(
    "options", ["--out mine.safetensors --json", "--json", "--out mine.safetensors"]
)
def test_a_checkpoint_that_fails_costs_no_result(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    """The first checkpoint is written, the next is not: the run ends with what it has."""
    from equilibrist.solvers.run.checkpoint import save_checkpoint
    from equilibrist.solving import methods

    written: list[int] = []

    def full(path: Path, *arguments: Any, **others: Any) -> None:
        if written:
            raise OutputError(f"cannot write {path}: No space left on device", path)
        written.append(1)
        save_checkpoint(path, *arguments, **others)

    monkeypatch.setattr(methods, "save_checkpoint", full)
    ran = shell(f"solve kuhn -n 1e9 --checkpoint run.ckpt --checkpoint-every 0.001 {options}")
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    file = "mine.safetensors" if "mine" in options else "last"
    assert "run.ckpt: No space left on device; the run stopped there" in ran.err
    assert f"its solution is in {file}" in ran.err
    path = newest()[0] if file == "last" else Path(file)
    saved = Result.load(path)
    assert 0 < saved.iterations < 10**9
    assert saved.config["out"] == (file if "mine" in options else None)
    if "--json" in options:
        assert ran.json["iterations"] == saved.iterations
        assert ran.json["solution_file"] == str(path)
    else:
        assert f"Solution saved to {file}" in ran.out


@pytest.mark.by_default(1)
@pytest.mark.parametrize("options", ["", "--json"])
def test_a_disk_that_is_full_at_the_end_costs_nothing(
    shell: Shell,
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    options: str,
) -> None:
    """Solution, picture and checkpoint fail: all of them stay as they were, and all is shown."""
    shell("solve kuhn -n 5 -q --out a.safetensors --plot a.svg --checkpoint run.ckpt").ok()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("elsewhere")))
    monkeypatch.setattr("os.fsync", full)
    ran = shell(f"solve kuhn -n 50 -q --resume run.ckpt --out a.safetensors --plot a.svg {options}")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert ran.code == 2
    assert ran.err.count("error:") == 1
    for name in before:
        assert f"{name}: No space left on device" in ran.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    if options:
        assert ran.json["iterations"] == 50
        assert len(ran.json["strategy"]) == 12
        assert ran.json["solution_file"] is None
    else:
        assert ran.out.startswith("kuhn: 50 iterations of dcfr")
        assert "\n  K " in ran.out
        assert "saved" not in ran.out
    shell("solve kuhn -n 50 -q --resume run.ckpt").ok()


def test_what_cannot_go_to_out_goes_elsewhere(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "mine.safetensors":
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(Path, "replace", full)
    ran = shell("solve kuhn -n 20 --out mine.safetensors --plot a.svg")
    assert ran.code == 2
    assert "the solution was saved as" in ran.err
    assert "Convergence drawn to a.svg" in ran.out
    (saved,) = folder.glob("equilibrist-*/solution.safetensors")
    assert Result.load(saved).iterations == 20
