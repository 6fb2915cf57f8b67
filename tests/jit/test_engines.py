"""One solve per engine. `.ci/run` runs this folder on the lowest versions that are supported, too.

Every engine compiles here what is its own, and the answers are those of theory.
"""

from __future__ import annotations

import pytest

from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.poker.postflop.solving.spot_runs import solve
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy

KUHN = -1 / 18
"""The value of Kuhn poker for the first player."""


def test_full_traversal() -> None:
    found = evaluate(CFR("kuhn", "dcfr").run(500).average_strategy())
    assert found.exploitability == pytest.approx(0, abs=1e-3)
    assert found.values[0] == pytest.approx(KUHN, abs=1e-3)


def test_sampling_on_a_tree() -> None:
    found = evaluate(MCCFR("kuhn", sampler="external", seed=1).run(20_000).average_strategy())
    assert found.exploitability == pytest.approx(0, abs=0.02)
    assert found.values[0] == pytest.approx(KUHN, abs=0.02)


def test_rules_without_a_tree() -> None:
    """The same samples as on the tree, from kernels that are bound to a rules module."""
    rules = "rules:leduc(ranks=2,suits=2,raise_cap=1)"
    solver = ImplicitMCCFR(rules, seed=3).run(300)
    tree = compile_game(rules)
    on_tree = MCCFR(tree, sampler="external", seed=3).run(300).average_strategy()
    average = Strategy.from_packed(tree, solver.average_strategy())
    assert average.probabilities == pytest.approx(on_tree.probabilities, abs=1e-12)


def test_fixed_strategy_iteration() -> None:
    solver = FSICFR("liar_die(sides=3)", seed=1)
    before = evaluate(solver.run(1).average_strategy()).exploitability
    assert evaluate(solver.run(3000).average_strategy()).exploitability < before / 5


def test_a_spot_with_two_threads() -> None:
    """All in or not with the better or the worse hand: every bit as with one thread."""
    spot = Spot(board="Ts3h2h5c", oop="AsAh,8s8h", ip="KsKh,9s9h", pot=20, stack=20, bets="a")
    alone, shared = (solve(spot, iterations=60, threads=n) for n in (1, 2))
    assert shared.exploitability == alone.exploitability < 0.01 * spot.pot
    assert shared.ev == alone.ev
    assert sum(alone.ev) == pytest.approx(spot.pot)
