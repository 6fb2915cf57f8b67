"""Write `iterates.npz` anew: strategies of the plain recursion after 1, 5 and 15 iterations.

Run it only when results are meant to change: python -m tests.golden.record
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.walk import walk
from equilibrist.solvers.variants.registry import VARIANTS

PATH = Path(__file__).with_name("iterates.npz")
GAMES = ("kuhn", "random_tree(seed=3,depth=7,zero_sum=false)")
STOPS = (1, 5, 15)
HORIZON = 20
ORDERS = {"alternating": True, "simultaneous": False}


def cases() -> list[tuple[str, str, str]]:
    """(game, variant, order) of every recorded run."""
    return [(game, name, order) for game in GAMES for name in VARIANTS for order in ORDERS]


def recorded(game: str, name: str, order: str) -> np.ndarray:
    """float64[3, 2, number of actions]: average and next strategy at each stop.

    Infosets stand in the order of the recursion's first visits.
    """
    solver = ReferenceCFR(walk(load_game(game)), VARIANTS[name], ORDERS[order], HORIZON)
    rows = []
    for stop in STOPS:
        solver.run(stop - solver.iteration)
        pair = solver.average_strategy(), solver.strategy
        rows.append([[x for key in solver.game.infosets for x in table[key]] for table in pair])
    return np.array(rows)


if __name__ == "__main__":
    np.savez_compressed(PATH, **{" | ".join(case): recorded(*case) for case in cases()})
