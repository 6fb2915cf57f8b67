"""The average and the current strategy of every solver class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.game_loading import compile_game
from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.matrix.regret_matching import RegretMatching
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.strategy import Strategy
from tests.refusals import refuses
from tests.solvers.every_solver import RULES, TURN, Make, each, played_at, rows


@each
def test_strategies_add_up_to_one(make: Make) -> None:
    solver = make()
    for iterations in (0, 1, 4):
        solver.run(iterations)
        for strategy in (solver.average_strategy(), solver.current_strategy()):
            found = rows(strategy)
            assert found or iterations == 0  # rules have no infosets before the first iteration
            for row in found:
                assert row.min(initial=0.0) >= 0.0
                assert row.sum() == pytest.approx(1.0, abs=1e-6)


@each
def test_strategies_are_copies(make: Make) -> None:
    solver = make().run(3)
    strategies = solver.average_strategy(), solver.current_strategy()
    before = [[row.copy() for row in rows(strategy)] for strategy in strategies]
    solver.run(3)
    for strategy, copied in zip(strategies, before, strict=True):
        assert [r.tobytes() for r in rows(strategy)] == [r.tobytes() for r in copied]


def test_the_current_strategy_of_rules_is_that_of_their_tree() -> None:
    without, on_tree = (
        ImplicitMCCFR(RULES, seed=2).run(50),
        MCCFR(compile_game(RULES), seed=2).run(50),
    )
    found = Strategy.from_packed(on_tree.tree, without.current_strategy()).probabilities
    assert found == pytest.approx(on_tree.current_strategy().probabilities, abs=1e-12)
    assert np.abs(found - on_tree.average_strategy().probabilities).max() > 0.1


@pytest.mark.parametrize("locks", [[], ["X: 99 = Check 100%", "X-B35: JTs = Fold 25%"]])
def test_averages_of_a_spot_take_in_the_current_strategies(locks: list[str]) -> None:
    """CFR counts all iterations alike, and hands apart from their reach."""
    spot = TURN.replace(locks=locks)
    solver = SpotSolver(spot, "cfr", storage="float64")
    lines = ("", "X", "B35", "X-B35", "X-X|2c", "X-X|2d|X", "X-B35-C|Ah|X")
    sums: dict[str, Any] = dict.fromkeys(lines, 0.0)
    moved = 0.0

    def by_line(strategy: SpotStrategy) -> dict[str, np.ndarray]:
        return {line: played_at(strategy, line) for line in lines}

    for count in range(1, 6):
        current = by_line(solver.current_strategy())
        sums = {line: found + current[line] for line, found in sums.items()}
        average = by_line(solver.run(1).average_strategy())
        for line in lines:
            assert average[line] == pytest.approx(sums[line] / count, abs=1e-12, nan_ok=True)
            moved = max(moved, float(np.nanmax(np.abs(average[line] - current[line]))))
    assert moved > 0.1
    held = {line: ~np.isnan(average[line]).any(axis=0) for line in lines}
    solution = solved(spot, solver, StopRule(5))
    for line in lines:
        assert np.array_equal(solution.at(line).values.strategy, average[line], equal_nan=True)
        assert 0 < held[line].sum() < 60


def test_where_nobody_acts_a_spot_has_no_strategy() -> None:
    strategy = SpotSolver(TURN).average_strategy()
    with refuses(ConfigError, option="line", given="X-X"):
        strategy["X-X"]
    with refuses(LineSyntaxError, option="line"):
        strategy["X-B9999"]


def test_regret_matching_gives_what_its_result_says() -> None:
    solver = RegretMatching("shapley", seed=4)
    assert solver.average_strategy() == solver.current_strategy()
    result = solver.run(40).result()
    assert solver.average_strategy() == result.average_strategy
    assert solver.current_strategy() == result.current_strategy != result.average_strategy
    state = solver.state
    again = RegretMatching("shapley", seed=9).restore(state)  # the streams are in the state
    assert again.run(20).result().average_regrets == solver.run(20).result().average_regrets
