"""Outcome sampling: exact expectations, and the kernel against the plain recursion."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.sampling import Profile, outcome_sampling
from equilibrist.reference.sampling.outcome import exploring
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.samplers import Tables
from tests.refusals import refuses, unchecked
from tests.solvers.sampling.exact_expectation import (
    SPECS,
    Table,
    counterfactual_regrets,
    expected_addition,
    own_reach,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.sampling.stream_draws import key_of, reference_run


def expected(
    game: GameWalk,
    player: int,
    profile: Profile,
    averaging: str = "stochastic",
    epsilon: float = 0.6,
) -> tuple[Table, Table]:
    regret, strategy_sum, total = expected_addition(
        lambda draws: outcome_sampling(
            game.root, player, profile, draws, epsilon=epsilon, averaging=averaging
        )
    )
    assert total == pytest.approx(1.0, abs=1e-12)
    return regret, strategy_sum


def parts(game: GameWalk, player: int, profile: Profile, who: set[int]) -> Table:
    """Per infoset of `player`, each history's part of the reach that those in `who` decide."""
    rows: Table = {}

    def visit(node: Node, reach: float) -> None:
        if node.player == TERMINAL:
            return
        if node.player == player:
            rows.setdefault(node.infoset, []).append(reach)
        weights = node.chance or profile[node.infoset]
        for child, p in zip(node.children, weights, strict=True):
            visit(child, reach * p if node.player in who else reach)

    visit(game.root, 1.0)
    return rows


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("epsilon", [0.6, 0.06, 1.0])
@pytest.mark.parametrize("spec", SPECS)
def test_expected_regrets_are_the_full_ones(spec: str, epsilon: float, seed: int) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    for player in range(game.num_players):
        regret, _ = expected(game, player, profile, epsilon=epsilon)
        for key, row in counterfactual_regrets(game, player, profile).items():
            assert regret.get(key, [0.0] * len(row)) == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize("averaging", ["stochastic", "strategy"])
@pytest.mark.parametrize("spec", SPECS)
def test_the_expected_strategy_sum(spec: str, averaging: str) -> None:
    """Own reach times strategy times a constant with two players; with three, the third enters.

    The average of strategies alone has, besides, the traverser's exploring in it.
    """
    game = walk_of(spec)
    profile = profile_with_zeros(game, 3)
    reach = own_reach(game, profile)
    everybody = set(range(game.num_players))
    for traverser in everybody:
        _, strategy_sum = expected(game, traverser, profile, averaging)
        drawing = {
            key: exploring(row, 0.6) if game.infosets[key].player == traverser else row
            for key, row in profile.items()
        }
        for averager in everybody - {traverser}:
            entering = {CHANCE} | everybody - {averager}
            if averaging == "stochastic":
                entering.remove(traverser)
            for key, row in parts(game, averager, drawing, entering).items():
                wanted = [sum(row) * reach[key] * p for p in profile[key]]
                found = strategy_sum.get(key, [0.0] * len(wanted))
                assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_openspiel_counts_the_histories_that_the_others_reach(spec: str) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, 3)
    reach = own_reach(game, profile)
    biased = False
    for traverser in range(game.num_players):
        _, strategy_sum = expected(game, traverser, profile, "openspiel")
        others = {CHANCE, *range(game.num_players)} - {traverser}
        for key, row in parts(game, traverser, profile, others).items():
            reached = sum(r > 0.0 for r in row)
            biased |= reached < len(row)
            wanted = [reached * reach[key] * p for p in profile[key]]
            assert strategy_sum.get(key, [0.0] * len(wanted)) == pytest.approx(wanted, abs=1e-12)
    assert biased or not spec.startswith("kuhn")


@pytest.mark.by_default(1)
@pytest.mark.parametrize("averaging", ["stochastic", "strategy", "openspiel"])
@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_kernel_adds_what_the_recursion_adds(spec: str, averaging: str) -> None:
    iterations = 30
    sample = partial(outcome_sampling, epsilon=0.3, averaging=averaging)
    regret, strategy_sum = reference_run(spec, sample, iterations, seed=4)
    tables = run_kernel(spec, Outcome(epsilon=0.3), iterations, averaging, seed=4)
    tree = compile_game(load_game(spec))
    for i, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(i)
        assert tables.regret[actions].tolist() == pytest.approx(regret[key], abs=1e-9)
        assert tables.strategy_sum[actions].tolist() == pytest.approx(strategy_sum[key], abs=1e-9)


def run_kernel(spec: str, sampler: Outcome, iterations: int, averaging: str, seed: int) -> Tables:
    tree = compile_game(load_game(spec))
    size = int(tree.action_offset[-1])
    tables = Tables(tree.history_tree, np.uint64(key_of(seed)), np.zeros(size), np.zeros(size))
    sampler.run(tables, 1, iterations, averaging, 1.0)
    return tables


@pytest.mark.parametrize("epsilon", [0.0, -0.1, 1.01, float("nan"), True, "0.6"])
def test_bad_epsilon(epsilon: object) -> None:
    with refuses(ConfigError, option="epsilon", given=epsilon):
        Outcome(epsilon=unchecked(epsilon))
