"""Threads that run a kernel together; an interrupt (Ctrl-C) at any moment leaves them usable."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from threading import Thread
from weakref import finalize

from equilibrist.errors import ConfigError
from equilibrist.kernels.primitives.barrier import BEGUN, GIVEN_UP
from equilibrist.typing import Int64Array

Job = Callable[[], None]


class Team:
    """Up to so many threads that run a kernel together, the one that calls among them."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._workers: Workers | None = None

    def run(self, work: Callable[[int], None], threads: int, counters: Int64Array) -> None:
        """Call `work` with 0 here, and elsewhere with every other number below `threads`.

        The threads share `counters`, see `kernels.primitives.barrier`. Returns when `work(0)` does:
        which has met the others, so nobody has to wake up to say so.
        """
        others = None
        try:
            if threads > 1:
                others = self._others  # held, so that all jobs are before their end
                for thread in range(1, threads):
                    others.put(partial(work, thread))
                others = None
            work(0)
        except BaseException:
            # Python looks for signals at calls and loops: there is neither before the write.
            if counters[BEGUN] == 0:
                counters[BEGUN] = GIVEN_UP
            self._workers = others = None  # one of them may have ended with an exception
            raise

    def rest(self) -> None:
        """Let the other threads end; new ones start when they are needed again."""
        self._workers = None

    @property
    def _others(self) -> Workers:
        workers = self._workers  # `rest` may come in between
        if workers is None or not workers.are_here:
            self._workers = workers = Workers(self._threads - 1)
        return workers


class Workers:
    """`count` threads that take jobs in turn; they end when nobody holds this any more.

    The pools of the standard library start threads on the way and take locks in Python, and an
    exception that a signal raises in there (Ctrl-C) leaves a pool that counts wrongly, or a process
    that never ends. Here a job is handed over by one call of C, `put`, which happens or does not.
    The threads are daemons: a start that was interrupted does not keep the process from ending.
    A forked process starts its own; what another thread was solving at the fork it must not touch.

    Raises ConfigError where the system refuses to start so many threads.
    """

    def __init__(self, count: int) -> None:
        jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.put = jobs.put
        self._process = os.getpid()
        ending = finalize(self, jobs.put, None)
        ending.atexit = False  # what other handlers compute at exit still finds them
        try:
            for _ in range(count):
                Thread(target=_work, args=(jobs,), name="equilibrist-spot", daemon=True).start()
        except RuntimeError as error:
            raise ConfigError(
                f"the system starts no more threads ({error})",
                option="threads",
                given=count + 1,
                remedy=f"ask for fewer than {count + 1}",
            ) from None

    @property
    def are_here(self) -> bool:
        """Whether they are of this process: a forked one has none."""
        return self._process == os.getpid()


def _work(jobs: SimpleQueue[Job | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # or what it holds would not be let go until the next one
    jobs.put(None)  # to the next thread
