"""The averages of outcome sampling that keep clocks: what they add up to, and their kernels.

What each classic mistake breaks is in test_sampling_traps.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average
from equilibrist.reference.sampling import Profile
from equilibrist.reference.sampling.clocks import LazyAverage, OptimisticAverage
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.solvers.sampling.averages.outcome_trajectories import constant, learning
from tests.solvers.sampling.exact_expectation import SPECS, Table, profile_with_zeros, walk_of


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_constant_is_counted_exactly(spec: str) -> None:
    """Whatever is drawn, a constant profile adds up to iterations times the full average."""
    game, average = walk_of(spec), OptimisticAverage()
    profile = profile_with_zeros(game, 1)
    for step in constant(game, profile, 12):
        average.visit(step.iteration, step.traverser, step.visits)
    sums = average.flushed(12, game, profile)
    for key, row in full_average(game, profile).strategy_sum.items():
        assert sums[key] == pytest.approx([12 * p for p in row], abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_the_lazy_average_is_exact(spec: str) -> None:
    game = walk_of(spec)
    lazy = LazyAverage()
    wanted: Table = {key: [0.0] * len(i.actions) for key, i in game.infosets.items()}
    profile: Profile = {key: [1 / len(row)] * len(row) for key, row in wanted.items()}
    before = profile
    for step in learning(game, 50):
        if step.traverser == 0:
            before = profile
        profile = step.after
        lazy.visit(step.iteration, step.traverser, step.visits)
        for key, row in full_average(game, before).strategy_sum.items():
            if game.infosets[key].player == step.traverser:
                wanted[key] = [x + y for x, y in zip(wanted[key], row, strict=True)]
    found = lazy.flushed(50, game, profile)
    for key, row in wanted.items():
        assert found[key] == pytest.approx(row, abs=1e-9)


@pytest.mark.parametrize("averaging", ["lazy", "optimistic"])
@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_kernels_count_as_the_reference_does(spec: str, averaging: str) -> None:
    game = walk_of(spec)
    lazy, optimistic = LazyAverage(), OptimisticAverage()
    profile: Profile = {}
    for step in learning(game, 30, seed=4):
        lazy.visit(step.iteration, step.traverser, step.visits)
        optimistic.visit(step.iteration, step.traverser, step.visits)
        profile = step.after
    wanted = (lazy if averaging == "lazy" else optimistic).flushed(30, game, profile)
    solver = MCCFR(load_game(spec), sampler="outcome", averaging=averaging, seed=4).run(30)
    sums = solver.sampler.flushed(solver._tables, averaging, solver.tree)
    for i, key in enumerate(solver.tree.infoset_keys):
        found = sums[solver.tree.actions_of(i)].tolist()
        assert found == pytest.approx(wanted[key], abs=1e-9)


@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
def test_the_lazy_average_is_exact_under_discounts(variant: str) -> None:
    tree = compile_game(load_game("leduc"))
    lazy = MCCFR(tree, variant, sampler="outcome", averaging="lazy", seed=1, period=5)
    full = MCCFR(
        tree, variant, sampler="outcome", averaging="full", averaging_every=1, seed=1, period=5
    )
    lazy.run(101)
    full.run(101)
    assert lazy.state.regret.tobytes() == full.state.regret.tobytes()
    found, wanted = (solver.average_strategy().probabilities for solver in (lazy, full))
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("averaging", ["stochastic", "lazy", "optimistic", "openspiel", "strategy"])
def test_cuts_and_looks_change_no_bit(averaging: str) -> None:
    tree = compile_game(load_game("kuhn(players=3)"))
    whole = MCCFR(tree, "lcfr", sampler="outcome", averaging=averaging, seed=3, period=7).run(100)
    parts = MCCFR(tree, "lcfr", sampler="outcome", averaging=averaging, seed=3, period=7)
    for count in (1, 6, 13, 30):
        parts.run(count).average_strategy()
    resumed = MCCFR(tree, "lcfr", sampler="outcome", averaging=averaging, seed=3, period=7)
    resumed.restore(parts.state).run(50)
    for name, array in whole.state.kept.items():
        assert resumed.state.kept[name].tobytes() == array.tobytes()
    assert resumed.state.strategy_sum.tobytes() == whole.state.strategy_sum.tobytes()
    average = resumed.average_strategy().probabilities
    assert np.array_equal(average, whole.average_strategy().probabilities)
