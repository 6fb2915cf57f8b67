"""Iterations of spots with and without terminal nodes for the opponent's folds on the last street.

    python benchmarks/poker/fold_lanes.py

Both run in turns in one process, and processor time counts: the ratio of each round is that of two
neighbours, which other work slows alike.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist.kernels import ENDS, TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import Program
from equilibrist.poker import Spot
from equilibrist.poker.postflop.engine.betting_layout import betting_program
from equilibrist.poker.postflop.solving.solver import SpotSolver

_OOP = "22+,A2s+,A5o+,K5s+,K9o+,Q7s+,QTo+,J7s+,JTo,T7s+,97s+,86s+,75s+,65s,54s"
_IP = (
    "99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,98o,86s+,75s+,64s+,53s+,43s"
)
CASES: dict[str, tuple[Spot, int, int]] = {
    "river": (
        Spot(
            board="Ks9h5d3c8s", oop=_OOP, ip=_IP, pot=100, stack=300, bets="33%, 75%, a",
            raises="2.5x, a",
        ),
        9, 99,
    ),
    "paired turn": (
        Spot(
            board="7h7c2dJs", oop=_OOP, ip=_IP, pot=100, stack=250, bets="50%, a", raises="a"
        ),
        4, 99,
    ),
    "turn": (SPOTS["turn"], 3, 99),
    "wide turn": (
        Spot(
            board="As8s3sKd", oop=_OOP, ip=_IP, pot=60, stack=970, bets="33%, 75%, 150%",
            raises="3x", add_all_in="120%", force_all_in="10%",
        ),
        1, 25,
    ),
    "flop": (SPOTS["flop"], 1, 15),
}  # fmt: skip
"""Spots, iterations of a turn, which is short beside the time slices of a busy host, and rounds."""


def solver(spot: Spot, *, shifted: bool) -> SpotSolver:
    """A solver, whose values are counted from baselines or not."""
    made = SpotSolver(spot)
    if not shifted:
        traversal = made.engine.traversal
        game, real = traversal._layout.game, traversal._layout.real
        plain = betting_program(game.tree, game.streets, real, compact=True)
        traversal.__dict__.pop("_scratch", None)
        traversal.__dict__["_compact"] = plain
    return made


def lanes(program: Program) -> int:
    """Lanes that are evaluated on a board of the last street, of both players."""
    total = 0
    for player in (0, 1):
        folds = int(program.folds[player, -1])
        left = filled_up(folds % ENDS, TILE) + folds // ENDS * ENDS
        total += filled_up(int(program.showdowns[player, -1]), ENDS) + left
    return total


def main() -> None:
    """Take turns, compare, record."""
    rows: list[list[Any]] = []
    for name, (spot, count, rounds) in CASES.items():
        solvers = [solver(spot, shifted=shifted) for shifted in (False, True)]
        times: list[list[float]] = [[], []]
        for each in solvers:
            each.run(count)
        for turn in range(rounds):
            for k in ((0, 1), (1, 0))[turn % 2]:
                start = time.process_time()
                solvers[k].run(count)
                times[k].append(1e3 * (time.process_time() - start) / count)
        ratios = [one / other for one, other in zip(*times, strict=True)]
        evaluated = [lanes(each.engine.traversal._compact.program) for each in solvers]
        middle = [statistics.median(each) for each in times]
        lower, _, upper = statistics.quantiles(ratios, n=4)
        span = f"{lower:.2f} to {upper:.2f}"
        rows.append([name, *evaluated, *middle, statistics.median(ratios), span])
        print(rows[-1])
    write_record(
        "fold_lanes",
        "Terminal nodes of both players on a river board, filled up to whole vectors, and "
        "milliseconds of processor time of an iteration with one thread: with the opponent's folds "
        "and without; medians of 15 to 99 interleaved rounds. Other work ran beside them.",
        "python benchmarks/poker/fold_lanes.py",
        ["spot", "nodes with folds", "without", "ms with folds", "without", "times faster",
         "in the middle half of rounds"],
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    main()
