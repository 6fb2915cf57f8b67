"""NashConv after 20 iterations of XFP and CFR-BR, ours and OpenSpiel's.

    python benchmarks/peers/responding_parity.py

OpenSpiel's Python solvers; OpenSpiel measures its own averages. Best responses are full of ties in
Kuhn and liar's dice, where rounding decides and the two programs go different ways; so those two
are compared with payoffs that are moved by up to 0.005, handed to OpenSpiel as .efg. The same
figures stand in tests/solvers/test_responding.py.
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
from equilibrist.games.efg_writer import efg_text
from equilibrist.solvers.responding import CFRBR, XFP
from tests.altered_games import Jittered

ITERATIONS = 20
GAMES = ("leduc", "kuhn", "liars_dice(sides=3)")


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


def main() -> None:
    """Compare and write the record."""
    rows = []
    for spec in GAMES:
        rules = eq.load_game(spec)
        if spec == "leduc":
            game = pyspiel.load_game("leduc_poker")
        else:
            rules = Jittered(rules, zero_sum=True)
            game = pyspiel.load_efg_game(efg_text(rules))
        tree = eq.compile_game(rules)
        plus = openspiel_cfr_br(game, linear_averaging=True, regret_matching_plus=True)
        pairs = [
            ("xfp", XFP(tree), openspiel_xfp(game)),
            ("cfr-br", CFRBR(tree), openspiel_cfr_br(game)),
            ("cfr-br(cfr+)", CFRBR(tree, "cfr+"), plus),
        ]
        for algorithm, solver, theirs in pairs:
            ours = eq.nash_conv(solver.run(ITERATIONS).average_strategy())
            rows.append([spec, algorithm, repr(ours), repr(theirs), f"{abs(ours - theirs):.1e}"])
            print(rows[-1], flush=True)
    write_record(
        "responding_parity",
        f"NashConv of the average strategy after {ITERATIONS} iterations.",
        "python benchmarks/peers/responding_parity.py",
        ["game", "algorithm", "Equilibrist", "OpenSpiel", "difference"],
        rows,
        packages=("numpy", "numba", "open-spiel"),
    )


if __name__ == "__main__":
    main()
