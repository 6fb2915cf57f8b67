"""Iterations per second of full traversals on several threads against one, taken in turn.

    python benchmarks/solvers/full_threads.py      # four minutes; the machine must be idle
    python benchmarks/solvers/full_threads.py --print leduc "leduc(players=3)"     # no record

Every round times a stretch of each way, of about half a second: one thread, several threads, and as
many separate runs of one thread side by side, which is all that the host has to give. Each way has
a process of its own, with its own arrays. Small games are solved by one thread whatever is given;
their rows show that nothing is lost.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR

THREADS = 2
ROUNDS = 9
STRETCH = 0.5
"""Seconds."""
ALGORITHM = "dcfr"
CASES = {
    "leduc(players=3)": 1.7,
    "liars_dice(sides=8)": 1.7,
    "kuhn": None,
    "leduc": None,
    "liars_dice(sides=5)": None,
}
"""Games, and how many times faster several threads must be, or 0.9 of what separate runs gain."""


class Run:
    """A solver in a process of its own, which is idle unless it is asked."""

    def __init__(self, tree: eq.GameTree, threads: int) -> None:
        fork = multiprocessing.get_context("fork")  # the tree is not built again
        self._pipe, other = fork.Pipe()
        process = fork.Process(target=_serve, args=(other, tree, threads), daemon=True)
        process.start()
        self.used = int(self._pipe.recv())

    def begin(self, iterations: int) -> None:
        """Let it run; `seconds` waits for the end."""
        self._pipe.send(iterations)

    def seconds(self) -> float:
        """What the last `begin` took."""
        return float(self._pipe.recv())

    def timed(self, iterations: int) -> float:
        """Seconds that so many iterations take."""
        self.begin(iterations)
        return self.seconds()

    def end(self) -> None:
        """End the process."""
        self._pipe.send(0)


def _serve(pipe: Connection, tree: eq.GameTree, threads: int) -> None:
    """Run what is asked for, on copies of the arrays, as another program would have them."""
    form = tree.sequence_form
    own = type(form.arrays)(*(np.array(array) for array in form.arrays))
    tree.__dict__["sequence_form"] = replace(form, arrays=own)
    solver = CFR(tree, ALGORITHM, threads=threads).run(3)
    pipe.send(solver.threads)
    while iterations := pipe.recv():
        start = time.perf_counter()
        solver.run(iterations)
        pipe.send(time.perf_counter() - start)


def rates_of(game: str) -> tuple[int, dict[str, list[float]]]:
    """Threads that the solver uses, and each way's iterations per second by rounds."""
    tree = eq.compile_game(game)
    assert tree.sequence_form.num_sequences
    separate = [Run(tree, 1) for _ in range(THREADS)]
    together, one = Run(tree, THREADS), separate[0]
    count = 1
    while (seconds := one.timed(count)) < STRETCH / 10:
        count *= 4
    count = max(1, round(count * STRETCH / seconds))
    rates: dict[str, list[float]] = {"one": [], "together": [], "separate": []}
    for number in range(ROUNDS + 1):
        found = {"one": count / one.timed(count), "together": count / together.timed(count)}
        for run in separate:
            run.begin(count)
        found["separate"] = sum(count / run.seconds() for run in separate)
        if number:  # the first round warms up
            for way, rate in found.items():
                rates[way].append(rate)
    for run in (*separate, together):
        run.end()
    return together.used, rates


def ratio(rates: dict[str, list[float]], way: str, to: str) -> float:
    """The median of the rounds' ratios."""
    pairs = zip(rates[way], rates[to], strict=True)
    return statistics.median(mine / other for mine, other in pairs)


def main() -> None:
    """Time every case and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="games in place of those of the record")
    parser.add_argument("--print", action="store_true", help="write no record")
    options = parser.parse_args()
    rows, raw = [], {}
    for game in options.games or CASES:
        used, rates = rates_of(game)
        micro = {
            way: statistics.median(1e6 / rate for rate in found) for way, found in rates.items()
        }
        gain, given = ratio(rates, "together", "one"), ratio(rates, "separate", "one")
        rows.append([game, used, micro["one"], micro["together"], gain, given, gain / given])
        raw[game] = rates
        print(rows[-1], flush=True)
    if options.print or options.games:
        return
    write_record(
        "full_threads",
        f"Microseconds per iteration of {ALGORITHM} by full traversals, medians of {ROUNDS} rounds "
        f"in turn. Separate runs: {THREADS} processes of one thread side by side, their iterations "
        f"per second added up; the last column divides the gain of threads by theirs.",
        "python benchmarks/solvers/full_threads.py",
        [
            "game",
            "threads used",
            "one thread",
            f"{THREADS} threads",
            f"{THREADS} threads: times faster",
            f"{THREADS} separate runs: times faster",
            "threads / separate runs",
        ],
        rows,
        targets={f"{THREADS} threads: times faster": list(CASES.values())},
        iterations_per_second=raw,
    )


if __name__ == "__main__":
    main()
