"""Runs that are saved, resumed and refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    CheckpointError,
    OutputError,
)
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solving import Files, methods, solve
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.solve_options import grouped
from tests.solving.comparing import same


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr", "pcfr+"])
def test_a_resumed_run_is_the_same_run(kuhn: GameTree, tmp_path: Path, algorithm: str) -> None:
    path = tmp_path / "c"
    straight = solve(kuhn, algorithm, iterations=900)
    for count in (1, 333, 700):
        part = solve(
            kuhn, algorithm, iterations=count, files=Files(checkpoint=path, resume=path.exists())
        )
        assert part.iterations == count
    resumed = solve(kuhn, algorithm, iterations=900, files=Files(resume=path))
    assert same(resumed, straight)
    assert resumed.notes == (f"Resumed from {path} at iteration 700.",)
    assert resumed.seconds > part.seconds
    assert CFR(kuhn, algorithm).resume(path).iteration == 900  # it went on saving


def test_a_resumed_run_stops_at_the_same_target(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    straight = solve(kuhn, target=1e-4)
    solve(kuhn, iterations=straight.iterations // 2, files=Files(checkpoint=path))
    resumed = solve(kuhn, target=1e-4, files=Files(checkpoint=path, resume=True))
    assert same(resumed, straight)
    over = solve(kuhn, target=1e-4, files=Files(checkpoint=path, resume=True))
    assert same(over, straight)


def test_a_copy_may_be_resumed_under_another_name(kuhn: GameTree, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    solve(kuhn, iterations=30, files=Files(checkpoint=one))
    before = one.read_bytes()
    resumed = solve(kuhn, iterations=60, files=Files(resume=one, checkpoint=other))
    assert same(resumed, solve(kuhn, iterations=60))
    assert one.read_bytes() == before
    assert CFR(kuhn).resume(other).iteration == 60


def test_an_earlier_run_is_never_overwritten(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    solve(kuhn, iterations=30, files=Files(checkpoint=path))
    before = path.read_bytes()
    other = tmp_path / "d"
    solve(kuhn, iterations=3, files=Files(checkpoint=other))
    places: list[dict[str, Any]] = [{"checkpoint": path}, {"resume": other, "checkpoint": path}]
    for options in places:
        with refuses(CheckpointError, option="iteration", given=30):
            solve(kuhn, iterations=500, **grouped(options))
    path.write_bytes(before[:-1])
    with refuses(OutputError, option="out", expected="checkpoint"):
        solve(kuhn, iterations=500, files=Files(checkpoint=path))
    assert path.read_bytes() == before[:-1]


def test_a_link_to_the_resumed_file_is_the_same_file(kuhn: GameTree, tmp_path: Path) -> None:
    path, link = tmp_path / "c", tmp_path / "link"
    solve(kuhn, iterations=30, files=Files(checkpoint=path))
    link.symlink_to(path)
    assert solve(kuhn, iterations=40, files=Files(resume=path, checkpoint=link)).iterations == 40
    assert CFR(kuhn).resume(path).iteration == 40


def test_a_checkpoint_beyond_the_end_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    solve(kuhn, iterations=30, files=Files(checkpoint=tmp_path / "c"))
    with refuses(CheckpointError, option="iterations", given=20, expected=30):
        solve(kuhn, iterations=20, files=Files(resume=tmp_path / "c"))


def test_checkpoints_of_other_runs_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "c"
    solve(kuhn, "hs-dcfr", iterations=30, files=Files(checkpoint=path))
    before = path.read_bytes()
    for game, options, option, given, expected in (
        ("leduc", {}, "game", "kuhn", "leduc"),
        (kuhn, {"algorithm": "dcfr"}, "algorithm", "hs-dcfr", "dcfr"),
        (kuhn, {"alternating": False}, "alternating", True, False),
        (kuhn, {"iterations": 40}, "horizon", 30, 40),
        (kuhn, {"output": "last"}, "output", "average", "last"),
    ):
        settings: dict[str, Any] = {"algorithm": "hs-dcfr", "iterations": 30} | options
        with refuses(CheckpointError, option=option, given=given, expected=expected, path=path):
            solve(game, **grouped(settings, resume=path))
    assert path.read_bytes() == before


def test_damaged_and_missing_checkpoints_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    with refuses(CheckpointError, option="file", given=tmp_path / "none"):
        solve(kuhn, files=Files(resume=True, checkpoint=tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "bad").write_bytes(b"\0" * 100)
    with refuses(CheckpointError, option="file", path=tmp_path / "bad"):
        solve(kuhn, files=Files(resume=tmp_path / "bad"))


def test_a_checkpoint_of_other_versions_is_resumed_with_a_warning(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(methods, "versions", lambda: {"equilibrist": "0.0.1", "numpy": "1"})
    solve(kuhn, iterations=30, files=Files(checkpoint=tmp_path / "c"))
    monkeypatch.undo()
    notes = solve(kuhn, iterations=40, files=Files(resume=tmp_path / "c")).notes
    assert "written with equilibrist 0.0.1, numpy 1" in notes[1]


def test_there_is_a_checkpoint_before_the_first_iteration(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(methods, "Loop", stop)
    with pytest.raises(RuntimeError, match="killed"):
        solve(kuhn, iterations=30, files=Files(checkpoint=tmp_path / "c"))
    monkeypatch.undo()
    resumed = solve(kuhn, iterations=30, files=Files(checkpoint=tmp_path / "c", resume=True))
    assert same(resumed, solve(kuhn, iterations=30))
