"""How fast hold'em from the first card is solved, on one thread and on two, and in how many bytes.

    python benchmarks/poker/exact_holdem.py             # both records; on an idle machine
    python benchmarks/poker/exact_holdem.py speed       # seconds an iteration
    python benchmarks/poker/exact_holdem.py target      # NashConv by iteration, and time to 1 mbb

The game is flop hold'em with limit betting: blinds 50 and 100, bets of 100, three raises before
the flop, a bet and three raises on it, then the showdown; all 1,326 hands on all 1,755 flops.
Iterations with one thread and with two take turns. A regret is read to play against it, read to be
updated and written, a strategy sum read and written: five times four bytes for each action of a
hand class. The floor is these bytes over the bandwidth of a copy.
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
from equilibrist.kernels.exact_holdem.arrays import BEST
from equilibrist.poker.exact.game import ExactGame
from equilibrist.poker.exact.solver import ExactSolver
from equilibrist.poker.holdem.hand import Hand

COMMAND = "python benchmarks/poker/exact_holdem.py"
GAME = ExactGame.of(Hand(stack=100, limit="limit", fixed_bets="1/1", board="3"))
ROUNDS = 7
PUBLISHED = {5: 975.65, 20: 115.28, 50: 31.84}
"""NashConv in mbb of linear CFR in turn, small blind first, in float32."""
COPIED = 1 << 28
BYTES_PER_ENTRY = 20


def seconds(run: Any) -> float:
    """How long something takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def floor(solver: ExactSolver) -> float:
    """Seconds that moving the state of an iteration takes by copying."""
    source, target = np.ones(COPIED // 4, np.float32), np.zeros(COPIED // 4, np.float32)
    rate = (
        2 * COPIED / statistics.median(seconds(lambda: np.copyto(target, source)) for _ in range(9))
    )
    entries = sum(array.size for array in solver.engine.regrets)
    return entries * BYTES_PER_ENTRY / rate


def speed() -> None:
    """Seconds an iteration with one thread and with two, in turn on one state."""
    solver = ExactSolver(GAME, "lcfr", threads=2)
    solver.run(2)
    engine = solver.engine
    rounds: dict[str, list[float]] = {"1": [], "2": [], "best response, 1": []}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            engine.threads = threads
            rounds[str(threads)].append(seconds(lambda: solver.run(1)))
        engine.threads = 1
        rounds["best response, 1"].append(seconds(lambda: engine.values(BEST, np.float32)))
    least = floor(solver)
    ratios = [one / two for one, two in zip(rounds["1"], rounds["2"], strict=True)]
    state = sum(array.nbytes for array in (*engine.regrets, *engine.totals))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    rows = [
        ["seconds an iteration, 1 thread", statistics.median(rounds["1"])],
        ["seconds an iteration, 2 threads", statistics.median(rounds["2"])],
        ["1 thread over 2, median of rounds", statistics.median(ratios)],
        ["seconds of both best responses, 1 thread", statistics.median(rounds["best response, 1"])],
        ["seconds by bandwidth of a copy, 1 thread", least],
        ["bytes of regrets and strategy sums", state],
        ["bytes of the process at its peak", peak],
    ]
    write_record(
        "exact_holdem_speed",
        "Flop hold'em, limit, all hands and flops: linear CFR in float32.",
        f"{COMMAND} speed",
        ["figure", "value"],
        rows,
        rounds=rounds,
    )


def target() -> None:
    """NashConv at the published iterations, and the time to 1 mbb by the default algorithm."""
    rows: list[list[object]] = []
    solver = ExactSolver(GAME, "lcfr")
    for iteration, published in PUBLISHED.items():
        solver.run(iteration - solver.iteration)
        rows.append(["lcfr", iteration, 1000 * solver.measure().nash_conv, published, None])
    solver.close()
    del solver
    solver = ExactSolver(GAME)
    spent = 0.0
    while True:
        spent += seconds(lambda: solver.run(25))
        nash_conv = 1000 * solver.measure().nash_conv
        rows.append([solver.variant.name, solver.iteration, nash_conv, None, spent])
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
