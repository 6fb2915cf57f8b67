"""The plan of a run on several threads: rounds of batches that start from the same tables.

A round is as long as a period. Its iterations are cut into one batch per thread, each batch is an
ordinary run of its iterations on a copy of the tables, and what the copies gained is merged in the
order of the batches: visits and strategy sums are added, regrets averaged. Who runs the batches,
and when, changes no bit.

Why regrets are averaged: all batches answer the same mistakes, and the sum of their answers
overshoots. The mean keeps the proof of regret matching (the sum of squared positive regrets is
convex, so that of the mean is at most the mean of theirs) and has less noise than one batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, Protocol, TypeVar

import numpy as np

from equilibrist.solvers.sampling.averaging import SeparateAverage
from equilibrist.solvers.sampling.sampler import Sampler, Tables
from equilibrist.tree.forms.history_tree import HistoryTree

_FOREVER: Final = 1 << 62
Start_contra = TypeVar("Start_contra", contravariant=True)
Gain_co = TypeVar("Gain_co", covariant=True)


class Batch(NamedTuple):
    """Iterations done + 1 .. done + iterations of a run."""

    done: int
    iterations: int


class Snapshot(NamedTuple):
    """The arrays of a run's tables, or what they have gained."""

    regret: np.ndarray  # float64[Q], public flat order
    strategy_sum: np.ndarray  # float64[Q]
    touched: np.ndarray  # int64[1]

    @classmethod
    def of(cls, tables: Tables) -> Snapshot:
        """The arrays themselves."""
        return cls(tables.regret, tables.strategy_sum, tables.touched)

    def copy(self) -> Snapshot:
        """Copies of them, which can be written to."""
        return Snapshot(*(array.copy() for array in self))


@dataclass(frozen=True, eq=False)
class Runner:
    """All that running iterations takes beside the tables; it can be sent to other processes.

    `averaging` is the argument of the sampler's kernel; it adds nothing if the average is taken
    `apart`.
    """

    tree: HistoryTree
    key: np.uint64
    sampler: Sampler
    averaging: str
    apart: SeparateAverage | None

    def run(self, tables: Tables, batch: Batch, weight: float) -> None:
        """Run a batch on `tables`; `weight` is what an iteration counts in the average."""
        done, end = batch.done, batch.done + batch.iterations
        every = _FOREVER if self.apart is None else self.apart.every
        added = weight if self.apart is None else 0.0
        while done < end:
            since = done % every
            if self.apart is not None and since == 0:
                self.apart.take(tables, done + 1, weight)
            stop = min(end, done - since + every)
            self.sampler.run(tables, done + 1, stop - done, self.averaging, added)
            done = stop

    def gain(self, start: Snapshot, batch: Batch, weight: float) -> Snapshot:
        """Run a batch on a copy of the tables `start`, and return what they gain."""
        tables = Tables(self.tree, self.key, *start.copy())
        self.run(tables, batch, weight)
        after = Snapshot.of(tables)
        return Snapshot(*(new - old for new, old in zip(after, start, strict=True)))


class Gaining(Protocol[Start_contra, Gain_co]):
    """Whatever runs a batch of iterations on tables of its own; several at the same time."""

    def gain(self, start: Start_contra, batch: Batch, weight: float) -> Gain_co:
        """Run a batch on a copy of the tables `start`, and return what they gain."""
        ...


class Executor(Protocol[Start_contra, Gain_co]):
    """Who runs the batches of a round."""

    def gains(
        self, start: Start_contra, batches: Sequence[Batch], weight: float
    ) -> Sequence[Gain_co]:
        """`Gaining.gain` of every batch, in their order."""
        ...

    def close(self) -> None:
        """Release what was started; it starts again when it is needed."""
        ...


def cut(done: int, end: int, parts: int) -> list[Batch]:
    """Iterations done+1 .. end in batches as equal as can be; empty ones are left out."""
    bounds = [done + (end - done) * k // parts for k in range(parts + 1)]
    pairs = zip(bounds, bounds[1:], strict=False)
    return [Batch(first, last - first) for first, last in pairs if last > first]


def due(first: int, length: int, parts: int, end: int) -> list[Batch]:
    """The batches of the round that begins after iteration `first`, as far as `end`."""
    return [
        Batch(batch.done, min(batch.iterations, end - batch.done))
        for batch in cut(first, first + length, parts)
        if batch.done < end
    ]


class BatchSchedule(Protocol):
    """How tables get from one iteration to a later one."""

    by_periods: ClassVar[bool]
    """Whether a step must end where a period does."""
    before: Snapshot | None
    """The tables as the present period began, if it matters and is not over."""

    def advance(self, tables: Tables, done: int, end: int, weight: float) -> None:
        """Take `tables` from iteration `done` to `end`."""
        ...

    def close(self) -> None:
        """Release what was started; it starts again when it is needed."""
        ...


class SingleThread:
    """One thread, on the tables themselves."""

    by_periods: ClassVar[bool] = False

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.before: Snapshot | None = None

    def advance(self, tables: Tables, done: int, end: int, weight: float) -> None:
        """Take `tables` from iteration `done` to `end`, in this thread."""
        self.runner.run(tables, Batch(done, end - done), weight)

    def close(self) -> None:
        """Release nothing: this schedule starts no threads."""


class Rounds:
    """The plan, round by round.

    A run that stops within a round keeps the tables from its beginning in `before`, and starts
    the round again when it continues: so the cut changes no bit.
    """

    by_periods: ClassVar[bool] = True

    def __init__(self, executor: Executor[Snapshot, Snapshot], threads: int, length: int) -> None:
        """`threads` batches of `length` iterations in all make a round."""
        self.executor, self.threads, self.length = executor, threads, length
        self.before: Snapshot | None = None

    def advance(self, tables: Tables, done: int, end: int, weight: float) -> None:
        """Take `tables` from iteration `done` to `end`; all of it must lie in one round."""
        first = done - done % self.length
        start = Snapshot.of(tables)
        if done > first:
            assert self.before is not None
            start = self.before
        batches = due(first, self.length, self.threads, end)
        gains = self.executor.gains(start, batches, weight)
        unfinished = end < first + self.length
        self.before = start.copy() if unfinished else None
        for array, values in zip(Snapshot.of(tables), start, strict=True):
            array[:] = values
        for gain in gains:
            tables.strategy_sum[:] += gain.strategy_sum
            tables.touched[:] += gain.touched
            tables.regret[:] += gain.regret / self.threads

    def close(self) -> None:
        """Release what the executor started; it starts again when it is needed."""
        self.executor.close()
