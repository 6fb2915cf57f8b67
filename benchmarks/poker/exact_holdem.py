"""How fast hold'em from the first card is solved, on one thread and on two, and in how many bytes.

    python benchmarks/poker/exact_holdem.py             # both records; on an idle machine
    python benchmarks/poker/exact_holdem.py speed       # seconds an iteration
    python benchmarks/poker/exact_holdem.py target      # NashConv by iteration, and time to 1 mbb

The game is flop hold'em with limit betting: blinds 50 and 100, bets of 100, three raises before
the flop, a bet and three raises on it, then the showdown; all 1,326 hands on all 1,755 flops.
Iterations with one thread and with two, and a copy of memory, take turns, so that a load on the
machine falls on all. Seconds are those of the clock, and for one thread of its processor as well. A
regret is read to play against it, read to be updated and written, a strategy sum read and written:
five times four bytes for each action of a hand class. The floor is these bytes over the bandwidth
of the copy.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from benchmarks.record import write_record
from equilibrist.formatting.amounts import bytes_text
from equilibrist.kernels.exact_holdem.arrays import BEST
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solver import ExactSolver

COMMAND = "python benchmarks/poker/exact_holdem.py"
GAME = ExactGame.of(Hand(stack=100, limit="limit", fixed_bets="1/1", board="3"))
ROUNDS = 5
PUBLISHED = {5: 975.65, 20: 115.28, 50: 31.84}
"""NashConv in mbb of linear CFR in turn, small blind first, in float32."""
COPIED = 1 << 28
BYTES_PER_ENTRY = 20


def seconds(run: Any) -> float:
    """How long something takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def on_processor(run: Any) -> float:
    """How long something keeps the processor of this thread."""
    start = time.thread_time()
    run()
    return time.thread_time() - start


def speed() -> None:
    """Seconds an iteration with one thread and with two, in turn on one state."""
    solver = ExactSolver(GAME, "lcfr", threads=2)
    solver.run(2)
    engine = solver.engine
    source, target = np.ones(COPIED // 4, np.float32), np.zeros(COPIED // 4, np.float32)
    bytes_moved = sum(array.size for array in engine.regrets) * BYTES_PER_ENTRY
    engine.threads = 1
    engine.values(BEST, np.float32)  # allocates
    np.copyto(target, source)
    names = ("1 thread", "1 thread, processor", "2 threads", "best responses", "copy")
    rounds: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(ROUNDS):
        engine.threads = 1
        rounds["1 thread"].append(seconds(lambda: solver.run(1)))
        rounds["1 thread, processor"].append(on_processor(lambda: solver.run(1)))
        engine.threads = 2
        rounds["2 threads"].append(seconds(lambda: solver.run(1)))
        engine.threads = 1
        rounds["best responses"].append(
            on_processor(lambda: engine.values(BEST, np.float32)),
        )
        copy = on_processor(lambda: np.copyto(target, source))
        rounds["copy"].append(bytes_moved * copy / (2 * COPIED))
    ratios = [one / two for one, two in zip(rounds["1 thread"], rounds["2 threads"], strict=True)]
    state = sum(array.nbytes for array in (*engine.regrets, *engine.totals))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - 2 * COPIED
    median = {name: statistics.median(values) for name, values in rounds.items()}
    rows = [
        ["an iteration, 1 thread", f"{median['1 thread']:.3f} s"],
        ["an iteration, 1 thread, on the processor", f"{median['1 thread, processor']:.3f} s"],
        ["an iteration, 2 threads", f"{median['2 threads']:.3f} s"],
        ["1 thread over 2, median of rounds", f"{statistics.median(ratios):.2f}"],
        ["both best responses, on the processor", f"{median['best responses']:.3f} s"],
        ["copying the bytes of an iteration, on the processor", f"{median['copy']:.3f} s"],
        ["regrets and strategy sums", bytes_text(state)],
        ["the process at its peak", bytes_text(peak)],
    ]
    write_record(
        "exact_holdem_speed",
        f"Flop hold'em, limit, all hands and flops: linear CFR in float32; medians of {ROUNDS} "
        "rounds.",
        f"{COMMAND} speed",
        ["what", "value"],
        rows,
        rounds=rounds,
    )


def target() -> None:
    """NashConv at the published iterations, and the time to 1 mbb by the default algorithm."""
    rows: list[list[object]] = []
    solver = ExactSolver(GAME, "lcfr")
    for iteration, published in PUBLISHED.items():
        solver.run(iteration - solver.iteration)
        rows.append(["lcfr", iteration, 1000 * solver.measure().nash_conv, published, ""])
    solver.close()
    del solver
    solver = ExactSolver(GAME)
    spent = 0.0
    while True:
        spent += seconds(lambda: solver.run(25))
        nash_conv = 1000 * solver.measure().nash_conv
        rows.append([solver.variant.name, solver.iteration, nash_conv, "", spent])
        if nash_conv <= 1.0 or spent > 1200:
            break
    write_record(
        "exact_holdem_target",
        "Flop hold'em, limit: NashConv in mbb a hand; seconds of iterating alone.",
        f"{COMMAND} target",
        ["algorithm", "iterations", "NashConv", "published", "seconds"],
        rows,
    )


def main() -> None:
    """Run what is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["speed", "target"])
    for part in parser.parse_args().parts:
        {"speed": speed, "target": target}[part]()


if __name__ == "__main__":
    main()
