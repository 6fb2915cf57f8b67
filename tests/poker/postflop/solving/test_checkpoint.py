"""Checkpoints of spots: a run that goes on ends with the bits of one without a break."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import CheckpointError, ConfigError, OutputError
from equilibrist.poker import PostflopResult, Spot, resume, solve
from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.progress import Progress
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.storage.archive import write_archive
from equilibrist.storage.kinds.file_kinds import SPOT_CHECKPOINT
from equilibrist.storage.mapped_archive import MappedArchive
from tests.refusals import check_error, refuses

SPOT = Spot(
    board="QsJh2h7c", oop="AA,T9s:0.5", ip="KK,98s", pot=40, stack=90, bets="50%", raises="a"
)


def state_of(path: Path) -> dict[str, Any]:
    archive = MappedArchive(path, SPOT_CHECKPOINT)
    return {name: archive.read(name).tobytes() for name in archive.shapes()}


ANOTHER = "resume it, choose another name, or remove the file"
CUT_OFF = "it is damaged, cut off or not a file of Equilibrist"


def figures(solution: PostflopResult) -> tuple[Any, ...]:
    values = solution.at("X-X|7d").values
    return (solution.iterations, solution.mean_gain, *(each.tobytes() for each in values))


@pytest.mark.parametrize("variant", [None, "pcfr+", "dcfr(gamma=3)"])
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_the_same_bits(tmp_path: Path, storage: Any, variant: str | None) -> None:
    settings = {"storage": storage, "algorithm": variant}
    whole = solve(SPOT, iterations=33, checkpoint=tmp_path / "whole", **settings)
    part = solve(SPOT, iterations=14, checkpoint=tmp_path / "part", **settings)
    assert part.failure is None
    assert SpotCheckpoint(tmp_path / "part").iteration == 14
    rest = resume(tmp_path / "part", iterations=33, threads=2)
    assert figures(rest) == figures(whole)
    assert state_of(tmp_path / "part") == state_of(tmp_path / "whole")
    assert rest.seconds > part.seconds
    trace = SpotCheckpoint(tmp_path / "part").trace
    assert [point.iteration for point in trace] == [10, 20, 30]


def test_targets_are_met_where_they_would_be(tmp_path: Path) -> None:
    whole = solve(SPOT, target="0.5%")
    solve(SPOT, iterations=11, checkpoint=tmp_path / "a")
    assert figures(resume(tmp_path / "a", target="0.5%")) == figures(whole)
    assert resume(tmp_path / "a", target="0.5%").iterations == whole.iterations


def test_the_thousand_of_a_run_without_limits_may_be_past(tmp_path: Path) -> None:
    spot = SPOT.replace(board="QsJh2h7c3d", oop="AA", ip="KK")
    solve(spot, iterations=1003, checkpoint=tmp_path / "a")
    rest = resume(tmp_path / "a")
    assert rest.stopped_by == "target"
    assert 1003 < rest.iterations <= 2000


def test_to_another_file(tmp_path: Path) -> None:
    solve(SPOT, iterations=5, checkpoint=tmp_path / "a")
    before = (tmp_path / "a").read_bytes()
    resume(tmp_path / "a", iterations=8, checkpoint=tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == before
    assert SpotCheckpoint(tmp_path / "b").iteration == 8
    with refuses(CheckpointError, option="iteration", given=8, path=tmp_path / "b", remedy=ANOTHER):
        solve(SPOT, iterations=5, checkpoint=tmp_path / "b")
    with refuses(CheckpointError, option="iterations", given=7, expected=8):
        resume(tmp_path / "b", iterations=7)


def test_saving_now_and_then(tmp_path: Path) -> None:
    path = tmp_path / "a"
    seen: list[int] = []

    def look(_: Progress) -> bool | None:
        if path.exists():
            seen.append(SpotCheckpoint(path).iteration)
        return len(set(seen)) < 3

    solution = solve(SPOT, iterations=20_000, callbacks=look, checkpoint=path, checkpoint_every=0.0)
    assert solution.stopped_by == "callback"
    assert 0 < seen[0] < seen[-1] < 20_000
    assert SpotCheckpoint(path).iteration == solution.iterations


def test_own_variants_are_given_again(tmp_path: Path) -> None:
    mine = replace(VARIANTS["dcfr"], name="mine")
    solve(SPOT, iterations=7, algorithm=mine, checkpoint=tmp_path / "a")
    whole = solve(SPOT, iterations=12, algorithm="dcfr")
    with refuses(CheckpointError, option="algorithm", given="mine", path=tmp_path / "a"):
        resume(tmp_path / "a", iterations=12)
    with refuses(CheckpointError, option="algorithm", given="mine", expected="cfr+"):
        resume(tmp_path / "a", iterations=12, algorithm=VARIANTS["cfr+"])
    assert figures(resume(tmp_path / "a", iterations=12, algorithm=mine)) == figures(whole)


def test_a_full_disk_ends_the_run_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    solve(SPOT, iterations=5, checkpoint=path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(RuntimeWarning, match="the run ended there") as warned:
        solution = resume(path, iterations=10)
    check_error(
        solution.failure,
        OutputError,
        option="file",
        given="No space left on device",
        path=path,
        remedy="free some space, or choose another disk",
    )
    ended = f"{solution.failure}; the run ended there, at iteration 10"
    assert [str(each.message) for each in warned] == [ended]
    assert solution.iterations == 10
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    with pytest.warns(RuntimeWarning, match="the run ended there") as warned:
        stopped = resume(path, iterations=10_000, checkpoint_every=0.0)
    assert len(warned) == 1
    assert warned[0].filename == __file__
    assert stopped.stopped_by == "interrupted"
    assert stopped.iterations < 10_000


def test_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "a"
    start = "start without `resume` to make one"
    with refuses(CheckpointError, option="file", given=path, path=path, remedy=start):
        resume(path)
    solve(SPOT, iterations=5, checkpoint=path)
    content = path.read_bytes()
    path.write_bytes(b"")
    with refuses(CheckpointError, option="file", given="empty", path=path):
        resume(path)
    for length in (100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with refuses(CheckpointError, option="file", given=CUT_OFF, path=path):
            resume(path)
    path.write_bytes(content[:-100] + b"x" * 100)
    with refuses(CheckpointError, option="checksum", path=path):
        resume(path)
    with refuses(OutputError, option="file", given="it is a folder", path=tmp_path):
        solve(SPOT, iterations=5, checkpoint=tmp_path)
    with refuses(
        ConfigError, option="checkpoint_every", given=-1, expected="a number from 0 to 1e+09"
    ):
        solve(SPOT, iterations=5, checkpoint=tmp_path / "b", checkpoint_every=-1)
    path.write_bytes(content)
    archive = MappedArchive(path, SPOT_CHECKPOINT)
    header, arrays = archive.header, {name: archive.read(name) for name in archive.shapes()}
    count = arrays["regret"].size
    for change, fields in (
        (
            {"options": header["options"] | {"layout": "x"}},
            dict(option="layout", remedy="start a new run"),
        ),
        ({"algorithm": "cfr+"}, dict(option="algorithm", given="cfr+", expected="cfr+")),
        ({"iteration": -1}, dict(option="content")),
        ({"problem": {"spot": ""}}, dict(option="content")),
        (
            {"options": header["options"] | {"storage": "int16"}},
            dict(option="regret", given=f"float32 ({count},)", expected=f"int16 ({count},)"),
        ),
    ):
        write_archive(path, SPOT_CHECKPOINT, header | change, arrays, in_parts=True)
        with refuses(CheckpointError, path=path, **fields):
            resume(path)
    solve(SPOT, iterations=2).save(tmp_path / "solution")
    with refuses(
        CheckpointError, option="format", given="spot-solution", expected="spot-checkpoint"
    ):
        resume(tmp_path / "solution")
    with refuses(
        OutputError,
        option="out",
        given="spot-solution",
        expected="spot-checkpoint",
        remedy="choose another name",
    ):
        solve(SPOT, iterations=2, checkpoint=tmp_path / "solution")


@pytest.mark.slow
def test_a_killed_run_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "a"
    (tmp_path / "spot.toml").write_text(SPOT.to_toml())
    program = (
        "from equilibrist.poker import Spot, solve\n"
        f"solve(Spot.from_toml({str(tmp_path / 'spot.toml')!r}), iterations=10**6, "
        f"checkpoint={str(path)!r}, checkpoint_every=0)"
    )
    run = subprocess.Popen([sys.executable, "-c", program])
    try:
        while not path.exists() and run.poll() is None:
            time.sleep(0.02)
        time.sleep(0.2)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    reached = SpotCheckpoint(path).iteration
    whole = solve(SPOT, iterations=reached + 3)
    assert figures(resume(path, iterations=reached + 3)) == figures(whole)


def test_the_whole_solver_state_is_saved() -> None:
    solver = SpotSolver(SPOT)
    arrays = {id(array) for array in solver.engine.arena.solver_arrays().values()}
    assert {id(array) for array in solver.engine.arena.store} == arrays


@pytest.mark.parametrize(
    ("storage", "name"),
    [("float32", "dcfr(alpha=1.4,beta=0.2,gamma=5)"), ("int16", "dcfr-restarts")],
)
def test_the_default_has_a_name(tmp_path: Path, storage: Storage, name: str) -> None:
    path = tmp_path / "a"
    named = solve(SPOT, iterations=20, storage=storage, algorithm=name, checkpoint=path)
    assert figures(named) == figures(solve(SPOT, iterations=20, storage=storage))
    assert figures(resume(path, iterations=25, algorithm=name)) == figures(
        solve(SPOT, iterations=25, storage=storage)
    )
    with refuses(CheckpointError, option="algorithm", given=name, expected="dcfr"):
        resume(path, iterations=25, algorithm="dcfr")
