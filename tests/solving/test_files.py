"""What `solve` writes, and what becomes of it when it cannot be written."""

from __future__ import annotations

import errno
import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    OutputError,
)
from equilibrist.results import Result
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solving import Files, solve
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.solve_options import grouped
from tests.solving.comparing import same


@pytest.mark.slow
def test_requested_files_are_written(kuhn: GameTree, tmp_path: Path) -> None:
    out, plot = tmp_path / "s", tmp_path / "p.svg"
    result = solve(kuhn, iterations=20, files=Files(out=out, plot=str(plot)))
    assert result.solution_file == out
    assert result.to_dict()["solution_file"] == str(out)
    loaded = Result.load(out)
    assert loaded.to_dict() == json.loads(json.dumps(result.to_dict()))
    assert loaded.config["out"] == str(out)
    ET.parse(plot)
    again = solve(kuhn, iterations=20, files=Files(plot=tmp_path / "q.svg"))
    assert (tmp_path / "q.svg").read_bytes() == plot.read_bytes()
    assert again.plot(tmp_path / "r.svg").read_bytes() == plot.read_bytes()


@pytest.mark.parametrize("option", ["out", "plot", "checkpoint"])
def test_unwritable_files_are_refused_before_anything_is_computed(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compute(*_: object, **__: object) -> None:
        raise AssertionError("it started")

    def solve_with(option: str, path: Any) -> None:
        solve("kuhn", **grouped({option: path}))

    monkeypatch.setattr("equilibrist.solving.explicit.compile_game", compute)
    name = tmp_path / "missing" / "a.svg"
    with refuses(OutputError, option="folder"):
        solve_with(option, name)
    (tmp_path / "b.svg").mkdir()
    with refuses(OutputError, option="file", path=tmp_path / "b.svg"):
        solve_with(option, tmp_path / "b.svg")
    if option != "plot":
        (tmp_path / "c").write_text("mine")
        kind = "solution" if option == "out" else option
        with refuses(OutputError, option="out", expected=kind, path=tmp_path / "c"):
            solve_with(option, tmp_path / "c")
        assert (tmp_path / "c").read_text() == "mine"


class FullDisk:
    """From the n-th write on the disk is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self.left = after
        self.sync = os.fsync
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, handle: int) -> None:
        if self.left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.left -= 1
        self.sync(handle)


def test_a_full_disk_at_the_end_loses_neither_result(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The earlier solution stays, the new one goes to the folder for temporary files."""
    earlier = solve(kuhn, iterations=5, files=Files(out=tmp_path / "s"))
    real = Path.replace

    def full(self: Path, target: Path) -> Path:
        if Path(target).name == "s":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, target)

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "replace", full)
    with refuses(OutputError, option="file", given="No space left on device"):
        solve(kuhn, iterations=50, files=Files(out=tmp_path / "s"))
    monkeypatch.undo()
    assert Result.load(tmp_path / "s").strategy.probabilities.tobytes() == (
        earlier.strategy.probabilities.tobytes()
    )
    (saved,) = tmp_path.glob("equilibrist-*/solution.safetensors")
    assert Result.load(saved).iterations == 50


def test_a_full_disk_everywhere_is_still_one_error(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    FullDisk(monkeypatch, 0)
    path = tmp_path / "s"
    with refuses(OutputError, option="file", given="No space left on device", path=path) as caught:
        solve(kuhn, iterations=5, files=Files(out=path))
    assert str(caught.value).endswith(
        "free some space, or choose another disk"
    )  # and nothing was saved instead
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_ends_the_run_with_what_it_has(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "c"
    FullDisk(monkeypatch, 5)  # two whole checkpoints (file and folder), then no more
    with refuses(OutputError, option="file", given="No space left on device"):
        solve(kuhn, iterations=10**9, files=Files(checkpoint=path, checkpoint_every=0.0))
    monkeypatch.undo()
    reached = CFR(kuhn).resume(path).iteration
    assert reached > 0
    resumed = solve(kuhn, iterations=reached + 50, files=Files(resume=path))
    assert same(resumed, solve(kuhn, iterations=reached + 50))
