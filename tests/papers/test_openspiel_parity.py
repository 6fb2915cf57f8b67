"""NashConv of the average after 30 iterations equals that of OpenSpiel's C++ solvers.

The figures are OpenSpiel 2.0.2's (CFRSolver and CFRPlusSolver, `pyspiel.nash_conv` of
`average_policy()`), printed by benchmarks/peers/parity.py.
"""

from __future__ import annotations

import pytest

import equilibrist as eq
from equilibrist.solvers import CFR

GOOFSPIEL = "goofspiel(cards=4,imp_info=true,points_order=descending)"
OPENSPIEL = [
    ("kuhn", "cfr", 0.045953325561493175),
    ("kuhn", "cfr+", 0.010715575186345416),
    ("leduc", "cfr", 0.6218354494546301),
    ("leduc", "cfr+", 0.1635385081793306),
    ("liars_dice(sides=4)", "cfr", 0.11366497319553943),
    ("liars_dice(sides=4)", "cfr+", 0.04462596396947639),
    (GOOFSPIEL, "cfr", 0.1267113750906046),
    (GOOFSPIEL, "cfr+", 0.03677714406526576),
    ("kuhn(players=3)", "cfr", 0.10577350265069085),
    ("kuhn(players=3)", "cfr+", 0.024165865149905735),
]


@pytest.mark.parametrize(("spec", "algorithm", "expected"), OPENSPIEL)
def test_nash_conv_after_thirty_iterations(spec: str, algorithm: str, expected: float) -> None:
    solver = CFR(eq.load_game(spec), algorithm).run(30)
    assert eq.nash_conv(solver.average_strategy()) == pytest.approx(expected, abs=1e-9)
