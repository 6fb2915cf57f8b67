"""Iterations per second of Monte Carlo CFR on several threads against one, taken in turn.

    python benchmarks/solvers/threads.py      # about a minute; the machine must be idle

Every round times a stretch of each way, of about half a second: one thread, threads whose tables
are merged, threads on one table. Rounds go on from where the last one ended.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record

THREADS = 2
ROUNDS = 9
STRETCH = 0.5
"""Seconds."""
CASES = (
    ("leduc", "external", 1.7),
    ("leduc", "outcome", 1.7),
    ("kuhn", "external", "-"),
    ("liars_dice(sides=6)", "external", "-"),
    ("leduc(players=3)", "external", "-"),
)
WAYS = {
    "one thread": {},
    "merged": {"threads": THREADS},
    "shared": {"threads": THREADS, "shared": True},
}


def timed(solver: eq.MCCFR, iterations: int) -> float:
    """Seconds that so many iterations take."""
    start = time.perf_counter()
    solver.run(iterations)
    return time.perf_counter() - start


def stretch(solver: eq.MCCFR, period: int) -> int:
    """Whole periods that take about STRETCH seconds; the solver is warm afterwards."""
    solver.run(period)
    return period * max(1, round(STRETCH / timed(solver, period)))


def main() -> None:
    """Time every case and write the record."""
    rows, raw = [], {}
    for game, sampler, asked in CASES:
        tree = eq.compile_game(game)
        period = eq.MCCFR(tree, sampler, threads=THREADS).period
        solvers = {way: eq.MCCFR(tree, sampler, **options) for way, options in WAYS.items()}
        count = {way: stretch(solver, period) for way, solver in solvers.items()}
        rates: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(ROUNDS):
            for way, solver in solvers.items():
                rates[way].append(count[way] / timed(solver, count[way]))
        ratios = {
            way: statistics.median(
                mine / one for mine, one in zip(rates[way], rates["one thread"], strict=True)
            )
            for way in WAYS
        }
        medians = [statistics.median(rates[way]) / 1e6 for way in WAYS]
        rows.append([game, sampler, period, *medians, ratios["merged"], ratios["shared"], asked])
        raw[f"{game} {sampler}"] = rates
        print(rows[-1], flush=True)
    write_record(
        "threads",
        f"Millions of iterations per second, medians of {ROUNDS} rounds in turn; ratios are "
        f"medians of the rounds' ratios.",
        "python benchmarks/solvers/threads.py",
        [
            "game",
            "sampler",
            "period",
            "one thread",
            f"{THREADS} threads, merged",
            f"{THREADS} threads, one table",
            "merged / one thread",
            "one table / one thread",
            "ratio asked (merged)",
        ],
        rows,
        seed=0,
        iterations_per_second=raw,
    )


if __name__ == "__main__":
    main()
