"""The memory of this process, where the system tells it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_STATM: Final = Path("/proc/self/statm")


def resident_bytes() -> int | None:
    """Bytes of memory that the process occupies now; None where the system has no /proc."""
    try:
        pages = int(_STATM.read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


class MemoryWatch:
    """Watches how much the process has grown since the watch was made.

    Args:
        most: The most bytes by which it may grow.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._before = resident_bytes()

    @property
    def grown(self) -> int:
        """Bytes by which the process has grown; 0 where the system does not tell."""
        now = resident_bytes()
        return 0 if now is None or self._before is None else max(0, now - self._before)

    @property
    def is_over(self) -> bool:
        """Whether it has grown by more than it may."""
        return self.grown > self.most
