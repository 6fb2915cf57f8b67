"""The run time of a spot, estimated from its size and the memory bandwidth of this machine."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.parsing.arguments import real_number, whole_number
from equilibrist.parsing.threads import usable_processors

BYTES_PER_ENTRY: Final = 20
"""Bytes that an iteration moves per entry: its regret is read twice and written, its strategy sum
read and written, in float32. In 16 bits half as many, at about the same time."""
OVER_FLOOR: Final = 2.7
"""The time of an iteration relative to that lower bound, best responses after every tenth included;
measured on turns and flops with one thread (benchmarks/poker/full_speed.py)."""
PAIRS_PER_BYTE: Final = 1.4
"""Behind folded ranges: how many weights of pairs of hands an iteration multiplies while memory
moves a byte; measured on turns with one thread."""
_TWICE: Final = 1.7
"""The speed-up of two threads over one there; applied to every doubling."""
_PER_MILLE: Final = 180
_SLOPE: Final = 0.6
"""Iterations to 0.1 % of the pot, and the exponent of their growth with smaller targets: a fit to
the spots of `benchmarks/poker/spot_speed.py targets`, from which others may differ by a factor of
2.5."""
_MEASURED: Final = 10
"""Iterations between two measurements of exploitability."""
_COPIED: Final = 1 << 25
_COPIES: Final = 5
_LOADED: Final = 0.2
"""Seconds of copying that show what a machine with other work has left."""


@dataclass(frozen=True)
class EstimatedRun:
    """The expected cost of a run: a rough estimate, accurate to a factor of two or three.

    Attributes:
        iterations: Iterations to the target, fitted to measured spots.
        seconds: Their time, without building the tree and compiling kernels.
        folded_seconds: What weighing pairs of hands by what folded ranges leave takes besides.
    """

    iterations: int
    seconds: float
    folded_seconds: float = 0.0


def estimated_run(
    entries: int,
    target: float,
    threads: int = 1,
    bandwidth: float | None = None,
    *,
    pairs: int = 0,
    weighing: int = 0,
    slower: float = 1.0,
    least: int = 1,
) -> EstimatedRun:
    """Estimate the time to a target.

    Args:
        entries: The entries of the spot, see `SpotSize.entries`.
        target: The target as a share of the pot, above 0.
        threads: The threads that have work.
        bandwidth: The memory bandwidth in bytes per second; by default it is measured.
        pairs: The weights of pairs of hands by which an iteration multiplies.
        weighing: What it takes to know these, as `equities.folded.weighing_work`.
        slower: How many times as long an iteration takes as a plain one.
        least: The least iterations that a target ends.

    Raises:
        ConfigError: An argument is out of range.
    """
    real_number("target", target, 0.0, math.inf, is_above=True)
    whole_number("threads", threads, 1)
    fast = copy_bandwidth() if bandwidth is None else real_number("bandwidth", bandwidth, 1.0, 1e18)
    iterations = max(iterations_to(target), least)
    at_once = min(threads, usable_processors())
    moved = OVER_FLOOR * BYTES_PER_ENTRY * entries + pairs / PAIRS_PER_BYTE
    seconds_per_iteration = slower * moved / fast / _TWICE ** math.log2(at_once)
    return EstimatedRun(iterations, iterations * seconds_per_iteration, weighing / fast)


def iterations_to(target: float) -> int:
    """The iterations after which a spot usually meets a target.

    Args:
        target: The target as a share of the pot, above 0.

    Returns:
        A multiple of the iterations between two measurements.
    """
    tens: int = math.ceil(_PER_MILLE * (0.001 / target) ** _SLOPE / _MEASURED)
    return _MEASURED * max(tens, 1)


def copy_bandwidth() -> float:
    """Measure the memory bandwidth in bytes per second, read and written; takes some 50 ms.

    The fastest of five copies of 32 MB, since other load only slows them down.
    """
    source = np.ones(_COPIED // 4, np.float32)
    target = source.copy()
    least = math.inf
    for _ in range(_COPIES):
        start = time.perf_counter()
        np.copyto(target, source)
        least = min(least, time.perf_counter() - start)
    return 2 * _COPIED / least


def loaded_bandwidth() -> float:
    """Measure the memory bandwidth that other programs leave, in bytes per second; takes 0.2 s."""
    source = np.ones(_COPIED // 4, np.float32)
    target = source.copy()
    copies, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < _LOADED:
        np.copyto(target, source)
        copies += 1
    return 2 * _COPIED * copies / passed
