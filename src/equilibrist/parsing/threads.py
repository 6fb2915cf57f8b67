"""The argument `threads`: by default one thread for each processor that the process may use.

The environment variable EQUILIBRIST_THREADS sets another default.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from equilibrist.parsing.arguments import MOST_THREADS, bad_argument, whole_number

VARIABLE: Final = "EQUILIBRIST_THREADS"
_GROUPS: Final = Path("/proc/self/cgroup")
_LIMITS: Final = Path("/sys/fs/cgroup")


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
    return max(1, int(min(count, processor_quota(_GROUPS, _LIMITS))))


def processor_quota(groups: Path, limits: Path) -> float:
    """The processors that control groups of Linux grant; infinite without a limit.

    Args:
        groups: The file that names the groups of the process, as `/proc/self/cgroup`.
        limits: Where control groups are mounted, as `/sys/fs/cgroup`.
    """
    try:
        lines = groups.read_text("utf-8").splitlines()
    except OSError:
        return float("inf")
    least = float("inf")
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if not controllers:  # version 2
            root, read = limits, _quota_of_version_2
        elif "cpu" in controllers.split(","):
            root, read = limits / "cpu", _quota_of_version_1
        else:
            continue
        place = root / name.lstrip("/")
        for folder in (place, *place.parents):
            if folder == root.parent:
                break
            least = min(least, read(folder))
    return least


def _quota_of_version_2(folder: Path) -> float:
    return _ratio(_words(folder / "cpu.max"))


def _quota_of_version_1(folder: Path) -> float:
    return _ratio([*_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us")])


def _words(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").split()
    except OSError:
        return []


def _ratio(words: list[str]) -> float:
    """Quota over period; infinite if there is none, which is written as `max` or -1."""
    try:
        quota, period = map(int, words)
    except ValueError:
        return float("inf")
    return quota / period if quota > 0 and period > 0 else float("inf")
