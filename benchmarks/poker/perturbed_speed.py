"""What iterations with trembles and with logit responses take, against plain ones.

    python benchmarks/poker/perturbed_speed.py               # a minute or two

Runs of a spot take turns, and each round compares them with the plain one next to it: processor
time of one thread, iterations alone, in float32.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.mistakes import SPOTS
from benchmarks.record import write_record
from equilibrist.poker.postflop.solving.solver import SpotSolver

RUNS: dict[str, dict[str, Any]] = {
    "plain": {},
    "--tremble 0.001": {"tremble": 0.001},
    "--quantal 0.005": {"quantal": 0.005},
}
ROUNDS = 9
SECONDS = 0.25
"""Of a plain run in a round."""
MOST = 90
"""Iterations of a run in a round: small spots go on in float64 after 1,000 in all."""


def seconds_of(solver: SpotSolver, iterations: int) -> float:
    """The processor time of more iterations."""
    start = time.thread_time()
    solver.run(iterations)
    return time.thread_time() - start


def main() -> None:
    """Measure, and write the record."""
    rows: list[list[object]] = []
    for name, spot in SPOTS.items():
        solvers = {run: SpotSolver(spot, threads=1, **options) for run, options in RUNS.items()}
        for solver in solvers.values():
            solver.run(3)  # loads kernels, and touches all memory
        each = seconds_of(solvers["plain"], 10) / 10
        iterations = max(2, min(round(SECONDS / each), MOST))
        rounds = [
            {run: seconds_of(solver, iterations) for run, solver in solvers.items()}
            for _ in range(ROUNDS)
        ]
        for run in RUNS:
            ratios = sorted(taken[run] / taken["plain"] for taken in rounds)
            spent = median(taken[run] for taken in rounds) / iterations
            span = "" if run == "plain" else f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            rows.append([name, run, f"{1000 * spent:.3g}", f"{median(ratios):.2f}", span])
            print(*rows[-1], flush=True)
    what = (
        "Milliseconds of processor time of an iteration with one thread, the median of "
        f"{ROUNDS} rounds, and how many times as long as the plain iterations of the same round "
        "it takes: median, least and most."
    )
    columns = ["spot", "run", "ms", "times", "from to"]
    write_record(
        "perturbed_speed", what, "python benchmarks/poker/perturbed_speed.py", columns, rows
    )


if __name__ == "__main__":
    main()
