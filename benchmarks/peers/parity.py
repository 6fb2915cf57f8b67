"""NashConv of the average strategy after 30 iterations, ours and OpenSpiel's.

    python benchmarks/peers/parity.py

CFR and CFR+ of OpenSpiel's C++ solvers on four games; OpenSpiel measures its own averages. The
same figures stand in tests/papers/test_openspiel_parity.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyspiel

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR

ITERATIONS = 30
GAMES = (
    ("kuhn", "kuhn_poker"),
    ("leduc", "leduc_poker"),
    ("liars_dice(sides=4)", "liars_dice(numdice=1,dice_sides=4)"),
    (
        "goofspiel(cards=4,imp_info=true,points_order=descending)",
        (
            "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=4,"
            "points_order=descending))"
        ),
    ),
    ("kuhn(players=3)", "kuhn_poker(players=3)"),
)
SOLVERS = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}


def main() -> None:
    """Compare and write the record."""
    rows = []
    for spec, name in GAMES:
        tree = eq.compile_game(eq.load_game(spec))
        game = pyspiel.load_game(name)
        for algorithm, solver_class in SOLVERS.items():
            solver = solver_class(game)
            for _ in range(ITERATIONS):
                solver.evaluate_and_update_policy()
            theirs = pyspiel.nash_conv(game, solver.average_policy())
            ours = eq.nash_conv(CFR(tree, algorithm).run(ITERATIONS).average_strategy())
            rows.append([spec, algorithm, repr(ours), repr(theirs), f"{abs(ours - theirs):.1e}"])
            print(rows[-1], flush=True)
    write_record(
        "openspiel_parity",
        f"NashConv of the average strategy after {ITERATIONS} iterations, alternating updates.",
        "python benchmarks/peers/parity.py",
        ["game", "algorithm", "Equilibrist", "OpenSpiel", "difference"],
        rows,
        packages=("numpy", "numba", "open-spiel"),
    )


if __name__ == "__main__":
    main()
