"""Compare three algorithms on a game: python examples/compare_three.py [GAME] [ALGORITHM ...]."""

from __future__ import annotations

import sys

import equilibrist as eq
from equilibrist.solvers import CFR


def main(game: str = "liars_dice(sides=3)", *algorithms: str) -> None:
    """Print NashConv of the average strategy after 10, 30, 100, 300 and 1,000 iterations."""
    tree = eq.compile_game(eq.load_game(game))
    names = algorithms or ("cfr", "dcfr", "pdcfr+")
    solvers = [CFR(tree, algorithm=name) for name in names]
    print(f"NashConv in {tree.name}, {tree.num_infosets:,} infosets")
    print("iteration " + "".join(f"{name:>12}" for name in names))
    for checkpoint in (10, 30, 100, 300, 1000):
        for solver in solvers:
            solver.run(checkpoint - solver.iteration)
        found = [eq.nash_conv(solver.average_strategy()) for solver in solvers]
        print(f"{checkpoint:9} " + "".join(f"{value:12.2e}" for value in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
