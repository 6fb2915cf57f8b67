"""What control groups of Linux, such as those of containers, grant a process.

Groups lie in one another: each may take what the scarcest of those around it leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

GROUPS: Final = Path("/proc/self/cgroup")
LIMITS: Final = Path("/sys/fs/cgroup")


def processor_quota(groups: Path = GROUPS, limits: Path = LIMITS) -> float:
    """The processors that control groups grant; infinite without a limit.

    Args:
        groups: The file that names the groups of the process.
        limits: Where control groups are mounted.
    """
    least = float("inf")
    for folder, version in _folders(groups, limits, "cpu"):
        if version == 2:
            words = _words(folder / "cpu.max")
        else:
            words = [*_words(folder / "cpu.cfs_quota_us"), *_words(folder / "cpu.cfs_period_us")]
        least = min(least, _ratio(words))
    return least


def memory_limit(groups: Path = GROUPS, limits: Path = LIMITS) -> int | None:
    """Bytes of memory that control groups grant; None without a limit.

    Args:
        groups: The file that names the groups of the process.
        limits: Where control groups are mounted.
    """
    return min((most for most, _ in _memory(groups, limits)), default=None)


def memory_left(groups: Path = GROUPS, limits: Path = LIMITS) -> int | None:
    """Bytes of memory that control groups grant beyond what is taken; None without a limit.

    Args:
        groups: The file that names the groups of the process.
        limits: Where control groups are mounted.
    """
    return min((max(0, most - taken) for most, taken in _memory(groups, limits)), default=None)


def _memory(groups: Path, limits: Path) -> Iterator[tuple[int, int]]:
    """The limit of each group that has one, and what is taken there."""
    for folder, version in _folders(groups, limits, "memory"):
        if version == 2:
            names = ("memory.max", "memory.current", "inactive_file")
        else:
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        most = _number(folder / names[0])
        if most is None or most >= _NO_LIMIT:
            continue
        # Files that were read count as taken, and are dropped as soon as memory is needed.
        yield most, (_number(folder / names[1]) or 0) - _entry(folder / "memory.stat", names[2])


_NO_LIMIT: Final = 1 << 62
"""Version 1 writes the largest number of pages where there is no limit, version 2 `max`."""


def _folders(groups: Path, limits: Path, controller: str) -> Iterator[tuple[Path, int]]:
    """The groups of the process and those around them, from the innermost; of which version."""
    try:
        lines = groups.read_text("utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if not controllers:
            root, version = limits, 2
        elif controller in controllers.split(","):
            root, version = limits / controller, 1
        else:
            continue
        place = root / name.lstrip("/")
        for folder in (place, *place.parents):
            if folder == root.parent:
                break
            yield folder, version


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


def _number(file: Path) -> int | None:
    words = _words(file)
    return int(words[0]) if len(words) == 1 and words[0].isdecimal() else None


def _entry(file: Path, name: str) -> int:
    """A number of a file with a name and a number in each line; 0 without it."""
    words = _words(file)
    with suppress(ValueError, IndexError):
        return int(words[words.index(name) + 1])
    return 0
