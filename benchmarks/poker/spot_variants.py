"""Iterations that variants take on the turn spot: what the default of spots rests on.

    python benchmarks/poker/spot_variants.py

Ten inputs whose ranges differ by up to 0.1 %, for convergence is chaotic. `weighted` averages by
the player's own reach, as the theory says. Iterations do not depend on the machine.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import TURN, perturbed
from benchmarks.record import write_record
from equilibrist.poker.restarts import SPOT_VARIANT
from equilibrist.poker.spot_solver import HoldemSolver

VARIANTS = (None, "dcfr", "dcfr(gamma=3)", "dcfr+", "cfr+", "pcfr+", "pdcfr+")
LEVELS = (0.005, 0.003, 0.001)
INPUTS = 10
STEP = 10
MOST = 1000


def iterations_to(levels: tuple[float, ...], solver: HoldemSolver) -> list[int]:
    """The iteration of the first measurement at each level, MOST + STEP where there is none."""
    found: list[int] = []
    while len(found) < len(levels) and solver.iteration < MOST:
        solver.run(STEP)
        reached = solver.exploitability() / TURN.pot
        while len(found) < len(levels) and reached <= levels[len(found)]:
            found.append(solver.iteration)
    return found + [MOST + STEP] * (len(levels) - len(found))


def main() -> None:
    """Race, print, record."""
    rows, samples = [], {}
    for variant in VARIANTS:
        for weighted in (False, True):
            taken = [
                iterations_to(
                    LEVELS,
                    HoldemSolver(perturbed(TURN, seed), variant=variant, weighted=weighted),
                )
                for seed in range(INPUTS)
            ]
            name = variant or SPOT_VARIANT.name
            middle = [int(statistics.median(column)) for column in zip(*taken, strict=True)]
            shown = [number if number <= MOST else f"over {MOST:,}" for number in middle]
            rows.append([name, "own reach" if weighted else "all alike", *shown])
            samples[f"{name}, {rows[-1][1]}"] = taken
            print(rows[-1], flush=True)
    write_record(
        "spot_variants",
        f"Iterations until exploitability is at most 0.5, 0.3 and 0.1 % of the pot on the turn "
        f"spot, measured every {STEP}; medians over {INPUTS} inputs whose ranges differ by up to "
        "0.1 %.",
        "python benchmarks/poker/spot_variants.py",
        ["variant", "average", "0.5 %", "0.3 %", "0.1 %"],
        rows,
        samples=samples,
    )


if __name__ == "__main__":
    main()
