"""What several threads cost in quality: NashConv after equally many iterations in all.

    python benchmarks/solvers/merging.py      # about two minutes

One thread; threads whose tables are merged, with regrets averaged as the library does, and with
regrets added up for comparison; threads on one table. Periods are the usual ones.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR

SEEDS = range(5)
CASES = (
    ("leduc", "external", 3_000_000),
    ("leduc", "outcome", 6_000_000),
    ("liars_dice(sides=5)", "external", 3_000_000),
)


def averaged(tree: eq.GameTree, sampler: str, seed: int, threads: int, count: int) -> MCCFR:
    """The plan as it is."""
    return MCCFR(tree, sampler=sampler, seed=seed, threads=threads).run(count)


def added(tree: eq.GameTree, sampler: str, seed: int, threads: int, count: int) -> MCCFR:
    """The plan, with what a round adds to the regrets multiplied by the number of threads."""
    solver = MCCFR(tree, sampler=sampler, seed=seed, threads=threads)
    for _ in range(count // solver.period):
        before = solver.state.regret
        after = solver.run(solver.period).state
        regret = before + threads * (after.regret - before)
        solver.restore(replace(after, regret=regret))
    return solver.run(count - solver.iteration)


def main() -> None:
    """Run every case with every seed and write the record."""
    rows, raw = [], {}
    for game, sampler, count in CASES:
        tree = eq.compile_game(game)

        def nash_conv(solver: MCCFR) -> float:
            return eq.evaluate(solver.average_strategy()).nash_conv

        found: dict[str, list[float]] = {}
        for seed in SEEDS:
            ways = {
                "one thread": MCCFR(tree, sampler=sampler, seed=seed).run(count),
                "2 threads": averaged(tree, sampler, seed, 2, count),
                "8 threads": averaged(tree, sampler, seed, 8, count),
                "2 threads, added up": added(tree, sampler, seed, 2, count),
                "8 threads, added up": added(tree, sampler, seed, 8, count),
                "2 threads, one table": MCCFR(
                    tree, sampler=sampler, seed=seed, threads=2, shared=True
                ).run(count),
            }
            for way, solver in ways.items():
                found.setdefault(way, []).append(nash_conv(solver))
        rows.append([game, sampler, count, *map(statistics.mean, found.values())])
        raw[f"{game} {sampler}"] = found
        print(rows[-1], flush=True)
    write_record(
        "merging",
        f"NashConv after equally many iterations in all, means over {len(SEEDS)} seeds.",
        "python benchmarks/solvers/merging.py",
        ["game", "sampler", "iterations", *found],
        rows,
        seeds=list(SEEDS),
        nash_conv=raw,
    )


if __name__ == "__main__":
    main()
