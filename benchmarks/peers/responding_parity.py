"""NashConv after 20 iterations of XFP and CFR-BR, ours and OpenSpiel's.

    python benchmarks/peers/responding_parity.py

OpenSpiel's Python solvers (`fictitious_play.XFPSolver`, `cfr_br.CFRBRSolver`); OpenSpiel measures
its own averages. CFR-BR is for two players there. The largest game takes OpenSpiel most of an hour.
The same figures stand in tests/solvers/full_traversal/test_responding.py.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyspiel
from open_spiel.python.algorithms import cfr_br, exploitability, fictitious_play

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR, XFP

ITERATIONS = 20
ALGORITHMS = ("xfp", "cfr-br", "cfr-br(cfr+)")
GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=True{}))"
GAMES = {
    "kuhn": "kuhn_poker",
    "kuhn(players=3)": "kuhn_poker(players=3)",
    "leduc": "leduc_poker",
    "goofspiel(imp_info=true,points_order=descending)": GOOFSPIEL.format(
        ",points_order=descending"
    ),
    "goofspiel(imp_info=true)": GOOFSPIEL.format(""),
    "liars_dice(sides=3)": "liars_dice(numdice=1,dice_sides=3)",
    "liars_dice(sides=4)": "liars_dice(numdice=1,dice_sides=4)",
    "liars_dice(sides=5)": "liars_dice(numdice=1,dice_sides=5)",
    "liars_dice": "liars_dice(numdice=1,dice_sides=6)",
}
"""Our games, and OpenSpiel's of the same rules."""


def openspiel_xfp(game: Any) -> float:
    """NashConv of OpenSpiel's fictitious play."""
    solver = fictitious_play.XFPSolver(game)
    for _ in range(ITERATIONS):
        solver.iteration()
    return float(exploitability.nash_conv(game, solver.average_policy()))


def openspiel_cfr_br(game: Any, **options: bool) -> float:
    """NashConv of OpenSpiel's CFR-BR."""
    solver = cfr_br.CFRBRSolver(game, **options)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    return float(exploitability.nash_conv(game, solver.average_policy()))


def compared(ours: str, theirs: str, algorithm: str) -> list[str]:
    """Game, algorithm, our NashConv, OpenSpiel's, and the difference."""
    game, tree = pyspiel.load_game(theirs), eq.compile_game(ours)
    if algorithm == "xfp":
        solver, other = XFP(tree), openspiel_xfp(game)
    elif algorithm == "cfr-br":
        solver, other = CFRBR(tree), openspiel_cfr_br(game)
    else:
        solver = CFRBR(tree, "cfr+")
        other = openspiel_cfr_br(game, linear_averaging=True, regret_matching_plus=True)
    own = eq.nash_conv(solver.run(ITERATIONS).average_strategy())
    return [ours, algorithm, repr(own), repr(other), f"{abs(own - other):.1e}"]


def main() -> None:
    """Compare and write the record."""
    rows, figures = [], []
    for ours, theirs in GAMES.items():
        two = pyspiel.load_game(theirs).num_players() == 2
        found = {name: compared(ours, theirs, name) for name in (ALGORITHMS if two else ("xfp",))}
        figures += found.values()
        most = max(abs(float(own) - float(other)) for _, _, own, other, _ in found.values())
        shown = [f"{float(found[n][2]):.6f}" if n in found else "-" for n in ALGORITHMS]
        rows.append([ours, *shown, f"{most:.1e}"])
        print(rows[-1], flush=True)
    write_record(
        "responding_parity",
        f"NashConv of the average strategy after {ITERATIONS} iterations, and the largest "
        "difference from OpenSpiel's.",
        "python benchmarks/peers/responding_parity.py",
        ["game", *ALGORITHMS, "largest difference"],
        rows,
        figures=figures,
        packages=("numpy", "numba", "open-spiel"),
    )


if __name__ == "__main__":
    main()
