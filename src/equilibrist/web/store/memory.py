"""Memory that nobody needs any more, given back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from typing import Final

_M_ARENA_MAX: Final = -8
"""The number of glibc's option for the most arenas (mallopt(3))."""
_ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let all threads allocate from two arenas.

    Each of glibc's arenas keeps what its threads have freed, and a server with forty threads would
    have up to eight arenas for each processor. Does nothing on other systems.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Collect what is unreachable, and return free pages of the heap to the system.

    Takes some tenths of a second, in which no other thread runs: for a server without visitors.
    """
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
