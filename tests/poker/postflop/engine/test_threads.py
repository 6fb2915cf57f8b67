"""Threads that solve a spot together: interrupts, forks, and callers that come at the same time."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.kernels.poker.postflop import passes
from equilibrist.kernels.primitives.barrier import ABANDONED, BEGUN
from equilibrist.poker import estimate, solve
from equilibrist.poker.postflop.engine import traversal
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint, saver
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.spot_runs import resume
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.run import threads as workers
from equilibrist.solvers.variants.variant import Coefficients, Variant
from tests.refusals import refuses
from tests.solvers.run.forked import needs_fork, survives_a_fork

TURN = Spot(
    board="QsJh2h7c",
    oop="AA,J9s,54s:0.5",
    ip="KK,76s,65s:0.25",
    pot=40,
    stack=60,
    bets="50%, a",
    raises="3x, a",
)
NAME = "equilibrist-worker"


def alive() -> set[threading.Thread]:
    """Threads that wait for jobs."""
    return {thread for thread in threading.enumerate() if thread.name == NAME}


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something holds within some seconds."""
    start = time.monotonic()
    while not holds() and (waited := time.monotonic() - start) < 20:
        if waited > 0.2:
            gc.collect()  # which takes a second in a process that ran many tests
        time.sleep(0.01)
    return holds()


def same_bits(one: SpotSolver, other: SpotSolver) -> bool:
    return all(map(np.array_equal, one.engine.arena.arrays, other.engine.arena.arrays))


@pytest.mark.parametrize("twice", [False, True])
def test_an_interrupt_leaves_no_thread_waiting(
    twice: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other thread has been called when the first one is stopped: it does nothing.

    Nor does it wait if the first one is stopped again at a call on its way out.
    """
    solver, undisturbed = SpotSolver(TURN, threads=2), SpotSolver(TURN)
    solver.run(2)
    others, counters, returned = solver.engine.traversal.team._others, [], threading.Event()
    put = others.put

    def interrupted(job: Any) -> None:
        def told() -> None:
            job()
            returned.set()

        counters.append(inspect.getclosurevars(job.func).nonlocals["counters"])
        put(told)
        if twice:
            sys.setprofile(again)
        raise KeyboardInterrupt

    def again(frame: FrameType | None, event: str, _: object) -> None:
        caller = frame.f_back if frame and event == "call" else frame
        of_team = caller is not None and caller.f_code.co_filename == workers.__file__
        if of_team and event in ("call", "c_call"):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(others, "put", interrupted)
        before = sys.getprofile()
        try:
            solver.run(1)
        except KeyboardInterrupt:
            pass
        finally:
            sys.setprofile(before)
    assert counters, "it was not interrupted"
    try:
        assert returned.wait(60)
    finally:
        counters[0][BEGUN] = ABANDONED  # else a thread would spin beside the other tests
    assert solver.iteration == 2
    solver.run(1)
    undisturbed.run(3)
    assert same_bits(solver, undisturbed)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("late", [False, True])
def test_an_interrupted_run_counts_as_the_state_has_it(
    late: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in a kernel is seen when it has ended, and just before it when nothing is done yet."""
    solver, undisturbed = SpotSolver(TURN, threads=threads), SpotSolver(TURN)
    solver.run(3)

    def interrupted(*given: Any) -> None:
        first = given[-3] == 0
        if late or not first:
            passes(*given)
        if first:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(traversal, "passes", interrupted)
        with pytest.raises(KeyboardInterrupt):
            solver.run(4)
    assert solver.iteration == (7 if late else 3)
    solver.run(9 - solver.iteration)
    undisturbed.run(9)
    assert same_bits(solver, undisturbed)


def test_interrupts_while_threads_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that have begun end again, and the next run begins others."""
    solver, undisturbed, start = SpotSolver(TURN, threads=4), SpotSolver(TURN), alive()
    begun: list[threading.Thread] = []
    real = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        if len(begun) == 2:
            raise KeyboardInterrupt
        begun.append(thread)
        real(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            solver.run(1)
    assert all(thread.daemon for thread in begun)
    assert soon(lambda: alive() <= start)
    assert solver.iteration == 0
    solver.run(2)
    undisturbed.run(2)
    assert same_bits(solver, undisturbed)


def test_threads_that_ended_with_an_exception_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    team, start, done, ended = workers.ThreadTeam(2), alive(), threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: ended.set())

    def fail(thread: int) -> None:
        raise ValueError(thread)

    def finish(thread: int) -> None:
        if thread:
            done.set()

    with pytest.raises(ValueError, match="0"):
        team.run(fail, 2, np.zeros(64, np.int64))
    assert ended.wait(60)
    team.run(finish, 2, np.zeros(64, np.int64))
    assert done.wait(60)
    team.release()
    assert soon(lambda: alive() <= start)


def test_threads_end_while_an_interrupt_is_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    solver, start = SpotSolver(TURN, threads=3), alive()
    solver.run(1)

    def interrupted(job: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(solver.engine.traversal.team._others, "put", interrupted)
        with pytest.raises(KeyboardInterrupt) as held:
            solver.run(1)
    assert soon(lambda: alive() <= start)
    assert held.value.__traceback__ is not None


def test_threads_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with refuses(ConfigError, option="threads", given=3):
        solve(TURN, iterations=1, threads=3)


def test_threads_are_let_go(tmp_path: Path) -> None:
    """A solution keeps none; nor does anything else when its solver is gone."""
    start = alive()
    solution = solve(TURN, iterations=2, threads=3)
    assert soon(lambda: alive() <= start)
    assert solution.at("X").frequency
    solve(TURN, iterations=2, checkpoint=tmp_path / "run")
    resumed = resume(tmp_path / "run", iterations=4, threads=3)
    assert soon(lambda: alive() <= start)
    assert resumed.at("X").frequency
    solver = SpotSolver(TURN, threads=3)
    solver.run(1)
    assert len(alive() - start) == 2
    solver.close()
    assert soon(lambda: alive() <= start)
    solver.run(1)
    assert len(alive() - start) == 2
    del solver
    assert soon(lambda: alive() <= start)


@pytest.mark.slow
def test_two_callers_at_the_same_time() -> None:
    solver, alone = SpotSolver(TURN, threads=3), SpotSolver(TURN)
    failures: list[BaseException] = []

    def call() -> None:
        try:
            for _ in range(30):
                solver.run(1)
                solver.mean_gain()
        except BaseException as error:
            failures.append(error)

    callers = [threading.Thread(target=call, daemon=True) for _ in range(3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(120)
    assert not any(caller.is_alive() for caller in callers)
    assert not failures
    alone.run(90)
    assert solver.iteration == 90
    assert same_bits(solver, alone)


SOLVERS = f"""
from equilibrist.poker.postflop.spot.spot import spot_from_text
from equilibrist.poker.postflop.solving.solver import SpotSolver
spot = spot_from_text({TURN.to_toml()!r})
several, alone = SpotSolver(spot, threads=3), SpotSolver(spot, threads=1)
bits = lambda solver: [array.tobytes() for array in solver.state.arrays.values()]
"""


@pytest.mark.slow
@needs_fork
def test_a_forked_process_begins_its_own_threads() -> None:
    assert survives_a_fork(SOLVERS)


class Growing(Variant):
    """Weights that 32 bits do not hold, or discounts that let regrets grow."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        weight, discount = (10.0 ** (3 * t), 1.0) if self.name == "weights" else (1.0, 100.0)
        return Coefficients(discount, discount, -np.inf, 1.0, 0.0, 1.0, weight)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("weights", dict(option="weight", given=1e30, place="t = 10")),
        ("regrets", dict(option="algorithm", given="regrets", place="t = 20")),
    ],
)
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_numbers_that_overflow_are_refused(name: str, fields: dict[str, Any], storage: Any) -> None:
    variant = Growing(name=name)
    solution = solve(TURN, iterations=9, algorithm=variant, storage=storage)
    assert solution.exploitability is not None
    assert np.isfinite(solution.exploitability)
    with refuses(ConfigError, **fields):
        solve(TURN, iterations=100, algorithm=variant, storage=storage)


class Predicting(Variant):
    """Predicts so far ahead that the prediction overflows 32 bits."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        return Coefficients(1.0, 1.0, 0.0, 7e28, 1.0, 1.0, 1.0)


def test_predictions_that_overflow_are_refused() -> None:
    large = Spot(
        **{**TURN.model_dump(exclude_unset=True), "pot": 400_000_000, "stack": 600_000_000}
    )
    with refuses(ConfigError, option="algorithm", given="predicts", place="t = 10"):
        solve(large, iterations=100, algorithm=Predicting(name="predicts", prediction=1.0))


def test_checkpoints_of_numbers_that_grow(tmp_path: Path) -> None:
    """A sound checkpoint is not overwritten, and an unsound one is not resumed."""
    variant, path = Growing(name="regrets"), tmp_path / "run"
    solve(TURN, iterations=10, algorithm=variant, checkpoint=path)
    before = path.read_bytes()
    solver = SpotCheckpoint(path).solver(variant=variant)
    solver.run(15)
    with refuses(ConfigError, option="algorithm", given="regrets", place="t = 25"):
        saver(solver, path)((), 0.0)
    assert path.read_bytes() == before
    solver = SpotSolver(TURN, algorithm=variant)
    solver.run(10)
    solver.engine.arena.store.total[3] = np.inf
    solver._grows = False
    saver(solver, tmp_path / "spoilt")((), 0.0)
    with refuses(CheckpointError, option="regret"):
        resume(tmp_path / "spoilt", iterations=20, algorithm=variant)


def test_a_floor_may_be_as_low_as_one_likes() -> None:
    lowest, low = Variant("lowest"), Variant("low", floor=-1e39)
    first, second = SpotSolver(TURN, algorithm=lowest), SpotSolver(TURN, algorithm=low)
    for solver in (first, second):
        solver.run(5)
    assert same_bits(first, second)


def test_threads_end_when_a_run_is_refused() -> None:
    start, variant = alive(), Growing(name="weights")
    with pytest.raises(ConfigError) as held:
        solve(TURN, iterations=100, algorithm=variant, threads=3)
    assert soon(lambda: alive() <= start)
    assert held.value.__traceback__ is not None


@pytest.mark.parametrize("threads", [0, -1, True, 2.5, "2", float("nan"), 4097])
def test_sizes_are_of_threads_that_can_be(threads: Any) -> None:
    with refuses(ConfigError, option="threads", given=threads):
        estimate(TURN).memory_bytes(threads=threads)


def test_small_numbers_of_numpy() -> None:
    threads: Any = np.uint8(3)
    assert solve(TURN, iterations=1, threads=threads).iterations == 1
    assert estimate(TURN).memory_bytes(threads=threads) == estimate(TURN).memory_bytes(threads=3)


@pytest.mark.parametrize(
    ("answer", "ends"), [(False, True), (np.False_, True), (None, False), (0, False), ("", False)]
)
def test_what_ends_a_run(answer: Any, ends: bool) -> None:
    solution = solve(TURN, iterations=30, callbacks=lambda _: answer)
    assert (solution.stopped_by == "callback") is ends


def test_all_processors_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_THREADS", "3")
    used: list[int] = []
    made = Engine.__init__

    def remember(self: Engine, *given: Any, **more: Any) -> None:
        used.append(more["threads"])
        made(self, *given, **more)

    monkeypatch.setattr(Engine, "__init__", remember)
    results = [solve(TURN, iterations=3), eq.solve(TURN, iterations=3)]
    results += [eq.solve(TURN, iterations=3, threads=2), solve(TURN, iterations=3, threads=1)]
    assert used == [3, 3, 2, 1]
    assert len({result.mean_gain for result in results}) == 1
    assert estimate(TURN).memory_bytes() == estimate(TURN).memory_bytes(threads=3)
    assert eq.solve("kuhn", sampling="external", iterations=10).config["threads"] == 1
