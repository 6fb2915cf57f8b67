"""An algorithm of one's own: CFR+ with a steeper average, against CFR+ itself on Leduc."""

from __future__ import annotations

import equilibrist as eq
from equilibrist.solvers import CFR, PowerAverage, Variant

STEEP = Variant(
    "cfr+ with t^4",
    average=PowerAverage(4.0),
    floor=0.0,
    summary="regrets never fall below zero, iteration t counts t^4",
)


def main() -> None:
    """Print the exploitability of both after 200 iterations."""
    tree = eq.compile_game(eq.load_game("leduc"))
    for variant in ("cfr+", STEEP):
        solver = CFR(tree, algorithm=variant)
        solver.run(200)
        name = variant if isinstance(variant, str) else variant.name
        print(f"{name:14} {eq.exploitability(solver.average_strategy()):.2e}")


if __name__ == "__main__":
    main()
