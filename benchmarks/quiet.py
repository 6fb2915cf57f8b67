"""Tell whether the machine was busy with something else while a measurement ran.

Other programs, or other guests of the same host, slow calculations down by half and copies by a
tenth, for seconds or minutes at a time. A ratio of the two then says more about the neighbours than
about the program. So a fixed calculation is timed before and after: where it takes clearly longer
than it ever did, the measurement between does not count.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

SLOWER = 1.4
"""How much longer than at best the calculation may take."""
CORES = min(os.cpu_count() or 1, 2)
"""How many are looked at: nothing here is measured with more threads."""
_TIMES = 60
_NUMBERS = np.linspace(0.0, 1.0, 1 << 13)


class Pace:
    """How fast the machine is, again and again."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(CORES)
        self.best = self._now()

    def measured(self, measure: Callable[[], float]) -> tuple[float, float]:
        """What `measure` returns, and the slower pace of those before and after it."""
        before = self._look()
        number = measure()
        return number, max(before, self._look())

    def _look(self) -> float:
        now = self._now()
        self.best = min(self.best, now)
        return now

    def _now(self) -> float:
        """Seconds of the slowest of calculations side by side."""
        return max(self._pool.map(_calculate, range(CORES)))


def quiet(best: float, *measurements: tuple[float, float]) -> bool:
    """Whether nothing else ran during any of them, by the best pace of all."""
    return all(pace <= SLOWER * best for _, pace in measurements)


def _calculate(_number: int) -> float:
    numbers = np.empty_like(_NUMBERS)
    start = time.perf_counter()
    for _ in range(_TIMES):
        np.exp(_NUMBERS, out=numbers)
    return time.perf_counter() - start
