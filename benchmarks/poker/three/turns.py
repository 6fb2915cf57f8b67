"""Solve turns with three ranges to falling targets: iterations and seconds, on one thread and two.

    python benchmarks/poker/three/turns.py [--record] [NAME ...]

Without `--record` nothing is written. Some three minutes. Seconds are those of iterating and of
measuring every 25 iterations, with kernels compiled before and lists of the rivers made: of
processor time on one thread, by the clock on two.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from benchmarks.poker.three.rivers import RANGES
from benchmarks.record import write_record
from equilibrist.poker import ThreeSpot, solve_three
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.solver import ThreeSolver, memory_needed

SMALL = ThreeSpot(**RANGES, board="Qs9h5d3c", pot=60, stack=240, bets="50%", raises="a")
SPOTS = {
    "50 %, raises all-in": SMALL,
    "stacks 240 / 90 / 400": SMALL.replace(stack=None, stacks=[240, 90, 400]),
    "two suits on QsQh5s5h": SMALL.replace(board="QsQh5s5h"),
    "33 %, 75 %, all-in; 150 behind": SMALL.replace(stack=150, bets="33%, 75%, a", raises="75%, a"),
}
TARGETS = (1.0, 0.3, 0.1)
EVERY = 25


def seconds_to_targets(laid_out: HandsAndGames, threads: int) -> tuple[list[str], float, float]:
    """Iterations and seconds to each target; milliseconds of an iteration and of setting up."""
    clock = process_time if threads == 1 else perf_counter
    start = clock()
    solver = ThreeSolver(laid_out, SPOT_VARIANT, threads=threads)
    began = clock()
    prepared, spent, reached = began - start, 0.0, dict.fromkeys(TARGETS, "")
    while not reached[TARGETS[-1]]:
        start = clock()
        solver.run(EVERY)
        spent += clock() - start
        percent = 100 * solver.measure().nash_conv / laid_out.spot.pot
        for target in TARGETS:
            if percent <= target and not reached[target]:
                reached[target] = f"{solver.iteration} ({clock() - began:.1f} s)"
    return [*reached.values()], 1000 * spent / solver.iteration, 1000 * prepared


def main() -> None:
    """Solve them, print a line each, and write the record if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *SPOTS], default=[], metavar="NAME")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    solve_three(SMALL, iterations=1, threads=2)  # compiles
    rows = []
    for name in chosen.names or SPOTS:
        laid_out = HandsAndGames.of(SPOTS[name])
        for threads in (1, 2):
            reached, milliseconds, prepared = seconds_to_targets(laid_out, threads)
            rows.append(
                [
                    name,
                    " / ".join(str(len(held)) for held in laid_out.hands),
                    SPOTS[name].betting.num_nodes,
                    laid_out.runouts.count,
                    round(memory_needed(laid_out, threads) / 1e6),
                    threads,
                    round(prepared),
                    round(milliseconds, 1),
                    *reached,
                ]
            )
            print(*rows[-1], sep="  ", flush=True)
    if chosen.record:
        write_record(
            "three_turns",
            "Iterations, and in brackets seconds with a measurement every 25 iterations, until the "
            "gains of the three seats sum to that share of the pot: of processor time on one "
            "thread, by the clock on two. Rivers are those solved, MB what a run takes, ms before "
            "what listing the rivers' hands takes.",
            "python benchmarks/poker/three/turns.py --record",
            [
                "turn", "combos", "nodes", "rivers", "MB", "threads", "ms before",
                "ms an iteration", *(f"{t:g} %" for t in TARGETS),
            ],
            rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
