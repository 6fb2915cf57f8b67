"""How long the best joint play of two against one takes.

    python benchmarks/solvers/team_maxmin.py

Each case is solved REPEATS times in one warm process, in turns. Compiling the game does not count.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.equilibria import TeamMaxmin, team_maxmin

CASES = tuple(("kuhn(players=3)", adversary) for adversary in range(3))
REPEATS = 5


def main() -> None:
    """Print one line per case, and write the record."""
    trees = {game: eq.compile_game(game) for game, _ in CASES}
    seconds: dict[tuple[str, int], list[float]] = {case: [] for case in CASES}
    results: dict[tuple[str, int], TeamMaxmin] = {}
    for repeat in range(REPEATS + 1):
        for game, adversary in CASES:
            start = perf_counter()
            results[game, adversary] = team_maxmin(trees[game], adversary)
            if repeat:  # the first one loads SciPy
                seconds[game, adversary].append(perf_counter() - start)
    rows = []
    for case, found in results.items():
        median = statistics.median(seconds[case])
        rows.append(
            [
                *case,
                round(found.value, 9),
                found.support,
                found.columns,
                found.iterations,
                found.proofs,
                round(median, 2),
                round(max(seconds[case]), 2),
            ]
        )
        print(*rows[-1], sep="\t", flush=True)
    write_record(
        "team_maxmin",
        "TMECor of two against one by column generation, seconds in a warm process.",
        "python benchmarks/solvers/team_maxmin.py",
        [
            "game",
            "adversary",
            "team value",
            "support",
            "joint plans",
            "rounds",
            "proofs",
            "median s",
            "max s",
        ],
        rows,
        packages=("numpy", "scipy"),
        repeats=REPEATS,
        seconds={f"{game} {adversary}": times for (game, adversary), times in seconds.items()},
    )


if __name__ == "__main__":
    main()
