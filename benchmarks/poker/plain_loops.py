"""The sweep over the hands of a board in plain loops and with vector types: why there are any.

    python benchmarks/poker/plain_loops.py

Both find what every hand wins at 32 folds, for a river board as large as those of the turn spot:
240 hands against 160, in arrays that begin where a cache line does, as the engine's do. The plain
loops go over lanes innermost, which are as many as a vector has (known when compiled) or a number
that comes at run time, which lets LLVM's loop vectoriser in.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from benchmarks.record import write_record
from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import ENDS
from equilibrist.kernels.poker.showdowns import SUMS, fold_lanes
from equilibrist.kernels.poker.tiles import load_ends
from equilibrist.kernels.primitives.prefetch import address_of
from equilibrist.poker.postflop.engine.scratch import numbers

HANDS, OTHERS = 160, 240
_ENDS = np.uintp(ENDS)
ROUNDS, REPEATS = 200, 50


@inner_kernel
def sweep(faced, their_a, their_b, a, b, same, sums, total, pays, results, lanes):
    """`fold_lanes` in plain loops."""
    sums[:] = 0
    total[:] = 0
    for j in range(their_a.shape[0]):
        k = np.uintp(j)
        row, at_a, at_b = k * _ENDS, their_a[k] * _ENDS, their_b[k] * _ENDS
        for n in range(lanes):
            lane = np.uintp(n)
            weight = faced[row + lane]
            total[lane] += weight
            sums[at_a + lane] += weight
            sums[at_b + lane] += weight
    for i in range(a.shape[0]):
        k = np.uintp(i)
        row, at_a, at_b = k * _ENDS, a[k] * _ENDS, b[k] * _ENDS
        itself = np.uintp(same[k]) * _ENDS
        for n in range(lanes):
            lane = np.uintp(n)
            met = total[lane] - (sums[at_a + lane] + sums[at_b + lane]) + faced[itself + lane]
            results[row + lane] = pays[lane] * met


@kernel
def plain(faced, their_a, their_b, a, b, same, sums, total, pays, results, lanes, times):
    """Lanes are counted at run time."""
    for _ in range(times):
        sweep(faced, their_a, their_b, a, b, same, sums, total, pays, results, lanes)


@kernel
def plain_fixed(faced, their_a, their_b, a, b, same, sums, total, pays, results, _lanes, times):
    """There are ENDS lanes, which is known when this is compiled."""
    for _ in range(times):
        sweep(faced, their_a, their_b, a, b, same, sums, total, pays, results, ENDS)


@kernel
def vectors(faced, their_a, their_b, a, b, same, sums, _total, pays, results, _lanes, times):
    """As the engine does it."""
    here = address_of(faced, np.uintp(0))
    none = np.uintp(0)
    for _ in range(times):
        fold_lanes(
            load_ends, faced, their_a, their_b, np.uintp(their_a.shape[0]), a, b, same,
            np.uintp(a.shape[0]), sums, pays, none, results, (here, here), none, none,
        )  # fmt: skip


def main() -> None:
    """Take turns, compare, record."""
    rng = np.random.default_rng(0)
    combos = np.array([(a, b) for a in range(47) for b in range(a)], np.uint8)
    theirs, own = (rng.choice(combos, n, replace=False) for n in (OTHERS, HANDS))
    number = {tuple(pair): k for k, pair in enumerate(theirs.tolist())}
    same = np.array([number.get(tuple(pair), OTHERS) for pair in own.tolist()], np.int16)
    faced = numbers((OTHERS + 1) * ENDS, np.float32)
    faced[: OTHERS * ENDS] = rng.random(OTHERS * ENDS, np.float32)
    pays = numbers(ENDS, np.float32)
    pays[:] = rng.random(ENDS, np.float32)
    sums, total = numbers(SUMS, np.float32), numbers(ENDS, np.float32)
    held = [np.ascontiguousarray(x) for x in (*theirs.T, *own.T)]
    ways: dict[str, Callable[..., Any]] = {
        "vector types": vectors,
        "plain loops, lanes counted at run time": plain,
        "plain loops, lanes known when compiled": plain_fixed,
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        found = []
        for name, way in ways.items():
            results = numbers(HANDS * ENDS, np.float32)
            arguments = (faced, *held, same, sums, total, pays, results, ENDS)
            way(*arguments, 1)
            start = time.perf_counter()
            way(*arguments, REPEATS)
            times[name].append((time.perf_counter() - start) / REPEATS)
            found.append(results)
        assert all(np.array_equal(each, found[0]) for each in found)
    rows = []
    for name, taken in times.items():
        ratios = [one / other for one, other in zip(taken, times["vector types"], strict=True)]
        middle = statistics.median(taken), statistics.median(ratios)
        rows.append([name, 1e6 * min(taken), 1e6 * middle[0], middle[1]])
    for row in rows:
        print(row)
    write_record(
        "plain_loops",
        f"Microseconds of a sweep of {HANDS} hands over {OTHERS} at {ENDS} folds; the best and the "
        f"median of {ROUNDS} interleaved rounds.",
        "python benchmarks/poker/plain_loops.py",
        ["sweep", "best", "median", "relative to vector types"],
        rows,
    )


if __name__ == "__main__":
    main()
