"""Threads that run a kernel together; they stay usable after an interrupt at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from weakref import finalize

from equilibrist.errors import ConfigError
from equilibrist.kernels.primitives.barrier import ABANDONED, BEGUN
from equilibrist.typing import Int64Array

Job = Callable[[], None]


class ThreadTeam:
    """Up to `threads` threads that run a kernel together, including the calling thread."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._workers: Workers | None = None

    def run(self, work: Callable[[int], None], threads: int, counters: Int64Array) -> None:
        """Call `work(0)` in this thread, and `work(k)` in others for every k below `threads`.

        The threads share `counters`, see `kernels.primitives.barrier`. Returns with `work(0)`,
        which meets the other threads at a barrier at its end.
        """
        others = None
        try:
            if threads > 1:
                others = self._others  # held, so that all jobs precede the end marker
                for thread in range(1, threads):
                    others.put(partial(work, thread))
                others = None
            work(0)
        except BaseException:
            # Python handles signals at calls and loops; there is neither before the write.
            if counters[BEGUN] == 0:
                counters[BEGUN] = ABANDONED
            self._workers = others = None  # one of them may have died with an exception
            raise

    def release(self) -> None:
        """Let the other threads end; new ones start when needed."""
        self._workers = None

    def __reduce__(self) -> tuple[type[ThreadTeam], tuple[int]]:
        return ThreadTeam, (self._threads,)  # a copy starts its own

    @property
    def _others(self) -> Workers:
        workers = self._workers  # `release` may run in between
        if workers is None or not workers.are_here:
            self._workers = workers = Workers(self._threads - 1)
        return workers


class Workers:
    """`count` threads that take jobs in turn; they end when this object is garbage-collected.

    The pools of the standard library start threads lazily and take locks in Python; an exception
    raised in there by a signal (Ctrl-C) leaves a pool with wrong counts, or a process that never
    ends. Here a job is handed over by one C call, `put`, which is atomic. The threads are daemons,
    so an interrupted start does not keep the process alive. A forked process starts its own
    threads; it must not touch what another thread was solving at the fork.

    Raises ConfigError if the system cannot start that many threads.
    """

    def __init__(self, count: int) -> None:
        jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.put = jobs.put
        self._process = os.getpid()
        ending = finalize(self, jobs.put, None)
        ending.atexit = False  # still usable by other exit handlers
        try:
            for _ in range(count):
                Thread(target=_work, args=(jobs,), name="equilibrist-worker", daemon=True).start()
        except RuntimeError as error:
            raise ConfigError(
                f"the system cannot start more threads ({error})",
                option="threads",
                given=count + 1,
                remedy=f"use fewer than {count + 1}",
            ) from None

    @property
    def are_here(self) -> bool:
        """Whether the threads belong to this process: a forked one has none."""
        return self._process == os.getpid()


def _work(jobs: SimpleQueue[Job | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # otherwise its references would live until the next job
    jobs.put(None)  # pass the end marker on
