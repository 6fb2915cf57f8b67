"""Solve flops with three ranges to falling targets: iterations, seconds and memory.

    python benchmarks/poker/three/flops.py [--record] [--iterations N] [NAME ...]

Without `--record` nothing is written. Some half an hour, and the memory that is printed first.
With `--iterations` no target is awaited: so many iterations and one measurement are timed.
Seconds are by the clock, with kernels compiled before.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from benchmarks.poker.three.rivers import RANGES
from benchmarks.record import write_record
from equilibrist.poker import ThreeSpot, solve_three
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.solver import ThreeSolver, memory_needed

SMALL = ThreeSpot(**RANGES, board="Qs9h5d", pot=60, stack=240, bets="50%", raises="a")
NARROW = SMALL.replace(oop="99+,AQs+,KQs,JTs", middle="88+,AJs+,KQs", ip="66+,ATs+,AKo,KQs,T9s")
SPOTS = {
    "narrow ranges": NARROW,
    "50 %, raises all-in": SMALL,
    "three of a suit on Qs9s5s": SMALL.replace(board="Qs9s5s"),
}
TARGETS = (1.0, 0.3)
EVERY = 25


class Timed(NamedTuple):
    """A run."""

    prepared: float
    """Seconds to list hands and boards."""
    iteration: float
    """Seconds of an iteration."""
    measuring: float
    """Seconds of a measurement."""
    reached: list[str]
    """Iterations and seconds to each target."""


def timed_run(laid_out: HandsAndGames, threads: int, iterations: int | None) -> Timed:
    """Run to all targets, or so many iterations."""
    start = perf_counter()
    solver = ThreeSolver(laid_out, SPOT_VARIANT, threads=threads)
    began = perf_counter()
    spent = measuring = 0.0
    measured, reached = 0, dict.fromkeys(TARGETS, "")
    while not reached[TARGETS[-1]]:
        start_of_run = perf_counter()
        solver.run(iterations or EVERY)
        now = perf_counter()
        spent += now - start_of_run
        percent = 100 * solver.measure().nash_conv / laid_out.spot.pot
        measuring, measured = measuring + perf_counter() - now, measured + 1
        for target in TARGETS:
            if percent <= target and not reached[target]:
                reached[target] = f"{solver.iteration} ({perf_counter() - began:.0f} s)"
        if iterations:
            break
    return Timed(began - start, spent / solver.iteration, measuring / measured, [*reached.values()])


def main() -> None:
    """Solve them, print a line each, and write the record if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *SPOTS], default=[], metavar="NAME")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--iterations", type=int, default=None)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    tiny = SMALL.replace(oop="AhAd", middle="KhKd", ip="JhJd", bets="a", raises="")
    solve_three(tiny, iterations=1, threads=chosen.threads)  # compiles
    rows = []
    for name in chosen.names or SPOTS:
        laid_out = HandsAndGames.of(SPOTS[name])
        needed = round(memory_needed(laid_out, chosen.threads) / 1e6)
        boards = laid_out.runouts.count, sum(rivers.count for rivers in laid_out.rivers)
        print(name, f"{boards[0]} turns, {boards[1]} rivers, {needed:,} MB", flush=True)
        run = timed_run(laid_out, chosen.threads, chosen.iterations)
        peak = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
        rows.append(
            [
                name,
                " / ".join(str(len(held)) for held in laid_out.hands),
                SPOTS[name].betting.num_nodes,
                f"{boards[0]} / {boards[1]:,}",
                needed,
                peak,
                chosen.threads,
                round(run.prepared, 1),
                round(run.iteration, 2),
                round(run.measuring, 1),
                *run.reached,
            ]
        )
        print(*rows[-1], sep="  ", flush=True)
    if chosen.record:
        write_record(
            "three_flops",
            "Iterations, and in brackets seconds by the clock with a measurement every 25 "
            "iterations, until the gains of the three seats sum to that share of the pot. Boards "
            "are those solved; MB what a run takes by the estimate, and the most that the process "
            "had; s before what listing the hands of all boards takes.",
            "python benchmarks/poker/three/flops.py --record",
            [
                "flop", "combos", "nodes", "turns / rivers", "MB", "peak MB", "threads", "s before",
                "s an iteration", "s to measure", *(f"{t:g} %" for t in TARGETS),
            ],
            rows,
        )  # fmt: skip


if __name__ == "__main__":
    main()
