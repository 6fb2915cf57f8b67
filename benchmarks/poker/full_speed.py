"""How fast spots are solved while the cores run at their full speed.

    python benchmarks/poker/full_speed.py --minutes 60      # on an idle machine

A host that many use may hold its cores back: on some, all but some tenths of a second in thirty.
Memory is held back less, so that the engine waits for calculations then, and how far it is above
the floor says more about the host. Here the work is cut into pieces that may fit between: a copy,
ten iterations of the turn spot, a pass of the flop spot for one player, a measurement of
exploitability. A piece counts if a chain of multiplications, each of which waits for the one
before, was at full speed right before it and right after it: at most a quarter slower than the
fastest of the run. The chain is that of one core, and tells its clock; what others do to caches and
memory still shows. Where cores always run at one speed every piece counts.

Together the pieces make up what `spot_speed.py iterations` measures there: milliseconds of ten
iterations and a measurement of exploitability, over ten, beside the same floor.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from benchmarks.poker.spot_speed import (
    BYTES_PER_ENTRY,
    COPIED,
    STEP,
    WAYS,
    calculate,
    digest,
    seconds,
)
from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist._jit import kernel
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.poker.postflop.solving.solver import SpotSolver

COMMAND = "python benchmarks/poker/full_speed.py"
COUNTED_WAYS = ("float32", "2 threads", "int16")
AT_ONCE = {"turn": STEP, "flop": 0}
"""Iterations of a piece; 0: of an iteration the passes for either player are pieces."""
SLOWER = 1.25
CHAIN = 5_000
CHAINS = 3
REST = 0.001
"""Seconds between two looks at the speed."""
LOOKING = 65.0
"""Seconds of looks that find the full speed before the first piece."""
FEWEST = 8
"""Pieces of each kind for a record."""
ROUNDS_BEFORE = 2
"""Rounds that never count: memory is cold."""


@kernel
def multiply(number, times):
    """Multiplications and additions in one chain."""
    for _ in range(times):
        number = number * 0.999999 + 0.1
    return number


def pace() -> float:
    """Seconds of the chain, the best of three, as an interrupt may come between."""
    return min(seconds(lambda: multiply(1.0, CHAIN)) for _ in range(CHAINS))


class Piece(NamedTuple):
    """Something short to be timed."""

    name: str
    run: Callable[[], Any]
    share: float
    """What of it belongs to one iteration."""
    warm: bool
    """Whether it is done once before, which brings its numbers into the caches."""
    taken: list[tuple[float, float]]
    """Seconds, and those of the slower of the chains before and after."""


def pieces_of(name: str, way: str) -> tuple[list[Piece], int]:
    """What a spot is solved with, and the bytes that an iteration must move."""
    solver = SpotSolver(SPOTS[name], **WAYS[way])
    solver.run(STEP)
    engine, at_once = solver.engine, AT_ONCE[name]

    def learn(player: int) -> None:
        row = np.zeros((1, 8))
        row[:, :7] = solver.variant.table(solver.iteration + 1, 1)
        counters = np.zeros(COUNTERS, np.int64)
        engine.traversal.update(row, counters, players=(player, player + 1))
        engine.iteration += player

    def piece(what: str, share: float, run: Callable[[], Any]) -> Piece:
        run()
        return Piece(f"{name}, {way}: {what}", run, share, at_once > 0, [])

    found = [piece("measurement", 1 / STEP, solver.mean_gain)]
    if at_once:
        found.append(piece(f"{at_once} iterations", 1 / at_once, lambda: solver.run(at_once)))
    else:
        found += [piece(f"pass for {player}", 1, partial(learn, player)) for player in (0, 1)]
    return found, BYTES_PER_ENTRY * engine.layout.table.entries


def take(piece: Piece) -> tuple[float, float]:
    """Seconds of a piece, and of the slower of the chains before and after."""
    if piece.warm:
        piece.run()
    before = pace()
    return seconds(piece.run), max(before, pace())


def measure(found: list[Piece], minutes: float) -> tuple[float, int]:
    """Time pieces in turn for so long; returns seconds of the chain at best, and how many tries."""
    best = pace()
    looked = time.perf_counter() + LOOKING
    while time.perf_counter() < looked:
        best = min(best, pace())
        time.sleep(REST)
    tries = -ROUNDS_BEFORE * len(found)
    end = time.perf_counter() + 60 * minutes
    while time.perf_counter() < end:
        chain = pace()
        best = min(best, chain)
        if chain > SLOWER * best:
            time.sleep(REST)
            continue
        piece = found[tries % len(found)]
        taken, chain = take(piece)
        best = min(best, chain)
        tries += 1
        if tries > 0 and chain <= SLOWER * best:
            piece.taken.append((taken, chain))
            print(f"{piece.name}: {1e3 * taken:.4g} ms", flush=True)
    for piece in found:  # the fastest chain may have come last
        piece.taken[:] = [each for each in piece.taken if each[1] <= SLOWER * best]
    return best, tries


def seconds_of(parts: list[Piece], part: int = 1) -> float:
    """Of an iteration that is made of parts: of each the median, or another quarter."""
    return sum(
        piece.share * statistics.quantiles([each[0] for each in piece.taken])[part]
        for piece in parts
    )


def main() -> None:
    """Time, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    minutes = parser.parse_args().minutes
    source, target = np.ones(COPIED // 4, np.float32), np.zeros(COPIED // 4, np.float32)
    copy = Piece("copy", lambda: np.copyto(target, source), 1 / (2 * COPIED), False, [])
    parts, moved = {}, {}
    for name in AT_ONCE:
        for way in COUNTED_WAYS:
            parts[name, way], moved[name] = pieces_of(name, way)
    calculation = Piece("calculation", calculate, 1.0, True, [])
    found = [copy, calculation, *(piece for each in parts.values() for piece in each)]
    copy.run()
    best, tries = measure(found, minutes)
    counted = {piece.name: len(piece.taken) for piece in found}
    print(f"of {tries} tries count {sum(counted.values())}: {counted}")
    if min(counted.values()) < FEWEST:
        sys.exit(f"nothing is recorded: of some pieces fewer than {FEWEST} count")
    rows = []
    for name in AT_ONCE:
        floor = moved[name] * seconds_of([copy])
        one, two, small = (seconds_of(parts[name, way]) for way in COUNTED_WAYS)
        low, high = (1e3 * seconds_of(parts[name, "float32"], part) for part in (0, 2))
        middle = f"{low:.3g} to {high:.3g}"
        rows.append([name, 1e3 * floor, 1e3 * one, middle, one / floor, one / two, one / small])
        print(rows[-1])
    write_record(
        "spot_full_speed",
        "Milliseconds per iteration while the cores run at their full speed, the measurement of "
        f"exploitability after every {STEP} included; from medians (and quartiles) of "
        f"at least {min(counted.values())} pieces of work. A piece counts if, "
        "before it and after it, a chain of multiplications took at most a quarter longer than "
        "the fastest of the run.",
        f"{COMMAND} --minutes {minutes:g}",
        ["spot", "floor", "float32, one thread", "interquartile range", "over the floor",
         "two threads: times faster", "16 bits: times faster"],
        rows,
        source=digest(),
        tries=tries,
        calculation=1e3 * seconds_of([calculation]),
        chain=[best, CHAIN],
        seconds={piece.name: piece.taken for piece in found},
    )  # fmt: skip


if __name__ == "__main__":
    main()
