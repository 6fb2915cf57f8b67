"""Seconds of the all-in table and of push-or-fold games.

    python benchmarks/poker/push_fold_speed.py      # three minutes; the machine should be idle

The table is counted on one thread and on two in turn, the charts of two players are solved with the
table in memory, and those of more with so many deals. A command adds the start of Python.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.preflop.allin_counts import class_wins
from equilibrist.poker.preflop.push_fold import push_fold

ROUNDS = 5
DEALS = 1_000_000
BUBBLE: dict[str, Any] = {"payouts": [50, 30, 20], "others": [5]}
CASES: list[tuple[str, Callable[[int], Any]]] = [
    ("all-in table", class_wins),
    ("two players, 10 bb", lambda threads: push_fold(10, threads=threads)),
    ("two players, 20 bb", lambda threads: push_fold(20, threads=threads)),
    ("two of three players, ICM", lambda threads: push_fold(10, threads=threads, **BUBBLE)),
    *(
        (f"{seats} players, {DEALS:,} deals", lambda threads, seats=seats: push_fold(
            10, seats=seats, deals=DEALS, threads=threads
        ))
        for seats in (3, 4, 5, 6)
    ),
]  # fmt: skip


def timed(run: Callable[[int], Any], threads: int) -> float:
    """Seconds."""
    start = time.perf_counter()
    run(threads)
    return time.perf_counter() - start


def main() -> None:
    """Time every case and write the record."""
    canonical_boards(5)
    push_fold(5)  # loads the table, the kernels and SciPy
    push_fold(5, seats=3, deals=1_000)
    rows, raw = [], {}
    for name, run in CASES:
        samples: dict[str, list[float]] = {"1": [], "2": []}
        for _ in range(ROUNDS):
            for threads, seconds in samples.items():
                seconds.append(timed(run, int(threads)))
        one, two = (statistics.median(seconds) for seconds in samples.values())
        rows.append([name, one, two, one / two])
        raw[name] = samples
        print(rows[-1], flush=True)
    write_record(
        "push_fold_speed",
        f"Seconds, medians of {ROUNDS} interleaved rounds; with three and more players to solve "
        "and to measure.",
        "python benchmarks/poker/push_fold_speed.py",
        ["what", "one thread", "two threads", "one / two threads"],
        rows,
        packages=("numpy", "numba", "scipy"),
        seed=0,
        seconds=raw,
    )


if __name__ == "__main__":
    main()
