"""What learned baselines do to the noise of sampled regrets, and to what is found with them.

    python benchmarks/solvers/baselines.py

The variance is that of what one iteration adds to the regrets, summed over infosets and actions,
from 2,000 iterations that all start from the same tables: those of a run with learned baselines.
NashConv is after equally many iterations, not after equal time: those with baselines take longer.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR

SEEDS = 8
TRIALS = 2_000
GOOFSPIEL = "goofspiel(cards=4,imp_info=true,points_order=descending)"
CASES = (
    ("leduc", "outcome", 300_000),
    ("leduc", "external", 30_000),
    ("liars_dice(sides=4)", "outcome", 300_000),
    ("liars_dice(sides=4)", "external", 30_000),
    (GOOFSPIEL, "outcome", 300_000),
    (GOOFSPIEL, "external", 30_000),
)


def variance(solver: MCCFR, sampler: str) -> float:
    """Of what an iteration adds to the regrets of `solver`, if `sampler` takes it."""
    state = solver.state
    other = MCCFR(solver.tree, sampler=sampler, seed=solver.seed)
    added = []
    for k in range(TRIALS):
        other.restore(replace(state, iteration=state.iteration + k)).run(1)
        added.append(other.state.regret - state.regret)
    return float(np.var(added, axis=0, ddof=1).sum())


def nash_conv(tree: eq.GameTree, sampler: str, iterations: int) -> float:
    """The mean over seeds after so many iterations."""
    runs = (MCCFR(tree, sampler=sampler, seed=seed).run(iterations) for seed in range(SEEDS))
    return statistics.mean(eq.nash_conv(run.average_strategy()) for run in runs)


def main() -> None:
    """Measure every case and write the record."""
    rows = []
    for game, name, iterations in CASES:
        tree = eq.compile_game(game)
        learned = f"{name}(baseline=learned)"
        solver = MCCFR(tree, sampler=learned, seed=0).run(iterations)
        samplers = (name, learned, f"{name}(baseline=oracle)")
        none, some, least = (variance(solver, sampler) for sampler in samplers)
        found = [nash_conv(tree, sampler, iterations) for sampler in (name, learned)]
        rows.append([game.partition("(")[0], name, iterations, some / none, least / none, *found])
        print(rows[-1], flush=True)
    write_record(
        "baselines",
        f"Variance relative to sampling without baselines, from {TRIALS:,} iterations each; "
        f"NashConv as a mean over {SEEDS} seeds. Goofspiel with 4 cards in descending order and "
        f"secret bids, liar's dice with 4 sides.",
        "python benchmarks/solvers/baselines.py",
        [
            "game",
            "sampler",
            "iterations",
            "variance, learned",
            "variance, oracle",
            "NashConv, none",
            "NashConv, learned",
        ],
        rows,
    )


if __name__ == "__main__":
    main()
