"""Grafts by CFR+ with locks: against linear programmes, and with more than two players."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.abstraction import Abstraction
from equilibrist.errors import UnsupportedError
from equilibrist.grafting import find_blocks, graft
from tests.refusals import refuses
from tests.strategy.random_strategies import random_strategy


def test_it_approaches_the_linear_programme() -> None:
    tree = eq.compile_game("kuhn")
    strategy = random_strategy(tree, 4)
    for method in ("independent", "joint"):
        exact = graft(strategy, ["*pb", "?b + ?p"], method=method)
        found = graft(strategy, ["*pb", "?b + ?p"], method=method, iterations=4000)
        assert found.measure == "exploitability"
        assert found.iterations == 4000
        assert not found.guaranteed
        for one, other in zip(found.steps, exact.steps, strict=True):
            assert one.after == pytest.approx(other.after, abs=1e-3)
            assert one.after >= other.after - 1e-9


def test_static_experts() -> None:
    tree = eq.compile_game("kuhn")
    passing = eq.Strategy.first_action(tree)  # nobody bets: no expert is told what a bet means
    exact = graft(passing, ["*b"], method="static")
    found = graft(passing, ["*b"], method="static", iterations=500)
    assert [step.undecided for step in found.steps] == [3, 3]
    assert [step.undecided for step in exact.steps] == [3, 3]
    assert found.strategy["2b"] == exact.strategy["2b"] == {"pass": 0.5, "bet": 0.5}
    assert found.after == pytest.approx(exact.after, abs=1e-9)


def test_three_players() -> None:
    tree = eq.compile_game("kuhn(players=3)")
    strategy = eq.Strategy.uniform(tree)
    found = graft(strategy, ["*b*"], iterations=300)
    assert found.measure == "NashConv"
    assert not found.guaranteed
    assert found.seats == (0, 1, 2)
    assert found.before == (eq.nash_conv(strategy),) * 3
    assert found.after == (eq.nash_conv(found.strategy),) * 3
    assert found.after[0] < 0.5 * found.before[0]
    now = found.before[0]
    for step in found.steps:
        assert step.before == now
        now = step.after if step.taken else now
    assert now == found.after[0]
    (block,) = find_blocks(tree, ["*b*"])
    rows = np.repeat(~block.inside, np.diff(tree.action_offset))
    assert (found.strategy.probabilities[rows] == strategy.probabilities[rows]).all()


@pytest.mark.slow
def test_three_player_leduc() -> None:
    tree = eq.compile_game("leduc(players=3,ranks=3,raise_cap=1)")
    base = eq.solve(tree, "cfr+", iterations=10).strategy
    found = graft(base, ["*:ccc/*"], seats=[0, 1], iterations=30)
    assert found.before[0] == eq.nash_conv(base)
    assert found.after[0] == eq.nash_conv(found.strategy) < found.before[0]
    assert [step.num_infosets for step in found.steps] == [120, 120]


def test_one_thousand_iterations_where_there_is_no_programme() -> None:
    tree = eq.compile_game("random_tree(seed=2,depth=4,zero_sum=false)")
    assert not tree.is_constant_sum
    found = graft(random_strategy(tree, 1), ["*"], method="joint")
    assert found.iterations == 1000
    assert found.measure == "NashConv"
    assert found.after[0] <= found.before[0]


def test_abstractions_must_keep_what_players_remember() -> None:
    tree = eq.compile_game("kuhn(players=3)")
    uniform = eq.Strategy.uniform(tree)
    low = {key: "low" + key[1:] for key in tree.infoset_keys if key[0] in "12"}
    merged = Abstraction.from_keys(tree, low)
    found = graft(uniform, ["*"], abstraction=merged, iterations=200)
    assert found.after[0] < found.before[0]
    assert found.strategy["1"] == found.strategy["2"]
    with refuses(UnsupportedError, option="abstraction", expected="perfect recall"):
        graft(uniform, ["*b*"], abstraction=merged)


def test_large_games_are_measured_by_best_responses() -> None:
    tree = eq.compile_game("liars_dice(sides=5)")
    uniform = eq.Strategy.uniform(tree)
    found = graft(uniform, ["*"], seats=[1], iterations=20)
    assert found.measure == "best response"
    best = eq.evaluate(uniform).best_response_values
    assert found.before == (best[1], best[0])
    assert found.after[1] < found.before[1]
    assert found.after[0] == found.before[0]
