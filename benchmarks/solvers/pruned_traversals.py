"""Full traversals with and without pruning: nodes visited, and time of an iteration.

    python benchmarks/solvers/pruned_traversals.py      # a minute
    python benchmarks/solvers/pruned_traversals.py --print kuhn     # no record

Every round times so many first iterations of CFR in each way, in turn, in one warm process and one
thread; ratios are medians of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR, HistoryCFR, PartialCFR, PrunedCFR

ROUNDS = 7
ITERATIONS = 1000
ALGORITHM = "cfr"
GAMES = ("leduc", "liars_dice(sides=4)", "goofspiel(cards=4)")


def ways_of(tree: eq.GameTree) -> dict[str, Callable[[], Any]]:
    """What makes a solver, by the words of the table."""
    return {
        "none": lambda: CFR(tree, ALGORITHM, threads=1),
        "partial": lambda: PartialCFR(tree, ALGORITHM),
        "interval": lambda: PrunedCFR(tree, ALGORITHM, "interval"),
        "best-response": lambda: PrunedCFR(tree, ALGORITHM, "best-response"),
        "none, history by history": lambda: HistoryCFR(tree, ALGORITHM),
    }


def rows_of(game: str) -> tuple[list[list[object]], dict[str, list[float]]]:
    """The rows of a game, and the seconds of each round."""
    tree = eq.compile_game(game)
    ways = ways_of(tree)
    samples: dict[str, list[float]] = {way: [] for way in ways}
    ends: dict[str, Any] = {}
    for make in ways.values():
        make().run(1)
    for _ in range(ROUNDS):
        for way, make in ways.items():
            solver = make()
            start = time.perf_counter()
            ends[way] = solver.run(ITERATIONS)
            samples[way].append(time.perf_counter() - start)
    rows: list[list[object]] = []
    for way, solver in ends.items():
        share = 100.0
        if isinstance(solver, PartialCFR | PrunedCFR):
            share = 100 * solver.visits.nodes / solver.visits.nodes_unpruned
        stored = 100.0
        if isinstance(solver, PrunedCFR):
            stored = 100 * solver.stored_infosets / tree.num_infosets
        pairs = zip(samples[way], samples["none"], strict=True)
        rows.append(
            [
                game,
                way,
                share,
                stored,
                1e6 * statistics.median(samples[way]) / ITERATIONS,
                statistics.median(mine / theirs for mine, theirs in pairs),
                eq.evaluate(solver.average_strategy()).measure,
            ]
        )
    return rows, samples


def main() -> None:
    """Measure the games, print, and write the record unless told otherwise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--print", action="store_true", help="write no record")
    chosen = parser.parse_args()
    columns = [
        "game",
        "pruning",
        "histories visited, %",
        "infosets with regrets, %",
        "iteration, us",
        "times as long as none",
        "exploitability",
    ]
    rows, samples = [], {}
    for game in chosen.games or GAMES:
        found, samples[game] = rows_of(game)
        rows += found
        for row in found:
            print(row)
    if not chosen.print:
        write_record(
            "pruned_traversals",
            f"{ITERATIONS:,} iterations of {ALGORITHM} in one thread, medians of {ROUNDS} rounds "
            f"in turn in a warm process.",
            "python benchmarks/solvers/pruned_traversals.py",
            columns,
            rows,
            samples=samples,
        )


if __name__ == "__main__":
    main()
