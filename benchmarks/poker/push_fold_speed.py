"""Processor seconds of the all-in table and of push-or-fold games, on one thread.

    python benchmarks/poker/push_fold_speed.py      # five minutes

The table is counted anew, the charts of two players are solved with the table in memory, and those
of more with some deals, and as many to measure. A command adds the start of Python. Seconds are
those of the processor, so that other programs on the machine matter little.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.preflop.allin_counts import class_wins
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution
from equilibrist.poker.preflop.push_fold.solving import push_fold

ROUNDS = 3
DEALS = 100_000
CASES: list[tuple[str, Callable[[], Any]]] = [
    ("all-in table", partial(class_wins, 1)),
    ("two players, 10 bb", partial(push_fold, 10)),
    ("two players, 20 bb", partial(push_fold, 20)),
    ("two players of three, payouts", partial(push_fold, 10, payouts=[50, 30, 20], others=[5])),
    *(
        (f"{seats} players", partial(push_fold, 10, seats=seats, deals=DEALS, threads=1))
        for seats in (3, 4, 5, 6)
    ),
]


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and the result."""
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def quality(found: Any) -> str:
    """NashConv, or what is known of it."""
    if not isinstance(found, PushFoldSolution):
        return ""
    scale, unit = (1000, "mbb") if found.game.unit == "bb" else (100, "% of the prize pool")
    if found.interval is None:
        return f"{scale * max(found.nash_conv, 0.0):.1g} {unit}"
    low, high = (scale * each for each in found.interval)
    return f"{low:.2g} to {high:.2g} {unit}"


def main() -> None:
    """Time every case and write the record."""
    canonical_boards(5)
    push_fold(5)  # loads the table, the kernels and SciPy
    push_fold(5, seats=3, deals=1_000)
    rows, raw = [], {}
    for name, run in CASES:
        samples = []
        for _ in range(ROUNDS):
            seconds, found = timed(run)
            samples.append(seconds)
        rows.append([name, statistics.median(samples), quality(found)])
        raw[name] = samples
        print(rows[-1], flush=True)
    write_record(
        "push_fold_speed",
        f"Processor seconds on one thread, medians of {ROUNDS} rounds; 10 big blinds if none is "
        f"given. Three and more players: {DEALS:,} deals to solve, and as many to measure.",
        "python benchmarks/poker/push_fold_speed.py",
        ["what", "seconds", "NashConv"],
        rows,
        packages=("numpy", "numba", "scipy"),
        seed=0,
        seconds=raw,
    )


if __name__ == "__main__":
    main()
