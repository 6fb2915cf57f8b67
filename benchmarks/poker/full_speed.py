"""How fast spots are solved while the cores run at their full speed.

    python benchmarks/poker/full_speed.py --minutes 60      # on an idle machine

A host that many use may hold its cores back: on some, all but a tenth of a second in thirty. Memory
is held back less, so that the engine waits for calculations then, and how far above the floor it is
says more about the host. Here the work is cut into pieces that may fit between: a copy, five
iterations of the turn spot, a pass of the flop spot for one player, a best response. A piece counts
if a chain of multiplications, each of which waits for the one before, was at full speed right
before it and right after it: at most a quarter slower than the fastest of the run. Where cores
always run at one speed every piece counts.

Passes and best responses make up what `spot_speed.py iterations` measures there: milliseconds of
ten iterations and a measurement of exploitability, over ten, beside the same floor.
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

from benchmarks.poker.spot_speed import BYTES_PER_ENTRY, COPIED, STEP, WAYS, digest, seconds
from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist._jit import kernel
from equilibrist.kernels.postflop_arrays import UPDATE
from equilibrist.poker.spot_solver import HoldemSolver

COMMAND = "python benchmarks/poker/full_speed.py"
COUNTED_WAYS = ("float32", "2 threads", "int16")
AT_ONCE = {"turn": 5, "flop": 0}
"""Iterations of a piece; 0: of an iteration the passes for either player are pieces."""
SLOWER = 1.25
CHAIN = 5_000
CHAINS = 3
REST = 0.001
"""Seconds between two looks at the speed."""
LOOKING = 65.0
"""Seconds of looks that find the full speed before the first piece."""
FEWEST = 5
"""Pieces of each kind for a record."""


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
    taken: list[float]
    """Seconds, where they count."""


def pieces_of(name: str, way: str) -> tuple[list[Piece], int]:
    """What a spot is solved with, and the bytes that an iteration must move."""
    solver = HoldemSolver(SPOTS[name], **WAYS[way])
    solver.run(STEP)
    engine, at_once = solver.engine, AT_ONCE[name]
    row = np.zeros((1, 8))
    row[:, :7] = solver.variant.table(solver.iteration + 1, 1)

    def piece(what: str, share: float, run: Callable[[], Any]) -> Piece:
        run()
        return Piece(f"{name}, {way}: {what}", run, share, at_once > 0, [])

    found = []
    if at_once:
        found.append(piece(f"{at_once} iterations", 1 / at_once, lambda: solver.run(at_once)))
    for player in (0, 1):
        only = player, player + 1
        if not at_once:
            learn = partial(engine._pass, UPDATE, only, row, engine._plans)
            found.append(piece(f"pass for {player}", 1, learn))
        respond = partial(engine.expected, player, best=True)
        found.append(piece(f"best response of {player}", 1 / STEP, respond))
    return found, BYTES_PER_ENTRY * engine.table.entries


def take(piece: Piece) -> tuple[float, float]:
    """Seconds of a piece, and of the slower of the chains before and after."""
    if piece.warm:
        piece.run()
    before = pace()
    return seconds(piece.run), max(before, pace())


def measure(found: list[Piece], minutes: float) -> tuple[float, dict[str, int]]:
    """Time pieces in turn for so long; returns seconds of the chain at best, and all tries."""
    best = pace()
    looked = time.perf_counter() + LOOKING
    while time.perf_counter() < looked:
        best = min(best, pace())
        time.sleep(REST)
    tries = {piece.name: 0 for piece in found}
    end = time.perf_counter() + 60 * minutes
    while time.perf_counter() < end:
        if pace() > SLOWER * best:
            time.sleep(REST)
            continue
        piece = min(found, key=lambda each: tries[each.name])
        taken, chain = take(piece)
        tries[piece.name] += 1
        if chain <= SLOWER * best:
            piece.taken.append(taken)
            print(f"{piece.name}: {1e3 * taken:.4g} ms", flush=True)
    return best, tries


def seconds_of(parts: list[Piece]) -> float:
    """Of an iteration that is made of parts."""
    return sum(piece.share * statistics.median(piece.taken) for piece in parts)


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
    found = [copy, *(piece for each in parts.values() for piece in each)]
    copy.run()
    best, tries = measure(found, minutes)
    counted = {piece.name: len(piece.taken) for piece in found}
    print({name: f"{n} of {tries[name]}" for name, n in counted.items()})
    if min(counted.values()) < FEWEST:
        sys.exit(f"nothing is recorded: of some pieces fewer than {FEWEST} count")
    rows = []
    for name in AT_ONCE:
        floor = moved[name] * seconds_of([copy])
        one, two, small = (seconds_of(parts[name, way]) for way in COUNTED_WAYS)
        fewest = min(len(piece.taken) for way in COUNTED_WAYS for piece in parts[name, way])
        rows.append([name, 1e3 * floor, 1e3 * one, one / floor, one / two, one / small, fewest])
        print(rows[-1])
    write_record(
        "spot_full_speed",
        "Milliseconds per iteration while the cores run at their full speed, the measurement of "
        f"exploitability after every {STEP} included; made of medians of passes and best "
        "responses. A piece of work counts if, before it and after it, a chain of multiplications "
        "took at most a quarter longer than the fastest of the run.",
        f"{COMMAND} --minutes {minutes:g}",
        ["spot", "floor", "float32, one thread", "over the floor", "two threads: times faster",
         "16 bits: times faster", "pieces of each kind, at least"],
        rows,
        source=digest(),
        chain_nanoseconds=1e9 * best / CHAIN,
        tries=tries,
        seconds={piece.name: piece.taken for piece in found},
    )  # fmt: skip


if __name__ == "__main__":
    main()
