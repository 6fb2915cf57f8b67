"""How long optimal correlation takes: linear programme, device and its measured gap.

python benchmarks/solvers/correlation.py
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.equilibria import correlated

ROUNDS = 7
CASES = (
    ("sheriff(rounds=1)", "efce", "plans"),
    ("sheriff(rounds=1)", "efce", "pairs"),
    ("sheriff", "efce", "pairs"),
    ("sheriff", "efcce", "pairs"),
    ("sheriff", "cce", "pairs"),
    ("kuhn", "ce", "plans"),
    ("kuhn", "efce", "plans"),
)


def main() -> None:
    """Measure every case in a warm process and write the record."""
    trees = {game: eq.compile_game(game) for game, _, _ in CASES}
    samples: dict[str, list[tuple[float, float]]] = {" ".join(case): [] for case in CASES}
    found = {}
    for turn in range(ROUNDS + 1):  # the first one compiles
        for case in CASES:
            game, concept, method = case
            start, worked = time.perf_counter(), time.process_time()
            found[case] = correlated(trees[game], concept, method=method)
            if turn:
                took = time.perf_counter() - start, time.process_time() - worked
                samples[" ".join(case)].append(took)
    rows = [
        [
            f"`{game}`",
            concept,
            method,
            found[game, concept, method].columns,
            found[game, concept, method].rows,
            *map(statistics.median, zip(*samples[f"{game} {concept} {method}"], strict=True)),
        ]
        for game, concept, method in CASES
    ]
    for row in rows:
        print(row)
    write_record(
        "correlation",
        f"Largest welfare, with the device and its measured gap, in a warm process; medians of "
        f"{ROUNDS} runs, interleaved.",
        "python benchmarks/solvers/correlation.py",
        ["game", "concept", "method", "unknowns", "constraints", "seconds", "of the CPU"],
        rows,
        packages=("numpy", "numba", "scipy"),
        targets={"seconds": [None, None, 1.0, None, None, None, None]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
