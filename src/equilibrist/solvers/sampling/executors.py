"""Executors of batches (serial, threads, Ray), and threads that share one table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import (
    MOST_THREADS,
    bad_argument,
    check_bool,
    whole_number,
)
from equilibrist.solvers.sampling.batches import (
    Batch,
    Executor,
    Gain_co,
    Gaining,
    Runner,
    Snapshot,
    Start_contra,
    cut,
)
from equilibrist.solvers.sampling.registry import sampler_spec
from equilibrist.solvers.sampling.sampler import Tables

Result = TypeVar("Result")
_BATCH_NODES: Final = {"serial": 1_000_000, "threads": 1_000_000, "ray": 20_000_000}
"""Executor to how many histories a batch visits by default: handing it out is then a few percent
of its time."""
_NODES_PER_ENTRY: Final = 8
"""A batch visits at least so many per number in the tables, for the same reason."""


class Serial(Generic[Start_contra, Gain_co]):
    """One batch after the other: the plan without threads, to compare with."""

    def __init__(self, runner: Gaining[Start_contra, Gain_co]) -> None:
        self._runner = runner

    def gains(
        self, start: Start_contra, batches: Sequence[Batch], weight: float
    ) -> Sequence[Gain_co]:
        """The gains of the batches, run one after the other in this thread, in their order."""
        return [self._runner.gain(start, batch, weight) for batch in batches]

    def close(self) -> None:
        """Release nothing: no thread was started."""


class ThreadPool:
    """Threads that start when they are first needed, and again after `close`."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def map(self, function: Callable[[Batch], Result], batches: Sequence[Batch]) -> list[Result]:
        """`function` of every batch, in their order."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads)
        return list(self._pool.map(function, batches))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


class Threads(Generic[Start_contra, Gain_co]):
    """One thread per batch: kernels run without Python's lock."""

    def __init__(self, runner: Gaining[Start_contra, Gain_co], threads: int) -> None:
        self._runner, self._pool = runner, ThreadPool(threads)

    def gains(
        self, start: Start_contra, batches: Sequence[Batch], weight: float
    ) -> Sequence[Gain_co]:
        """The gains of the batches, run side by side in threads, in their order."""
        return self._pool.map(lambda b: self._runner.gain(start, b, weight), batches)

    def close(self) -> None:
        """End the threads; they start again when they are needed."""
        self._pool.close()


class SharedTable:
    """All threads work on one table without locks. Not reproducible: results depend on timing.

    Recht, Re, Wright, Niu, Hogwild!: a lock-free approach to parallelizing stochastic gradient
    descent (NIPS 2011). Nothing is copied or merged, and every thread sees at once what the others
    have learnt; simultaneous additions of two threads may be lost.
    """

    by_periods: ClassVar[bool] = False

    def __init__(self, runner: Runner, threads: int) -> None:
        self._runner, self._threads = runner, threads
        self._pool = ThreadPool(threads)
        self.before: Snapshot | None = None

    def advance(self, tables: Tables, done: int, end: int, weight: float) -> None:
        """Take `tables` from iteration `done` to `end`, with all threads on the one table."""

        def run(batch: Batch) -> np.ndarray:
            # Visits are counted apart: none of them may get lost.
            own = Tables(tables.tree, tables.key, tables.regret, tables.strategy_sum)
            self._runner.run(own, batch, weight)
            return own.touched

        for touched in self._pool.map(run, cut(done, end, self._threads)):
            tables.touched[:] += touched

    def close(self) -> None:
        """End the threads; they start again when they are needed."""
        self._pool.close()


def fit_executor(threads: object, shared: object, executor: Any, address: object) -> str:
    """The executor's name, given or default; ConfigError for invalid combinations."""
    alone = whole_number("threads", threads, 1, MOST_THREADS) == 1
    shared = check_bool("shared", shared)
    if executor is not None and not (isinstance(executor, str) and executor in _BATCH_NODES):
        raise bad_argument("executor", executor, " or ".join(_BATCH_NODES))
    if address is not None and executor != "ray":
        raise ConfigError(
            f"address is {address!r}, and only executor ray works on a cluster",
            option="address",
            given=address,
            remedy='give `executor="ray"`, or leave out `address`',
        )
    for name, is_set in (("executor", executor is not None), ("shared", shared)):
        if alone and is_set:
            raise ConfigError(
                f"{name} has no meaning with one thread",
                option=name,
                remedy="give `threads`, the number of batches that run side by side, of at least 2",
            )
    if shared and executor not in (None, "threads"):
        raise ConfigError(
            "shared is for threads of one process, which see the same memory, and executor "
            f"{executor} runs none",
            option="shared",
            given=shared,
            remedy="leave one of the two out",
        )
    return executor or ("serial" if alone else "threads")


def round_length(executor: str, threads: int, nodes_per_iteration: float, size: int) -> int:
    """Iterations of a round by default, where tables hold `size` numbers each."""
    nodes = max(_BATCH_NODES[executor], _NODES_PER_ENTRY * size)
    return threads * math.ceil(nodes / nodes_per_iteration)


def refuse_keeping(runner: Runner, size: int) -> None:
    """ConfigError if the sampler keeps what must pass from one iteration to the next."""
    trial = Tables(runner.tree, runner.key, np.zeros(size), np.zeros(size))
    runner.run(trial, Batch(0, 1), 1.0)
    if trial.kept:
        raise ConfigError(
            f"{sampler_spec(runner.sampler)} sampling with {runner.averaging} averaging keeps "
            f"{' and '.join(trial.kept)} from one iteration to the next, and threads run several "
            "at once",
            option="threads",
            given=" and ".join(trial.kept),
            remedy="use `threads=1`, or another averaging or sampler, such as external",
        )


def make_executor(
    name: str, runner: Runner, threads: int, address: str | None
) -> Executor[Snapshot, Snapshot]:
    """The executor of that name; raises as `Ray` does."""
    if name == "serial":
        return Serial(runner)
    if name == "threads":
        return Threads(runner, threads)
    from equilibrist.solvers.sampling.ray_cluster import Ray

    return Ray(runner, threads, address)
