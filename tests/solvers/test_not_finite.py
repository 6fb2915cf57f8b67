"""A regret that is not a number is never taken for none: what is averaged shows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import EquilibristError
from equilibrist.evaluation.response import evaluate
from equilibrist.poker import Hand
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.number_layout import matched as matched_exactly
from equilibrist.poker.preflop.exact.solver import ExactSolver
from equilibrist.poker.preflop.push_fold.heads_up import _matched
from equilibrist.rules.strategy import PackedStrategy
from tests.solvers.every_solver import SOLVERS

REGRETS: dict[str, Callable[[Any], np.ndarray]] = {
    **dict.fromkeys(
        [
            "CFR", "CFR, predictive, at once", "CFR, local rule", "MixedCFR", "PartialCFR",
            "CFRBR", "EFR", "EFR, behavioural",
        ],
        lambda solver: solver._regret,
    ),
    **dict.fromkeys(["PrunedCFR"], lambda solver: solver._play.regret),
    **dict.fromkeys(
        ["MCCFR", "MCCFR, discounts", "MCCFR, baselines", "MCCFR, textbook", "MCCFR, ESCHER"],
        lambda solver: solver._tables.regret,
    ),
    **dict.fromkeys(
        ["ImplicitMCCFR", "ImplicitMCCFR, threads", "ImplicitMCCFR, pure"],
        lambda solver: solver.table.pool[0],
    ),
}  # fmt: skip


def measured(solver: Any) -> list[float]:
    """The measure of the average strategy, or all that is known of it without a tree."""
    strategy = solver.average_strategy()
    if isinstance(strategy, PackedStrategy):
        return [*strategy.probabilities.tolist(), solver.bound_nash_conv() or 0.0]
    return [evaluate(strategy).nash_conv]


@pytest.mark.parametrize("name", REGRETS)
def test_bad_regrets_reach_what_is_averaged(name: str) -> None:
    solver = SOLVERS[name]().run(20)
    assert np.isfinite(measured(solver)).all()
    REGRETS[name](solver)[:] = np.nan
    solver.run(60)
    try:
        found = measured(solver)
    except EquilibristError:  # a strategy refuses what are no probabilities
        return
    assert not np.isfinite(found).all()


@pytest.mark.parametrize("name", [name for name in REGRETS if "Implicit" not in name])
def test_bad_sums_reach_the_measure(name: str) -> None:
    """Wherever one is."""
    solver = SOLVERS[name]().run(20)
    sums = next(
        getattr(holder, key)
        for holder, key in (
            (solver, "_strategy_sum"),
            (getattr(solver, "_play", None), "strategy_sum"),
            (getattr(solver, "_tables", None), "strategy_sum"),
        )
        if hasattr(holder, key)
    )
    played = np.flatnonzero(sums)[2:]
    for place in played[:: max(1, len(played) // 5)].tolist():
        kept = sums[place]
        sums[place] = np.nan
        with suppress(EquilibristError):
            assert not np.isfinite(measured(solver)).all()
        sums[place] = kept


def test_hands_solved_exactly() -> None:
    rules = Hand(stack=4, board="1", deck="T").rules
    game = ExactGame(rules, HandMenu.read(rules, "a", "a", 1))
    solver = ExactSolver(game, threads=1).run(3)
    for arrays in (solver.engine.totals, solver.engine.regrets):
        kept = arrays[0][0]
        arrays[0][0] = np.nan
        with pytest.raises(EquilibristError) as error:
            solver.run(2 if arrays is solver.engine.regrets else 0).measure()
        assert error.value.place == f"t = {solver.iteration}"
        arrays[0][0] = kept


def test_regret_matching_outside_of_kernels() -> None:
    bad = np.array([[1.0, 0.0, np.nan], [1.0, 0.0, 1.0]])
    assert np.isnan(matched_exactly(bad)).any(axis=0).tolist() == [False, False, True]
    assert np.isnan(_matched(np.tile(bad[:, :1], 169) * np.nan)).all()
