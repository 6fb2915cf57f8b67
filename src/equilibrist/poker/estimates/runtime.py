"""How long a spot takes, foreseen from its size and from how fast this machine copies."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.parsing.arguments import bad_argument, real_number, whole_number

BYTES_PER_ENTRY: Final = 20
"""What an iteration must move for an entry: its regret is read twice and written, its strategy sum
read and written, in float32. In 16 bits it is half of that, and takes about as long."""
OVER_FLOOR: Final = 2.7
"""How often that time an iteration takes, the measurements after every tenth included: what was
measured on turns and flops with one thread (benchmarks/poker/full_speed.py)."""
_TWICE: Final = 1.7
"""How much faster two threads were than one there; taken for every doubling."""
_PER_MILLE: Final = 180
_SLOPE: Final = 0.6
"""Iterations to 0.1 % of the pot, and how they grow with smaller targets: a line between what the
spots of `benchmarks/poker/spot_speed.py targets` take, from which others may differ by a factor of
2.5."""
_MEASURED: Final = 10
"""Exploitability is measured after so many iterations."""
_COPIED: Final = 1 << 25
_COPIES: Final = 5


@dataclass(frozen=True)
class EstimatedRun:
    """What a run is expected to take: a rough figure, which may be wrong by a factor of two."""

    iterations: int
    """Until the target is met, from spots that were measured."""
    seconds: float
    """How long they take, without building the tree and compiling kernels."""


def estimated_run(
    entries: int, target: float, threads: int = 1, bandwidth: float | None = None
) -> EstimatedRun:
    """The time to a target, the share of the pot, of a spot with so many entries.

    `threads` are those that have something to do. `bandwidth` is bytes per second that a copy
    moves, by default those of a short one now. Raises ConfigError.
    """
    real_number("target", target, 0.0, math.inf)
    if not target:
        raise bad_argument("target", target, "more than 0, which no run reaches")
    whole_number("threads", threads, 1)
    fast = copy_bandwidth() if bandwidth is None else real_number("bandwidth", bandwidth, 1.0, 1e18)
    tens = math.ceil(_PER_MILLE * (0.001 / target) ** _SLOPE / _MEASURED)
    iterations = _MEASURED * max(tens, 1)
    at_once = min(threads, os.cpu_count() or 1)
    each = OVER_FLOOR * BYTES_PER_ENTRY * entries / fast / _TWICE ** math.log2(at_once)
    return EstimatedRun(iterations, iterations * each)


def copy_bandwidth() -> float:
    """Bytes per second that are read and written while 32 MB are copied; takes some 50 ms.

    The fastest of five copies: whatever else the machine does only makes them slower.
    """
    source = np.ones(_COPIED // 4, np.float32)
    target = source.copy()
    least = math.inf
    for _ in range(_COPIES):
        start = time.perf_counter()
        np.copyto(target, source)
        least = min(least, time.perf_counter() - start)
    return 2 * _COPIED / least
