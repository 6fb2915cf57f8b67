"""Seconds and iterations that variants take on spots: what the defaults of spots rest on.

    python benchmarks/poker/spot_variants.py            # all; an hour on an idle machine
    python benchmarks/poker/spot_variants.py turn flop headline      # the records of these spots
    python benchmarks/poker/spot_variants.py elsewhere       # iterations on other spots

Inputs are the spot with ranges that differ by up to 0.1 %, for convergence is chaotic; variants
take turns at each. `own reach` averages by the player's own reach, as the theory says. `elsewhere`
counts iterations, which do not depend on the machine, on spots of other boards, stacks and sizes:
on those and on the turn spot the exponents of the defaults were chosen, in trials of which there is
no record.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import HEADLINE, SPOTS, TURN, perturbed
from benchmarks.record import write_record
from equilibrist.poker import Spot
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import RESTARTS, SPOT_VARIANT
from equilibrist.poker.postflop.spot.fields import Storage

ALL = (RESTARTS.name, SPOT_VARIANT.name, "dcfr", "dcfr(gamma=3)", "dcfr(gamma=5)", "dcfr+", "cfr+",
       "pcfr+", "pdcfr+")  # fmt: skip
FAST = ALL[:6]
AVERAGES = {False: "all alike", True: "own reach"}
COMPARISONS: dict[str, tuple[int, tuple[tuple[str, bool], ...]]] = {
    "turn": (30, tuple((name, weighted) for name in ALL for weighted in AVERAGES)),
    "flop": (10, (*((name, False) for name in FAST), (RESTARTS.name, True))),
    "headline": (5, (*((name, False) for name in FAST), (RESTARTS.name, True))),
}
"""Inputs, and who runs."""
ELSEWHERE = {
    "monotone": TURN.replace(board="Ts8s3sKd", donks=""),
    "paired": TURN.replace(board="7h7dAcJd", donks=""),
    "shallow": TURN.replace(stack=250),
    "deep": TURN.replace(stack=3000, bets="33%, 75%, 150%", raises="50%"),
    "raked": TURN.replace(rake="5%", rake_cap=30),
    "wide": HEADLINE.replace(board="QsJh2h5c"),
    "wide, small bets": HEADLINE.replace(board="2c3d8hKs", bets="33%", raises="100%"),
    "river": TURN.replace(board="Td9d6hQc2s", donks=""),
    "wide river": HEADLINE.replace(
        board="QsJh2h5c8d", bets="33%, 75%, e, a", raises="60%, a"
    ),
}  # fmt: skip
STORED: tuple[tuple[str, Storage], ...] = (
    *((name, "float32") for name in FAST),
    (RESTARTS.name, "int16"),
    (SPOT_VARIANT.name, "int16"),
)
LEVELS = (0.005, 0.003, 0.001)
FEW = 5
"""Inputs of the other spots."""
STEP = 10
MOST = 1000


def run_to(solver: SpotSolver, pot: float, levels: tuple[float, ...]) -> list[tuple[float, int]]:
    """Seconds and iterations until the first measurement at each level.

    Where there is none, up to MOST iterations, it is infinitely many seconds, and MOST + STEP.
    """
    found: list[tuple[float, int]] = []
    spent = 0.0
    while len(found) < len(levels) and solver.iteration < MOST:
        start = time.perf_counter()
        solver.run(STEP)
        reached = solver.mean_gain() / pot
        spent += time.perf_counter() - start
        while len(found) < len(levels) and reached <= levels[len(found)]:
            found.append((spent, solver.iteration))
    return found + [(math.inf, MOST + STEP)] * (len(levels) - len(found))


def compare_on(spot_name: str) -> None:
    """Compare, print, record."""
    inputs, runners = COMPARISONS[spot_name]
    spot = SPOTS[spot_name]
    taken: dict[tuple[str, bool], list[list[tuple[float, int]]]] = {each: [] for each in runners}
    for seed in range(inputs):
        given, begin = perturbed(spot, seed), seed % len(runners)
        for name, weighted in (*runners[begin:], *runners[:begin]):
            taken[name, weighted].append(
                run_to(
                    SpotSolver(given, threads=2, algorithm=name, reach_weighted=weighted),
                    spot.pot,
                    LEVELS,
                )
            )
            print(spot_name, seed, name, weighted, taken[name, weighted][-1], flush=True)
    rows, samples = [], {}
    for (name, weighted), found in taken.items():
        seconds = [[each[0] for each in run] for run in found]
        counts = [[each[1] for each in run] for run in found]
        rows.append([name, AVERAGES[weighted], *medians(seconds), *shown(medians(counts))])
        samples[f"{name}, {AVERAGES[weighted]}"] = {"seconds": seconds, "iterations": counts}
    write_record(
        f"spot_variants_{spot_name}",
        f"Seconds with two threads, and iterations, to 0.5, 0.3 and 0.1 % of the pot; medians over "
        f"{inputs} inputs.",
        f"python benchmarks/poker/spot_variants.py {spot_name}",
        ["variant", "average", "0.5 %", "0.3 %", "0.1 %", "iterations to 0.5 %", "to 0.3 %",
         "to 0.1 %"],
        rows,
        samples=samples,
    )  # fmt: skip


def run_elsewhere() -> None:
    """Iterations on other spots to the last level."""
    rows, samples = [], {}
    for name, storage in STORED:
        counted = {
            place: [
                iterations(perturbed(spot, seed), name, storage) for seed in range(FEW)
            ]
            for place, spot in ELSEWHERE.items()
        }  # fmt: skip
        rows.append([name, storage, *shown([statistics.median(all_) for all_ in counted.values()])])
        samples[f"{name}, {storage}"] = counted
        print(rows[-1], flush=True)
    write_record(
        "spot_variants_elsewhere",
        f"Iterations to 0.1 % of the pot on other spots; medians over {FEW} inputs.",
        "python benchmarks/poker/spot_variants.py elsewhere",
        ["variant", "storage", *ELSEWHERE],
        rows,
        samples=samples,
    )


def iterations(spot: Spot, name: str, storage: Storage) -> int:
    """To the last level."""
    return run_to(SpotSolver(spot, storage=storage, algorithm=name), spot.pot, LEVELS[-1:])[0][1]


def medians(runs: list[list[float]] | list[list[int]]) -> list[float]:
    """Of each level."""
    return [statistics.median(column) for column in zip(*runs, strict=True)]


def shown(counts: list[float]) -> list[int | str]:
    """Iterations, or that they were not enough."""
    return [int(number) if number <= MOST else f"over {MOST:,}" for number in counts]


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = [*COMPARISONS, "elsewhere"]
    parser.add_argument("records", nargs="*", help=", ".join(known))
    given = parser.parse_args().records or known
    if unknown := [name for name in given if name not in known]:
        parser.error(f"no record is called {', '.join(unknown)}; known: {', '.join(known)}")
    for name in given:
        if name == "elsewhere":
            run_elsewhere()
        else:
            compare_on(name)


if __name__ == "__main__":
    main()
