"""Batches of iterations on several threads without a tree: private tables, merged by rounds.

A private table starts as the table at the beginning of the round, and copies only the rows that its
batch visits. The overhead of a batch therefore grows with the rows visited, plus a few scans of the
slots, eight bytes each; the numbers of all other rows are not touched.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from equilibrist.rules.module import Rules
from equilibrist.solvers.implicit.state import RunState
from equilibrist.solvers.implicit.table_run import ImplicitRun
from equilibrist.solvers.sampling.averaging import Walk
from equilibrist.solvers.sampling.batches import Batch, Executor, due
from equilibrist.solvers.sampling.executors import Serial, Threads
from equilibrist.solvers.sampling.samplers import Sampler


class PrivateRuns:
    """Runs batches on private tables, which are reused.

    A `gain` belongs to the caller until it is returned to the `idle` ones.
    """

    def __init__(
        self,
        rules: Rules,
        sampler: Sampler,
        key: np.uint64,
        walks: Walk | None,
        memory: int,
        tables: int,
    ) -> None:
        """Keep what a new `ImplicitRun` is made of; `memory` is for `tables` tables, in bytes."""
        self.idle: list[ImplicitRun] = []
        self._made_of = (rules, sampler, key, memory, tables)
        self._walks = walks
        self._growing = threading.Lock()

    def gain(self, start: RunState, batch: Batch, weight: float) -> ImplicitRun:
        """A private run that has begun as `start` and run a batch: what it gained is in it."""
        run = self._begun(start, batch.done)
        base_numbers = int(start.table.used[1])
        run.advance(batch.done + batch.iterations, weight)
        run.keep_gain(base_numbers)
        return run

    def load(self, onto: ImplicitRun) -> None:
        """Compile or load all kernels of a round, without running an iteration."""
        run = self._begun(onto.run_state, onto.iteration)
        base_numbers = int(onto.table.used[1])
        run.load_kernels()
        run.keep_gain(base_numbers)
        onto.merge(run, base_numbers, 1)
        self.idle.append(run)

    def _begun(self, start: RunState, iteration: int) -> ImplicitRun:
        try:  # another thread may take the last one between the check and the take
            run = self.idle.pop()
        except IndexError:
            run = ImplicitRun(*self._made_of)
        run.walks, run.growing = self._walks, self._growing
        run.begin(start, iteration)
        return run


class ImplicitRounds:
    """Advances a run by rounds of `length` iterations, in as many batches as `threads`.

    A run that stops within a round keeps the state at its beginning in `before`, and repeats the
    round when it continues: splitting a run changes no bit.
    """

    def __init__(self, private: PrivateRuns, executor: str, threads: int, length: int) -> None:
        """`executor` is "serial" or "threads", which start when they are first needed."""
        self.private, self.threads, self.length = private, threads, length
        self.before: RunState | None = None
        self._executor: Executor[RunState, ImplicitRun] = (
            Serial(private) if executor == "serial" else Threads(private, threads)
        )

    def advance(self, run: ImplicitRun, end: int, weight: float) -> None:
        """Take `run` to iteration `end`, at most to the end of the round.

        There are never more tables than one per thread and one more: if the one at the beginning of
        the round is kept, one batch fewer runs at a time.
        """
        if self.before is not None:
            run.adopt(self.before)
        first = run.iteration
        batches = due(first, self.length, self.threads, end)
        at_once = self.threads
        if end < first + self.length:
            at_once -= 1
            self.before = run.run_state
            del self.private.idle[at_once:]
            run.adopt(self.before.copy())
        else:
            self.before = None
        for k in range(0, len(batches), at_once):
            self._round(run, batches[k : k + at_once], weight)
        run.progress[0] = end + 1

    def _round(self, run: ImplicitRun, batches: Sequence[Batch], weight: float) -> None:
        start = run.run_state if self.before is None else self.before
        base_numbers = int(start.table.used[1])
        gains = self._executor.gains(start, batches, weight)
        del start  # a table that has grown is freed
        for gained in gains:
            run.merge(gained, base_numbers, self.threads)
        self.private.idle += gains

    def load(self, run: ImplicitRun) -> None:
        """Compile or load all kernels of a round, without running an iteration."""
        self.private.load(run)

    def close(self) -> None:
        """End the threads that wait for work; they start again when they are needed."""
        self._executor.close()
