"""The argument `threads`: by default one thread for each processor that the process may use.

The environment variable EQUILIBRIST_THREADS sets another default.
"""

from __future__ import annotations

import os
from typing import Final

from equilibrist.parsing.arguments import MOST_THREADS, bad_argument, whole_number
from equilibrist.parsing.control_groups import processor_quota

VARIABLE: Final = "EQUILIBRIST_THREADS"


def thread_count(threads: int | None) -> int:
    """The number of threads; of None EQUILIBRIST_THREADS, or `usable_processors()`.

    Raises ConfigError.
    """
    if threads is None:
        wanted = os.environ.get(VARIABLE)
        if wanted is None or not wanted.strip():
            return min(usable_processors(), MOST_THREADS)
        if not wanted.strip().isdecimal() or not 1 <= int(wanted[:8]) <= MOST_THREADS:
            raise bad_argument(VARIABLE, wanted, f"a whole number from 1 to {MOST_THREADS}")
        return int(wanted)
    return whole_number("threads", threads, 1, MOST_THREADS)


def usable_processors() -> int:
    """The processors that this process may use: its affinity, and the quota of its control group.

    A quota of 1.5 processors counts as one: threads that wait for each other at barriers lose more
    when one of them is suspended than another thread gains.
    """
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return max(1, int(min(count, processor_quota())))
