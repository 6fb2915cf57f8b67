"""The textbooks' outcome sampling on Kuhn poker: its floor, its value, and how both are lost.

python benchmarks/solvers/textbook_scheme.py
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.contrib.samplers import Textbook
from equilibrist.solvers import MCCFR
from equilibrist.solvers.sampling.outcome import Outcome

EPSILON = 0.06
SEEDS = 5
TRAJECTORIES = (100_000, 1_000_000, 10_000_000)
SCHEMES = (
    ("the textbooks', their average", Textbook(EPSILON), "soft"),
    ("the textbooks', proper average", Textbook(EPSILON), "proper"),
    ("outcome sampling", Outcome(EPSILON), "stochastic"),
)


def main() -> None:
    """Measure every scheme and write the record."""
    tree = eq.compile_game("kuhn")
    rows, raw = [], {}
    for name, sampler, averaging in SCHEMES:
        per_iteration = 1 if isinstance(sampler, Textbook) else tree.num_players
        solvers = [
            MCCFR(tree, sampler=sampler, averaging=averaging, seed=seed) for seed in range(SEEDS)
        ]
        for trajectories in TRAJECTORIES:
            measured = []
            for solver in solvers:
                solver.run(trajectories // per_iteration - solver.iteration)
                average = solver.average_strategy()
                report = eq.evaluate(average)
                lowest = float(average.probabilities.min())
                measured.append((lowest, report.values[0], report.exploitability))
            means = [statistics.mean(column) for column in zip(*measured, strict=True)]
            rows.append([name, trajectories, *means])
            raw[f"{name}, {trajectories}"] = measured
            print(rows[-1], flush=True)
    write_record(
        "textbook_scheme",
        f"Kuhn poker, epsilon {EPSILON}: the smallest probability in the average strategy, its "
        f"value and its exploitability; means of {SEEDS} seeds.",
        "python benchmarks/solvers/textbook_scheme.py",
        ["scheme", "trajectories", "smallest probability", "value of player 0", "exploitability"],
        rows,
        epsilon=EPSILON,
        measured=raw,
    )


if __name__ == "__main__":
    main()
