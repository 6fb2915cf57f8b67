"""What other programs take of the processors now, looked at beside requests, not in them."""

from __future__ import annotations

import hashlib
import math
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_STAYS: Final = 20.0
"""Seconds for which a look holds."""
_ROUNDS: Final = 200_000
"""Of hashing: about a tenth of a second, in which other threads of this process go on."""
_WATCHED: Final = 0.4
"""Seconds in which it is counted, beside those, how many processors are busy."""
_LEAST: Final = 1e-4
"""Seconds: some machines have clocks of threads that stand still."""
_COUNTS: Final = Path("/proc/stat")
_IDLE: Final = (3, 4)
"""The places of idle time and of waiting for disks, in the first line of the counts."""


class Look(NamedTuple):
    """What was seen of other programs.

    Attributes:
        waiting: Seconds that pass while a thread has a second of a processor, 1 or more.
        busy: Processors that they keep busy; infinite where nothing says how many.
    """

    waiting: float = 1.0
    busy: float = math.inf


class Crowd:
    """Other programs that want the processors.

    A look takes half a second. A server takes it in a thread of its own, and says meanwhile what it
    saw before; a process that has nothing else to do waits for it.

    Args:
        is_beside: Whether looks are taken in a thread of their own.
    """

    def __init__(self, *, is_beside: bool = False) -> None:
        self._is_beside = is_beside
        self._seen, self._until = Look(), -math.inf
        self._looking = threading.Lock()

    def seen(self) -> Look:
        """What was seen last; where that is long ago, another look is taken."""
        if time.monotonic() >= self._until and self._looking.acquire(blocking=False):
            if self._is_beside:
                threading.Thread(target=self._look, name="crowd", daemon=True).start()
            else:
                self._look()
        return self._seen

    def _look(self) -> None:
        """Take a look; whoever calls this holds the lock, which is released."""
        try:
            self._seen = look()
            self._until = time.monotonic() + _STAYS
        finally:
            self._looking.release()


def look() -> Look:
    """Look at other programs, for half a second."""
    idle, begun, worked = _idle_seconds(), time.perf_counter(), time.thread_time()
    with suppress(AttributeError):  # Python without OpenSSL
        hashlib.pbkdf2_hmac("sha256", b"equilibrist", b"", _ROUNDS)
    passed = time.perf_counter() - begun
    own = time.thread_time() - worked
    waiting = passed / max(own, _LEAST) if passed > _LEAST else 1.0
    time.sleep(_WATCHED)
    passed, later = time.perf_counter() - begun, _idle_seconds()
    if idle is None or later is None:
        return Look(max(1.0, waiting))
    processors = os.cpu_count() or 1
    busy = processors - (later - idle + own) / passed
    return Look(max(1.0, waiting), min(max(busy, 0.0), processors))


def _idle_seconds() -> float | None:
    """Seconds that all processors together had nothing to do; None where nothing counts them."""
    try:
        counts = _COUNTS.read_text().partition("\n")[0].split()[1:]
        return sum(int(counts[place]) for place in _IDLE) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None
