"""What plain, trembling and quantal solutions lose where play comes only by a mistake.

    python benchmarks/poker/mistakes.py               # some minutes

The mistakes are the actions that the range of the plain solution takes less often than 0.5 %, the
same ones for every solution of a spot. Nothing depends on the machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker import Spot, measure_mistakes, solve

RIVER = Spot(
    board="Ts3h2h5c9s",
    oop="66+,A8s+,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    ip="QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+",
    pot=50, stack=400, bets="50%, 100%, a", raises="60%, a",
)  # fmt: skip
WIDE = RIVER.replace(
    board="KsTd7h4c2d",
    oop="22+,A2s+,A8o+,K8s+,KTo+,Q9s+,QTo+,J9s+,JTo,T8s+,97s+,86s+,75s+,65s,54s",
    ip="22+,A2s+,A5o+,K5s+,K9o+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,86s+,75s+,65s,54s",
    pot=60, stack=170, bets="33%, 75%, 130%", raises="50%, a",
)  # fmt: skip
TURN = RIVER.replace(board="Td9d6hQc", pot=100, stack=300, bets="60%", raises="a")
SPOTS = {"river, deep": RIVER, "river, wide": WIDE, "turn": TURN}
RUNS: dict[str, dict[str, Any]] = {
    "plain": {},
    "--tremble 0.001": {"tremble": 0.001},
    "--tremble 0.01": {"tremble": 0.01},
    "--quantal 0.02": {"quantal": 0.02},
    "--quantal 0.005": {"quantal": 0.005},
    "--quantal 0.002": {"quantal": 0.002},
}
ITERATIONS = 2_000


def main() -> None:
    """Solve, measure, and write the record."""
    rows: list[list[object]] = []
    for name, spot in SPOTS.items():
        weights: dict[str, float] = {}
        for run, options in RUNS.items():
            solution = solve(spot, iterations=ITERATIONS, threads=1, **options)
            mistakes = {m.line: m for m in measure_mistakes(solution, below=1.0).mistakes}
            if not options:
                weights = {m.line: m.weight for m in measure_mistakes(solution).mistakes}
            there = [line for line in weights if line in mistakes]
            share = np.array([weights[line] for line in there])
            losses = np.array([mistakes[line].loss for line in there])
            order = np.argsort(losses)
            place = np.searchsorted(np.cumsum(share[order]) / share.sum(), (0.5, 0.95))
            median, high = losses[order][np.minimum(place, len(losses) - 1)].tolist()
            mean = float(losses @ share / share.sum())
            gain = f"{solution.mean_gain_percent:.2g}"
            figures = [f"{loss:.2g}" for loss in (mean, median, high)]
            rows.append([name, run, gain, len(there), *figures])
            print(*rows[-1], flush=True)
    what = (
        f"After {ITERATIONS:,} iterations: exploitability in percent of the pot, and what the "
        "player who faces a mistake loses against a best response, in percent of the pot there: "
        "mean, median and 95th percentile of one mistake that is drawn by how often play comes to "
        "its decision. Mistakes are the actions that the range of the plain solution takes less "
        "often than 0.5 %."
    )
    columns = ["spot", "run", "exploitability", "mistakes", "mean", "median", "95 %"]
    write_record("mistakes", what, "python benchmarks/poker/mistakes.py", columns, rows)


if __name__ == "__main__":
    main()
