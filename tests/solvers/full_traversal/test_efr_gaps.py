"""How far the play of EFR is from correlated equilibria, against published and own figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria.gaps import GapMeter
from equilibrist.game_loading import compile_game
from equilibrist.solvers import EFR
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.full_traversal.efr import FAMILIES
from equilibrist.solvers.run.state import SolverState
from equilibrist.tree.compile import GameTree

AT = (100, 1_000, 10_000)
EFCE = {
    "cfr": (0.298499, 0.223747, 0.223024),
    "csps": (0.078955, 0.027502, 0.008712),
    "tips": (0.078955, 0.027502, 0.008712),
}
"""The summed EFCE gap of extended Shapley after AT iterations."""


def measured(solver: FullTraversals, iterations: int, concept: str = "efce") -> GapMeter:
    """The gaps of what a solver plays in so many iterations."""
    meter = GapMeter(solver.tree, concept)
    for _ in range(iterations):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
    return meter


@pytest.mark.by_default(1)
@pytest.mark.parametrize("family", EFCE)
def test_extended_shapley_tells_cfr_from_efce(family: str) -> None:
    solver = EFR("extended_shapley", family)
    meter = GapMeter(solver.tree, "efce")
    found = []
    for t in range(1, AT[-1] + 1):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
        if t in AT:
            found.append(meter.gaps().total)
    assert found == pytest.approx(EFCE[family], abs=1e-6)
    coarse = 0.001242 if family == "cfr" else 1e-6
    assert meter.gaps("efcce").total == pytest.approx(coarse, abs=1e-6)


def test_blind_partial_sequences_reach_efcce_but_not_efce() -> None:
    meter = measured(EFR("extended_shapley", "bps"), 10_000)
    assert meter.gaps("efce").total == pytest.approx(0.2236, abs=5e-5)
    assert meter.gaps("efcce").total < 0.002


METERED = [name for name, family in FAMILIES.items() if family.approaches != "AFCE"]


@pytest.mark.parametrize("family", METERED)
def test_the_concept_of_each_family_is_approached(family: str) -> None:
    """On a game of three players the gap shrinks by more than 3 while iterations grow by 25."""
    concept = FAMILIES[family].approaches.lower()
    tree = compile_game("kuhn(players=3)")
    gaps = [measured(EFR(tree, family), n, concept).gaps().total for n in (100, 2_500)]
    assert gaps[1] < gaps[0] / 3


def test_agent_form_gains_shrink() -> None:
    """With action deviations the regrets themselves are what one changed action would gain."""
    solver = EFR("kuhn(players=3)", "a")
    gaps = [solver.run(n).state.regret.max() / solver.iteration for n in (100, 2_400)]
    assert 0.0 < gaps[1] < gaps[0] / 3


def test_regrets_bound_the_gap() -> None:
    """No trigger gains more than the regrets of its player add up to, per iteration."""
    solver = EFR("random_tree(seed=3,depth=4,players=3)", "tips")
    meter = measured(solver, 200)
    positive = np.maximum(solver.state.regret, 0.0).sum() / 200
    assert 0.0 < meter.gaps().total <= positive


KUHN_THREE = (0.005490, 0.005656, 0.004721)
"""NFCCE gaps after 1,000 iterations. OpenSpiel's simultaneous CFR plays the same."""
FIRST_ACTION = (0.005516, 0.005287, 0.004300)
"""The same where an infoset without positive regrets plays its first action."""


@pytest.mark.parametrize("name", ["cfr", "efr"])
def test_kuhn_of_three_players(name: str) -> None:
    tree = compile_game("kuhn(players=3)")
    solver = CFR(tree, "cfr", alternating=False) if name == "cfr" else EFR(tree, "cfr")
    gap = measured(solver, 1_000, "nfcce").gaps()
    assert gap.players == pytest.approx(KUHN_THREE, abs=1e-6)


def test_kuhn_of_three_players_where_the_first_action_is_played_without_regrets() -> None:
    tree = compile_game("kuhn(players=3)")
    solver = CFR(tree, "cfr", alternating=False)
    meter = GapMeter(tree, "nfcce")
    for _ in range(1_000):
        meter.add_engine(1.0, solver.current_behaviour())
        solver.run(1)
        state = solver.state
        solver.restore(replace(state, behaviour=with_first_actions(tree, state)))
    assert meter.gaps().players == pytest.approx(FIRST_ACTION, abs=1e-6)


def with_first_actions(tree: GameTree, state: SolverState) -> np.ndarray:
    """The strategy of a state, but for the first action where no regret is positive."""
    behaviour = state.behaviour.copy()
    sequences = tree.sequence_form.sequence_of_public
    for first, end in zip(tree.action_offset, tree.action_offset[1:], strict=False):
        own = sequences[first:end]
        if (state.regret[own] <= 0.0).all():
            behaviour[own] = 0.0
            behaviour[own[0]] = 1.0
    return behaviour


def test_solve_measures_it() -> None:
    result = eq.solve("extended_shapley", "efr", iterations=1_000, measure="efce")
    assert result.evaluation.gap is not None
    assert result.evaluation.gap.total == pytest.approx(EFCE["tips"][1], abs=1e-6)
    assert "(EFCE)" in result.guarantee
    cfr = eq.solve("extended_shapley", "cfr", iterations=1_000, measure="efcce")
    assert "EFCCE" not in cfr.guarantee.split("Measured exactly")[0]
