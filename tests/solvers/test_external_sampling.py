"""External sampling: exact expectations, and the kernel against the plain recursion."""

from __future__ import annotations

import pytest

from equilibrist.games import load_game
from equilibrist.reference.sampling import external_sampling
from equilibrist.solvers.mccfr import MCCFR
from equilibrist.tree.compile import compile_game
from tests.solvers.exact_expectation import (
    SPECS,
    counterfactual_regrets,
    expected_addition,
    own_reach,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.stream_draws import reference_run


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("spec", SPECS)
def test_expected_regrets_are_the_full_ones(spec: str, seed: int) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    for player in range(game.num_players):
        regret, _, total = expected_addition(
            lambda draws, player=player: external_sampling(game.root, player, profile, draws)
        )
        assert total == pytest.approx(1.0, abs=1e-12)
        wanted = counterfactual_regrets(game, player, profile)
        for key, row in wanted.items():
            assert regret.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize("spec", ["kuhn"])
def test_with_two_players_the_expected_strategy_sum_is_own_reach_times_strategy(spec: str) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 3)
    reach = own_reach(game, profile)
    for player in (0, 1):
        _, strategy_sum, _ = expected_addition(
            lambda draws, player=player: external_sampling(game.root, player, profile, draws)
        )
        other = [key for key, infoset in game.infosets.items() if infoset.player != player]
        for key in other:
            row = strategy_sum.get(key, [0.0, 0.0])
            assert row == pytest.approx([reach[key] * p / 3 for p in profile[key]], abs=1e-12)


@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_kernel_adds_what_the_recursion_adds(spec: str) -> None:
    iterations = 30
    regret, strategy_sum = reference_run(spec, external_sampling, iterations, seed=4)
    tree = compile_game(load_game(spec))
    state = MCCFR(tree, "external", averaging="stochastic", seed=4).run(iterations).state
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert state.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert state.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)
