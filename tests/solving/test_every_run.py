"""What all runs have in common, whatever they solve: limits, Ctrl-C, callbacks, and resuming."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.poker import (
    CardBuckets,
    Hand,
    build_card_buckets,
    push_fold,
    solve_multiway,
    solve_preflop,
)
from equilibrist.poker.blueprint import resume_blueprint, train_blueprint
from equilibrist.progress import Progress
from equilibrist.solvers.run.header import RunHeader
from equilibrist.storage.archive import header_of, kind_of, open_archive, write_archive
from tests.poker.postflop.spot.spots import RIVER
from tests.refusals import refuses
from tests.solve_options import grouped

EXACT = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
NO_BOARD = Hand(seats=3, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")
TRAINED = Hand(stacks="6/5", bets="100%,a", raises="100%,a", ante=0.1, deck="T")
ENDLESS = {"iterations": 10**9, "deals": 10**9}
"""Limits that no run of these tests reaches."""


@dataclass(frozen=True)
class Run:
    """A problem that is solved by a run.

    Attributes:
        start: Solves it; takes limits, callbacks and a checkpoint.
        resume: Resumes a checkpoint; takes limits and callbacks.
        bits: What of its result has to be the same.
        count: Which limit counts: iterations or deals.
        target: A target that is soon reached; None where nothing is measured while it runs.
    """

    start: Callable[..., Any]
    resume: Callable[..., Any]
    bits: Callable[[Any], bytes]
    count: str = "iterations"
    target: float | str | None = None


def by_resume(start: Callable[..., Any]) -> Callable[..., Any]:
    """Resumes by the same function as it is started."""
    return lambda path, **options: start(resume=path, **options)


def probabilities(result: Any) -> bytes:
    content: bytes = result.strategy.probabilities.tobytes()
    return content


def train(**options: Any) -> Any:
    return train_blueprint(TRAINED, cards_of["path"], batch=8, seed=5, threads=1, **options)


def resume_training(path: Path, **options: Any) -> Any:
    return resume_blueprint(path, threads=1, **options)


def solve(problem: Any, algorithm: str | None = None, **options: Any) -> Any:
    return eq.solve(problem, algorithm, **grouped(options))


cards_of: dict[str, Path] = {}
game = partial(solve, "leduc", "cfr+")
sampled = partial(solve, "kuhn", sampler="external")
treeless = partial(solve, "rules:liars_dice(sides=2)", explicit_tree=False)
spot = partial(solve, RIVER, threads=1)
exact = partial(solve_preflop, EXACT, threads=1)
multiway = partial(solve_multiway, NO_BOARD, threads=1)
pushes = partial(push_fold, 10, seats=3, threads=1)
RUNS = {
    "game": Run(game, by_resume(game), probabilities, target=0.5),
    "sampled game": Run(sampled, by_resume(sampled), probabilities, target=0.5),
    "game without a tree": Run(
        treeless, by_resume(treeless), lambda r: r.strategy.fingerprint.encode()
    ),
    "spot": Run(spot, by_resume(spot), lambda r: f"{r.mean_gain!r} {r.ev!r}".encode(), target="9%"),
    "hand": Run(
        exact,
        by_resume(exact),
        lambda r: b"".join(array.tobytes() for array in r.strategies.values()),
        target="40mbb",
    ),
    "multiway": Run(multiway, by_resume(multiway), lambda r: r.strategy.tobytes(), "deals"),
    "push or fold": Run(
        pushes,
        by_resume(pushes),
        lambda r: b"".join(chart.frequencies.tobytes() for chart in r.charts),
        "deals",
    ),
    "blueprint": Run(train, resume_training, lambda r: r.bucket_probabilities(0).tobytes()),
}


@pytest.fixture(scope="module", autouse=True)
def cards(tmp_path_factory: pytest.TempPathFactory) -> CardBuckets:
    path = tmp_path_factory.mktemp("cards") / "c.safetensors"
    cards_of["path"] = path
    return build_card_buckets(
        "all/20/20/10", path, lowest_rank=8, restarts=1, passes=5, sample=2000, threads=1
    )


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest) -> Run:
    return RUNS[request.param]


def fact(result: Any, name: str) -> Any:
    """Of a result, or of the record of a blueprint."""
    return getattr(result, name) if hasattr(result, name) else result.record[name]


def seconds_of(result: Any) -> list[float]:
    """Those of a result and of the end of its trace, where it has them."""
    record = getattr(result, "record", {})
    known = [getattr(result, "seconds", None), record.get("seconds")]
    known += [point.seconds for point in getattr(result, "trace", ())[-1:]]
    return [seconds for seconds in known if seconds is not None]


def rewrite_header(path: Path, **changes: object) -> None:
    kind = str(kind_of(path))
    metadata, read = open_archive(path, kind)
    header = {**header_of(path, metadata), **changes}
    write_archive(path, kind, header, read(), in_parts="blocks" in metadata)


def saved_seconds(path: Path) -> float:
    """The seconds in the header of a checkpoint."""
    metadata, _ = open_archive(path, str(kind_of(path)))
    seconds: float = header_of(path, metadata)["seconds"]
    return seconds


def count_of(run: Run) -> dict[str, int]:
    """A limit that is reached soon."""
    return {run.count: 1_500 if run.count == "deals" else 30}


def endless(run: Run) -> dict[str, int]:
    return {run.count: ENDLESS[run.count]}


def test_a_count_ends_a_run_where_it_says(run: Run) -> None:
    result = run.start(**count_of(run))
    assert fact(result, "stopped_by") == run.count
    assert fact(result, run.count) == count_of(run)[run.count]


def test_all_take_their_limits_as_one_stop(run: Run) -> None:
    """What a run does not know is refused, and so is what is given twice."""
    result = run.start(stop=eq.Stop(seconds=1e-9, **count_of(run)))
    assert fact(result, "stopped_by") == "seconds"
    with refuses(ConfigError, option=run.count, given=count_of(run)[run.count]):
        run.start(stop=eq.Stop(seconds=1.0), **count_of(run))
    other = "iterations" if run.count == "deals" else "deals"
    with refuses(ConfigError, option=other, given=5):
        run.start(stop=eq.Stop(**{other: 5}))
    with refuses(ConfigError, option="stop", given=5):
        run.start(stop=5)


def test_seconds_count_from_the_call_and_not_from_before_a_run_was_resumed(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "run.ckpt"
    run.start(checkpoint=path, seconds=1e-9)
    again = run.resume(path, seconds=1e-9)
    assert fact(again, "stopped_by") == "seconds"
    assert fact(again, "iterations") >= 2


def test_a_resumed_run_has_all_of_its_seconds_and_adds_up_those_of_all_calls(
    run: Run, tmp_path: Path
) -> None:
    """In the result, its trace and the checkpoint, which says here that the run has taken days."""
    path, before = tmp_path / "run.ckpt", 1e6
    count = count_of(run)
    run.start(checkpoint=path, **count)
    rewrite_header(path, seconds=before)
    again = run.resume(path, seconds=before / 2, **{run.count: 2 * count[run.count]})
    assert fact(again, "stopped_by") == run.count
    assert before < saved_seconds(path) < before + before / 2
    assert all(seconds == saved_seconds(path) for seconds in seconds_of(again))


def test_callbacks_take_no_seconds_of_a_run(run: Run, tmp_path: Path) -> None:
    """They wait for longer than all that was before them, and count nowhere but in the limit."""
    path, begun, waited = tmp_path / "run.ckpt", time.perf_counter(), 0.0

    def wait(progress: Progress) -> None:
        nonlocal waited
        before = time.perf_counter()
        if not waited:
            time.sleep(before - begun)
            waited = time.perf_counter() - before

    result = run.start(checkpoint=path, callbacks=wait, **count_of(run))
    assert 0.0 < saved_seconds(path) <= time.perf_counter() - begun - waited
    assert all(seconds == saved_seconds(path) for seconds in seconds_of(result))


def test_all_can_show_a_line(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    run.start(progress=True, **count_of(run))
    assert " iterations" in capfd.readouterr().err


def test_time_ends_a_run_after_one_iteration_at_least(run: Run) -> None:
    result = run.start(seconds=1e-9)
    assert fact(result, "stopped_by") == "seconds"
    assert fact(result, "iterations") >= 1


@pytest.mark.parametrize("run", [n for n, run in RUNS.items() if run.target], indirect=True)
def test_a_target_ends_a_run(run: Run) -> None:
    result = run.start(target=run.target, **endless(run))
    assert fact(result, "stopped_by") == "target"


def test_limits_are_above_zero(run: Run) -> None:
    for name in (run.count, "seconds"):
        with refuses(ConfigError, option=name, given=0):
            run.start(**{name: 0})


def test_ctrl_c_ends_a_run_whose_checkpoint_goes_on_with_the_same_bits(
    run: Run, tmp_path: Path
) -> None:
    def interrupt(progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    path = tmp_path / "run.ckpt"
    part = run.start(checkpoint=path, callbacks=interrupt, **endless(run))
    assert fact(part, "stopped_by") == "interrupted"
    done = fact(part, run.count)
    assert done >= 1
    limit = {run.count: done + (3_000 if run.count == "deals" else 20)}
    assert run.bits(run.resume(path, **limit)) == run.bits(run.start(**limit))


def test_a_callback_ends_a_run(run: Run) -> None:
    seen: list[Progress] = []

    def report(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    result = run.start(callbacks=report, **endless(run))
    assert fact(result, "stopped_by") == "callback"
    assert [type(progress) for progress in seen] == [Progress] * 3
    assert fact(result, "iterations") == seen[-1].iteration > seen[0].iteration
    if run.count == "deals":
        assert seen[-1].deals == result.deals > 0


def test_a_callback_has_a_run_saved(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    sizes: list[int] = []

    def report(progress: Progress) -> Any:
        sizes.append(path.stat().st_mtime_ns if path.exists() else 0)
        return "save" if len(sizes) == 1 else len(sizes) < 3

    run.start(callbacks=report, checkpoint=path, checkpoint_every=1e6, **endless(run))
    assert sizes[0] < sizes[1] == sizes[2]


def test_what_a_callback_raises_comes_through_and_the_run_is_saved(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "run.ckpt"

    def fail(progress: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run.start(callbacks=fail, checkpoint=path, checkpoint_every=1e6, **endless(run))
    limit = count_of(run)
    assert run.bits(run.resume(path, **limit)) == run.bits(run.start(**limit))


def test_seconds_between_checkpoints_are_for_runs_that_are_saved(run: Run, tmp_path: Path) -> None:
    with refuses(ConfigError, option="checkpoint_every", given=5.0, remedy="give `checkpoint`"):
        run.start(checkpoint_every=5.0, **count_of(run))
    with refuses(ConfigError, option="checkpoint_every", given=-1.0):
        run.start(checkpoint=tmp_path / "run.ckpt", checkpoint_every=-1.0, **count_of(run))


def test_an_ended_run_is_not_run_further(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    limit = {run.count: 2_050} if run.count == "deals" else count_of(run)
    ended = run.start(checkpoint=path, **limit)
    again = run.resume(path, **limit)
    assert run.bits(again) == run.bits(ended)
    assert fact(again, "stopped_by") == run.count


def test_all_checkpoints_have_one_header_and_earlier_ones_are_refused_with_their_version(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "run.ckpt"
    run.start(checkpoint=path, **count_of(run))
    kind = str(kind_of(path))
    metadata, read = open_archive(path, kind)
    header, arrays = header_of(path, metadata), read()
    assert header.keys() == RunHeader.model_fields.keys()
    assert header["iteration"] >= 1
    del header["problem"]
    write_archive(path, kind, header, arrays, in_parts="blocks" in metadata)
    with refuses(CheckpointError, option="problem", given=eq.__version__, path=path):
        run.resume(path, **count_of(run))
