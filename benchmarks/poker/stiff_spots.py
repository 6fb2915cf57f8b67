"""How far small stiff spots get: in float32 alone, and as they are solved.

    python benchmarks/poker/stiff_spots.py            # some ten minutes

Each spot is run in float32 to the end, as all were before small ones went on in float64, and as
`solve` runs it. The exploitability does not depend on the machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker import Spot
from equilibrist.poker.postflop.solving.solver import SpotSolver

TURN = Spot(board="KsKhKd2c", oop="KcQs,9s8s,9h8h", ip="AsAh", pot=10, stack=40, oop_bets="e")
MANY = TURN.replace(oop="KcQs,KcQh,KcQd,KcQc,98,76s,7s6h,7s6d,7s6c,7h6s")
RIVER = Spot(
    board="Ks8d5h2c2s", oop="AA,88,QJ,T9s", ip="KQ,KJ,99", pot=20, stack=90, bets="50%, e, a",
    raises="60%",
)  # fmt: skip
SPOTS: dict[str, tuple[Spot, str | None]] = {
    "turn, 3 against 1 hand": (TURN, None),
    "the same": (TURN, "pcfr+"),
    "turn, 28 against 1 hand": (MANY, None),
    "the same, 28": (MANY, "pcfr+"),
    "turn, raises": (TURN.replace(ip="AsAh,QdQh", ip_bets="e", raises="60%"), None),
    "turn, two sizes": (MANY.replace(oop_bets="50%, e"), "cfr+"),
    "turn, raked": (TURN.replace(rake=0.05), None),
    "river, bluffs": (RIVER, None),
    "the same river": (RIVER, "pcfr+"),
    "river, deep": (RIVER.replace(stack=900, bets="33%, e, a", raises="50%, a"), None),
}
"""Spots and algorithms."""
COUNTS = (1_000, 10_000, 100_000)


def gains(spot: Spot, algorithm: str | None, *, single: bool) -> list[float]:
    """The mean gain after each of COUNTS, in percent of the pot."""
    solver, found = SpotSolver(spot, algorithm, threads=1), []
    if single:
        solver._narrow = None
    for count in COUNTS:
        solver.run(count - solver.iteration)
        found.append(100 * solver.mean_gain() / spot.pot)
    return found


def main() -> None:
    """Run all spots and write the record."""
    rows: list[list[object]] = []
    for name, (spot, algorithm) in SPOTS.items():
        before = gains(spot, algorithm, single=True)
        after = gains(spot, algorithm, single=False)
        texts = [f"{gain:.2g}" for gain in (*before, *after[1:])]
        rows.append(
            [name.split(", 28")[0] if "same" in name else name, algorithm or "dcfr", *texts]
        )
        print(*rows[-1], flush=True)
    columns = [
        "spot", "algorithm", "float32: 1,000 iterations", "float32: 10,000", "float32: 100,000",
        "as solved: 10,000", "as solved: 100,000",
    ]  # fmt: skip
    what = (
        "Exploitability in percent of the pot after so many iterations, with numbers in float32 "
        "throughout, and as `solve` runs them, in float64 after 1,000 iterations. Lower is better. "
        "dcfr is the default, `dcfr(alpha=1.4, beta=0.2, gamma=5)`."
    )
    write_record("stiff_spots", what, "python benchmarks/poker/stiff_spots.py", columns, rows)


if __name__ == "__main__":
    main()
