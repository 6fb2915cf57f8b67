"""Iterations and warm seconds of solving until an exploitability is reached.

    python benchmarks/solvers/time_to_target.py

The tree is compiled and the kernels are warm; evaluation at the checks is part of the time.
Each case runs five times in a fresh solver; medians are quoted.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR

ROUNDS = 5
CASES = (
    ("leduc", "dcfr", 1e-4, 50.0),
    ("leduc", "pcfr+", 1e-6, 1000.0),
    ("kuhn", "pcfr+", 1e-6, None),
    ("goofspiel(cards=4,imp_info=true,points_order=descending)", "pcfr+", 1e-6, None),
    ("liars_dice(sides=4)", "pcfr+", 1e-6, None),
)
"""Game, algorithm, exploitability, and at most how many ms, which stands in the record alone."""


def main() -> None:
    """Solve every case and write the record."""
    rows, raw = [], {}
    for game, algorithm, target, _ in CASES:
        tree = eq.compile_game(eq.load_game(game))
        CFR(tree, algorithm, threads=1).run(1)
        seconds, iterations = [], 0
        for _ in range(ROUNDS):
            result = eq.solve(
                tree, algorithm=algorithm, target=target, iterations=10_000_000, threads=1
            )
            if result.stopped_by != "target":
                raise SystemExit(f"{game} with {algorithm} stopped by {result.stopped_by}")
            seconds.append(result.seconds)
            iterations = result.iterations
        median = statistics.median(seconds) * 1e3
        rows.append([game, algorithm, target, iterations, median])
        raw[f"{game} {algorithm} {target}"] = seconds
        print(rows[-1], flush=True)
    write_record(
        "time_to_target",
        f"Time to the given exploitability with compiled kernels; medians of {ROUNDS} runs, one "
        f"thread.",
        "python benchmarks/solvers/time_to_target.py",
        ["game", "algorithm", "exploitability", "iterations", "ms"],
        rows,
        targets={"ms": [most for *_, most in CASES]},
        seconds=raw,
    )


if __name__ == "__main__":
    main()
