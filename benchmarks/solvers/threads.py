"""Iterations per second of Monte Carlo CFR on several threads against one, taken in turn.

    python benchmarks/solvers/threads.py      # two minutes; the machine must be idle

Every round times a stretch of each way, of about half a second: one thread, threads whose tables
are merged, threads on one table. Rounds go on from where the last one ended.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.solvers import MCCFR
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR

Solver = MCCFR | ImplicitMCCFR

THREADS = 2
ROUNDS = 9
STRETCH = 0.5
"""Seconds."""
CASES = (
    ("leduc", "external", 1.7),
    ("leduc", "outcome", 1.7),
    ("kuhn", "external", None),
    ("liars_dice(sides=6)", "external", None),
    ("leduc(players=3)", "external", None),
    ("rules:leduc(players=3)", "external", None),
    ("rules:liars_dice(dice=2,sides=6)", "external", None),
)
"""Game, sampler, and the least ratio, which stands in the record alone.

The last two have no tree; an iteration has one trajectory per player."""
MEMORY = 6 << 30
"""Bytes for the tables of the game without a tree."""
WAYS = {
    "one thread": {},
    "merged": {"threads": THREADS},
    "shared": {"threads": THREADS, "shared": True},
}


def solver_of(game: str, sampler: str, **options: Any) -> Solver:
    """The game's solver, with its tree or without."""
    if game.startswith("rules:"):
        return ImplicitMCCFR(game, sampler=sampler, memory=MEMORY, **options)
    return MCCFR(game, sampler=sampler, **options)


def timed(solver: Solver, iterations: int) -> float:
    """Seconds that so many iterations take."""
    start = time.perf_counter()
    solver.run(iterations)
    return time.perf_counter() - start


def stretch(solver: Solver, period: int) -> int:
    """Whole periods that take about STRETCH seconds; the solver is warm afterwards."""
    solver.run(period)
    return period * max(1, round(STRETCH / timed(solver, period)))


def main() -> None:
    """Time every case and write the record."""
    rows, raw = [], {}
    for game, sampler, _ in CASES:
        period = solver_of(game, sampler, threads=THREADS).period
        ways = {way: WAYS[way] for way in WAYS if way != "shared" or "rules:" not in game}
        solvers = {way: solver_of(game, sampler, **options) for way, options in ways.items()}
        count = {way: stretch(solver, period) for way, solver in solvers.items()}
        rates: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, solver in solvers.items():
                rates[way].append(count[way] / timed(solver, count[way]))
        ratios = {
            way: statistics.median(
                mine / one for mine, one in zip(rates[way], rates["one thread"], strict=True)
            )
            for way in ways
        }
        medians = [statistics.median(rates[way]) / 1e6 if way in ways else "-" for way in WAYS]
        shared = ratios.get("shared", "-")
        rows.append([game, sampler, period, *medians, ratios["merged"], shared])
        raw[f"{game} {sampler}"] = rates
        print(rows[-1], flush=True)
    write_record(
        "threads",
        f"Millions of iterations per second, medians of {ROUNDS} rounds in turn.",
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
        ],
        rows,
        targets={"merged / one thread": [target for _, _, target in CASES]},
        seed=0,
        iterations_per_second=raw,
    )


if __name__ == "__main__":
    main()
