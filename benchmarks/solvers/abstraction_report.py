"""How long the report of an abstraction takes in a warm process.

python benchmarks/solvers/abstraction_report.py
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.abstraction import find_lossless, make_abstraction, report

RUNS = 7
CASES = (
    ("leduc(suit_isomorphism=true)", "cards(JQK)"),
    ("leduc(suit_isomorphism=true)", "cards(JQ.K,pair)"),
    ("leduc(suit_isomorphism=true)", "cards(J.Q.K,pair)"),
    ("leduc(suit_isomorphism=true)", "none"),
    ("leduc", "symmetry"),
)


def main() -> None:
    """Report each case, once to warm up and then several times, and write the record."""
    rows = []
    for game, spec in CASES:
        tree = eq.compile_game(game)
        abstraction = make_abstraction(tree, spec)
        times = []
        for _ in range(1 + RUNS):
            start = time.perf_counter()
            report(tree, abstraction)
            times.append(time.perf_counter() - start)
        small = abstraction.num_infosets
        rows.append([game, spec, tree.num_infosets, small, statistics.median(times[1:])])
        print(rows[-1], flush=True)
    tree = eq.compile_game("leduc")
    times = []
    for _ in range(1 + RUNS):
        start = time.perf_counter()
        small = find_lossless(tree).abstraction.num_infosets
        times.append(time.perf_counter() - start)
    rows.append(["leduc", "search for symmetries", 936, small, statistics.median(times[1:])])
    print(rows[-1], flush=True)
    write_record(
        "abstraction_report",
        f"Seconds for the report of an abstraction (recall, bound, three numbers by linear "
        f"programmes, best responses), and for the search for symmetries, in a warm process; "
        f"medians of {RUNS}.",
        "python benchmarks/solvers/abstraction_report.py",
        ["game", "abstraction", "infosets", "abstract infosets", "seconds"],
        rows,
        packages=("numpy", "numba", "scipy"),
    )


if __name__ == "__main__":
    main()
