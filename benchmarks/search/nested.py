"""Bets off a menu of hold'em: solved anew on the way, or taken for those of the menu.

    python benchmarks/search/nested.py                     # two cuts of royal hold'em
    python benchmarks/search/nested.py --game royal        # the whole game; 6 GB of memory

The trunk is a solution of the menu fold, call, pot, all-in to a twentieth of an mbb of NashConv.
Both seats meet every bet. Losses are exact: half of NashConv in the game with every bet. The
seconds are those of a decision at which a subgame is solved by itself, on one core, in processor
time: after bets before the flop that the trunk lacks, and after such bets on a few flops.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.exact.strategy import ExactStrategy
from equilibrist.search.holdem.nested import ITERATIONS, NestedSearch

COMMAND = "python benchmarks/search/nested.py"
CUTS = {"cut": "royal(bets=all,stack=10,deck=J)", "deep": "royal(bets=all,deck=Q)"}
WHOLE = {"royal": "royal(bets=all)"}
MENU = "100%,a"
METHODS = ("resolve", "max-margin", "constrained", "unsafe")
PRECISE = "0.025mbb"
FLOPS = 4
"""Flops whose decisions are timed."""


def trunk_of(name: str) -> ExactStrategy:
    """The solution of the menu."""
    hand = Hand.named(name, bets=MENU, raises=MENU)
    solution = solve_preflop(hand, target=PRECISE, iterations=2000, keep_flops=32, progress=False)
    assert solution.kept is not None
    return solution.kept


def seconds_of(search: NestedSearch) -> tuple[list[float], list[float]]:
    """How long decisions take that need a solve, before the flop and on it, on one core."""
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
    boards = len(search.trunk.layout.table.cards)
    chosen = range(1, boards, max(1, boards // FLOPS))
    taken: tuple[list[float], list[float]] = ([], [])
    for is_warm in (False, True):  # kernels are loaded first, and what is worth knowing once
        for seat in (0, 1):
            frames = search.frames[seat]
            nodes = {number: node for node, (number, _) in reversed(frames.place.items())}
            for frame in [*frames.at(0), *frames.at(1)]:
                for board in chosen if frame.street else [0]:
                    node = nodes[frame.number]
                    before, began = len(search.seconds), time.process_time()
                    search.probabilities(node, board)
                    if is_warm and len(search.seconds) == before + 1:
                        taken[frame.street].append(time.process_time() - began)
                if not is_warm:
                    break
        search.forget()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    return taken


def main() -> None:
    """Measure, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=["cuts", "royal"], default="cuts")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    arguments = parser.parse_args()
    is_whole = arguments.game == "royal"
    is_usual = arguments.iterations == ITERATIONS
    other = "" if is_usual else f" --iterations {arguments.iterations}"
    rows: list[list[object]] = []
    for name in (WHOLE if is_whole else CUTS).values():
        trunk, full = trunk_of(name), ExactGame.of(Hand.named(name))
        engine = Engine(full)
        for method in METHODS[:1] if is_whole else METHODS:
            search = NestedSearch(trunk, full, method, iterations=arguments.iterations)
            before_flop, on_flop = seconds_of(search)
            result = search.offline(engine=engine)
            lost, left = 500.0 * result.before.nash_conv, 500.0 * result.after.nash_conv
            rows.append(
                [
                    name,
                    method,
                    lost,
                    left,
                    f"{100 * left / lost:.3g} %",
                    f"{result.subgames:,}",
                    *(
                        f"{median(times):.3f} ({max(times):.3f})"
                        for times in (before_flop, on_flop)
                    ),
                ]
            )
            print(rows[-1], flush=True)
        write_record(
            "nested_royal" if is_whole else "nested_cuts",
            "Exploitability in mbb a hand in the game with every bet, exact, of the solution of "
            "fold, call, pot and all-in: other bets taken for these by the pseudo-harmonic "
            "mapping, or answered by nested search. Processor seconds of a decision that needs a "
            "solve, on one core: the median, and the most in brackets.",
            COMMAND + " --game royal" * is_whole + other,
            ["game", "method", "mapping", "nested", "share", "subgames", "s preflop", "s flop"],
            rows,
            menu=MENU,
            iterations=arguments.iterations,
        )


if __name__ == "__main__":
    main()
