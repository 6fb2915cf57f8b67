"""How much luck AIVAT takes out of a hand, exactly: standard deviations over all hands.

    python benchmarks/aivat.py      # about half a minute

A solution of known strategy plays, in each seat, against somebody of whom nothing is known, who
plays the solution too, or mixes all actions alike, or responds best. Nothing is sampled.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.evaluation import best_response
from equilibrist.play import Aivat
from equilibrist.tree.walk.histories import TERMINAL_MARK

GAMES = ("kuhn", "leduc", "liars_dice(sides=4)")
TARGET = 1e-3


def deviations(solution: eq.Strategy, other: eq.Strategy, seat: int) -> tuple[float, float]:
    """Of the seat's payoff and of its estimate, per hand, where `other` sits opposite."""
    aivat = Aivat.of(solution, {seat: solution})
    levels = aivat.levels
    edge = levels.edge_probability(other.replace(seat, solution).probabilities)
    reach = np.ones(len(edge))
    for low, high in levels.ranges:
        reach[low:high] = reach[levels.parent[low:high]] * edge[low:high]
    ends = levels.infoset == TERMINAL_MARK
    found = []
    for amounts in (levels.values(edge), aivat.estimates):
        at_ends = amounts[ends, seat]
        mean = reach[ends] @ at_ends
        found.append(float(np.sqrt(reach[ends] @ (at_ends - mean) ** 2)))
    return found[0], found[1]


def main() -> None:
    """Every game and opponent; write the record."""
    rows = []
    for game in GAMES:
        solution = eq.solve(game, target=TARGET).strategy
        tree = solution.tree
        for seat in range(2):
            opponents = {
                "the solution": solution,
                "uniform": eq.Strategy.uniform(tree),
                "best response": best_response(solution, 1 - seat).strategy,
            }
            for name, opponent in opponents.items():
                paid, left = deviations(solution, opponent, seat)
                rows.append([game, seat, name, paid, left, (paid / left) ** 2])
    write_record(
        "aivat",
        f"Exact standard deviation of a hand's payoff and of its AIVAT estimate, and the factor "
        f"by which payoffs need more hands for the same interval. Solutions by dcfr to "
        f"{TARGET:g}.",
        "python benchmarks/aivat.py",
        ["game", "seat of the solution", "opponent", "payoff", "AIVAT", "hands, factor"],
        rows,
        target=TARGET,
    )


if __name__ == "__main__":
    main()
