"""What a warm start is worth: exploitability after so many more iterations.

    python benchmarks/solvers/warm_start.py

The strategy is the average of 500 iterations of CFR, CFR+ or DCFR. From there the same algorithm
goes on with its own regrets, or warm, as if the strategy had been played for 20, 100 or 500
iterations, with regrets of a hundredth, a tenth or the whole of the bound; or from a cold start.
Nothing is timed.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR
from equilibrist.solving.modifiers import warm_start

GAMES = ("leduc", "liars_dice(sides=4)")
ALGORITHMS = ("cfr", "cfr+", "dcfr")
BEFORE = 500
MORE = (100, 500)
SHARE = warm_start.SHARE
"""The share of the bound of which the page shows the rows; the record has the others, too."""


def after(solver: CFR) -> list[float]:
    """Exploitability of the average after each number of further iterations."""
    start, found = solver.iteration, []
    for more in MORE:
        solver.run(start + more - solver.iteration)
        found.append(eq.exploitability(solver.average_strategy()))
    return found


def main() -> None:
    """Run everything and record it."""
    rows: list[list[object]] = []
    other_shares: list[list[object]] = []
    for game in GAMES:
        tree = eq.compile_game(game)
        for name in ALGORITHMS:
            before = CFR(tree, name).run(BEFORE)
            strategy = before.average_strategy()
            first = eq.exploitability(strategy)
            starts = [after(CFR(tree, name)), after(before)]
            for share in (0.01, 0.1, 1.0):
                warm_start.SHARE = share
                for count in (20, 100, 500):
                    solver = CFR(tree, name)
                    solver.restore(warm_start.warm_state(solver, strategy, count))
                    if share == SHARE:
                        starts.append(after(solver))
                    else:
                        row = [game, name, f"warm, {share:g}", count, first, *after(solver)]
                        other_shares.append(row)
            rows += [
                [game, name, more, *(start[k] for start in starts)] for k, more in enumerate(MORE)
            ]
            print(*rows[-2:], *other_shares[-6:], sep="\n", flush=True)
    write_record(
        "warm_start",
        f"Exploitability of the average after 100 and {BEFORE} iterations: cold, and from that of "
        f"the {BEFORE} cold ones on with their regrets, or warm, from the strategy alone.",
        "python benchmarks/solvers/warm_start.py",
        [
            "game",
            "algorithm",
            "after",
            "cold",
            "its own regrets",
            "warm, as if 20",
            "as if 100",
            "as if 500",
        ],
        rows,
        other_shares=other_shares,
    )


if __name__ == "__main__":
    main()
