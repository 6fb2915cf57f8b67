"""What pruning does to external sampling, after equally many visited histories.

python benchmarks/solvers/pruning.py
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR

SEEDS = 5
RANGES = (100, 1_000, 10_000)
"""Thresholds, in the payoff range of the game."""
CASES = (
    ("leduc", 50_000_000),
    ("liars_dice(sides=5)", 100_000_000),
    ("goofspiel(cards=5,imp_info=true,points_order=descending)", 200_000_000),
)


def run(tree: eq.GameTree, sampler: str, histories: int, seed: int) -> MCCFR:
    """A solver that has visited so many histories, and at most one percent more."""
    solver = MCCFR(tree, sampler=sampler, seed=seed)
    while solver.nodes_touched < histories:
        left = (histories - solver.nodes_touched) / solver.nodes_per_iteration
        solver.run(max(1 + round(left / 8), solver.iteration // 400))
    return solver


def main() -> None:
    """Measure every case and write the record."""
    rows = []
    for game, histories in CASES:
        tree = eq.compile_game(game)
        for times in (None, *RANGES):
            sampler = "external"
            if times is not None:
                sampler = f"external(prune={times * tree.payoff_range})"
            runs = [run(tree, sampler, histories, seed) for seed in range(SEEDS)]
            iterations = round(statistics.mean(one.iteration for one in runs))
            found = statistics.mean(eq.nash_conv(one.average_strategy()) for one in runs)
            threshold = "none" if times is None else f"{times:,} ranges"
            rows.append([game.partition("(")[0], histories, threshold, iterations, found])
            print(rows[-1], flush=True)
    write_record(
        "pruning",
        f"External sampling up to the given number of visited histories, with thresholds in "
        f"payoff ranges; means over {SEEDS} seeds. Goofspiel with 5 cards in descending order and "
        f"secret bids, liar's dice with 5 sides.",
        "python benchmarks/solvers/pruning.py",
        ["game", "histories", "threshold", "iterations", "NashConv"],
        rows,
    )


if __name__ == "__main__":
    main()
