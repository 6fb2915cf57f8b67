"""Cost of measuring the gap of the history of play while solving.

    python benchmarks/solvers/watched_play.py      # a minute
    python benchmarks/solvers/watched_play.py --print kuhn     # no record

Every round times a stretch of simultaneous iterations, without a measure and with that of each
concept, in turn, in one warm process; ratios are medians of the rounds' ratios. One thread does the
work where play is measured; the ratio to as many threads as the solver would use by itself is given
as well.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.equilibria.concepts import CONCEPTS
from equilibrist.equilibria.history import PlayHistory
from equilibrist.solvers import CFR

ROUNDS = 9
STRETCH = 0.2
"""Seconds."""
ALGORITHM = "cfr"
MOST = 3.0
"""How many times an iteration without a measure one with that of efce may take."""
GAMES = ("kuhn(players=3)", "leduc(players=3)", "leduc")


def solver_of(tree: eq.GameTree, concept: str | None, threads: int | None = 1) -> CFR:
    """A warm solver with simultaneous updates, watched where a concept is named."""
    solver = CFR(tree, ALGORITHM, alternating=False, threads=threads)
    if concept is not None:
        solver.watch(PlayHistory(tree, concept))
    return solver.run(3)


def seconds(solver: CFR, iterations: int) -> float:
    """Seconds per iteration of so many."""
    start = time.perf_counter()
    solver.run(iterations)
    return (time.perf_counter() - start) / iterations


def row_of(game: str) -> tuple[list[object], dict[str, list[float]]]:
    """The row of the table, and the seconds of each round."""
    tree = eq.compile_game(game)
    ways = {
        "one thread": solver_of(tree, None),
        "threads": solver_of(tree, None, None),
        **{concept: solver_of(tree, concept) for concept in CONCEPTS},
    }
    count = max(1, int(STRETCH / seconds(ways["one thread"], 3)))
    for solver in ways.values():
        seconds(solver, count)
    samples: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, solver in ways.items():
            samples[name].append(seconds(solver, count))
    watcher = ways["efce"].watcher
    assert isinstance(watcher, PlayHistory)
    measuring = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        watcher.gap()
        measuring.append(time.perf_counter() - start)

    def ratio(name: str, to: str) -> float:
        pairs = zip(samples[name], samples[to], strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)

    row: list[object] = [
        game,
        1e6 * statistics.median(samples["one thread"]),
        *(ratio(concept, "one thread") for concept in CONCEPTS),
        ratio("efce", "threads"),
        ways["threads"].threads,
        watcher.meter.nbytes / 1e6,
        1e3 * statistics.median(measuring),
    ]
    return row, samples


def main() -> None:
    """Measure the games, print, and write the record unless told otherwise."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--print", action="store_true", help="write no record")
    chosen = parser.parse_args()
    columns = [
        "game",
        "iteration, us",
        *(f"with {concept}: times" for concept in CONCEPTS),
        "efce / all threads",
        "threads",
        "sums of efce, MB",
        "one gap of efce, ms",
    ]
    rows, samples = [], {}
    for game in chosen.games or GAMES:
        row, samples[game] = row_of(game)
        rows.append(row)
        print(dict(zip(columns, row, strict=True)))
        if float(str(row[2])) > MOST:
            print(f"{game}: measuring efce takes more than {MOST:g} times an iteration")
    if not chosen.print:
        write_record(
            "watched_play",
            f"Simultaneous iterations of {ALGORITHM} without a measure of the history of play and "
            f"with one, medians of {ROUNDS} rounds in turn in a warm process.",
            "python benchmarks/solvers/watched_play.py",
            columns,
            rows,
            samples=samples,
        )


if __name__ == "__main__":
    main()
