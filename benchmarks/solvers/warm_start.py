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
            rows.append([game, name, "cold", "-", "-", *after(CFR(tree, name))])
            rows.append([game, name, "its own regrets", "-", first, *after(before)])
            for share in (0.01, 0.1, 1.0):
                warm_start.SHARE = share
                for count in (20, 100, 500):
                    solver = CFR(tree, name)
                    solver.restore(warm_start.warm_state(solver, strategy, count))
                    shown = rows if share == SHARE else other_shares
                    shown.append([game, name, f"warm, {share:g}", count, first, *after(solver)])
            print(*rows[-5:], *other_shares[-6:], sep="\n", flush=True)
    write_record(
        "warm_start",
        f"Exploitability of the average of {BEFORE} iterations, and after 100 and 500 more: cold, "
        f"with the regrets of those {BEFORE}, and warm, from the strategy alone.",
        "python benchmarks/solvers/warm_start.py",
        ["game", "algorithm", "start", "as if", "at the start", "after 100", "after 500"],
        rows,
        other_shares=other_shares,
    )


if __name__ == "__main__":
    main()
