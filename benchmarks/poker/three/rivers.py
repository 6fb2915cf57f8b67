"""Solve rivers with three ranges to falling targets: iterations, and seconds of processor time.

    python benchmarks/poker/three/rivers.py [--record] [NAME ...]

Without `--record` nothing is written. One thread, some 20 seconds, most of them for full ranges.
Seconds are those of iterating and measuring every 25 iterations, kernels compiled before.
"""

from __future__ import annotations

import argparse
from time import process_time

from benchmarks.record import write_record
from equilibrist.poker import ThreeSpot, solve_three
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.solver import ThreeSolver

RANGES = {
    "oop": "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,98s,87s,ATo+,KJo+,QJo",
    "middle": "22+,A2s+,K5s+,Q7s+,J8s+,T8s+,97s+,87s,76s,65s,A7o+,KTo+,QTo+,JTo",
    "ip": "22+,A2s+,K7s+,Q8s+,J8s+,T8s+,97s+,87s,76s,A9o+,KTo+,QTo+,JTo",
}
ALL = "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"
LARGE = ThreeSpot(
    **RANGES, board="Qs9h5d3cJs", pot=60, stack=240, bets="33%, 75%, a", raises="75%, a"
)
SPOTS = {
    "33 %, 75 %, all-in": LARGE,
    "raises all-in only": LARGE.replace(raises="a"),
    "600 behind": LARGE.replace(stack=600, board="Kd8h5s8cAs"),
    "stacks 240 / 90 / 400": LARGE.replace(stack=None, stacks=[240, 90, 400]),
    "stacks 40 / 240 / 150": LARGE.replace(stack=None, stacks=[40, 240, 150]),
    "full ranges": LARGE.replace(oop=ALL, middle=ALL, ip=ALL),
}
TARGETS = (1.0, 0.3, 0.1)
EVERY = 25


def main() -> None:
    """Solve them, print a line each, and write the record if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *SPOTS], default=[], metavar="NAME")
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    solve_three(LARGE, iterations=1)  # compiles
    rows = []
    for name in chosen.names or SPOTS:
        laid_out = HandsAndGames.of(SPOTS[name])
        solver = ThreeSolver(laid_out, SPOT_VARIANT)
        spent, reached, began = 0.0, dict.fromkeys(TARGETS, ""), process_time()
        while not reached[TARGETS[-1]]:
            start = process_time()
            solver.run(EVERY)
            spent += process_time() - start
            percent = 100 * solver.measure().nash_conv / SPOTS[name].pot
            for target in TARGETS:
                if percent <= target and not reached[target]:
                    seconds = process_time() - began
                    reached[target] = f"{solver.iteration} ({seconds:.2f} s)"
        rows.append(
            [
                name,
                " / ".join(str(len(held)) for held in laid_out.hands),
                SPOTS[name].betting.num_nodes,
                round(1000 * spent / solver.iteration, 2),
                *reached.values(),
            ]
        )
        print(*rows[-1], sep="  ", flush=True)
    if chosen.record:
        write_record(
            "three_ranges",
            "Iterations, and in brackets seconds of processor time on one thread with a "
            "measurement every 25 iterations, until the gains of the three seats sum to that share "
            "of the pot.",
            "python benchmarks/poker/three/rivers.py --record",
            ["river", "combos", "nodes", "ms an iteration", *(f"{t:g} %" for t in TARGETS)],
            rows,
        )


if __name__ == "__main__":
    main()
