"""Averages taken apart from the traversals: their expectation, their kernels, their schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, RecallError
from equilibrist.evaluation import evaluate
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.averaging import full_average, walk_average
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling import chance_sampling, external_sampling
from equilibrist.solvers.sampling.averaging import Walk
from equilibrist.solvers.sampling.mccfr import MCCFR, fit_averaging
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solvers.sampling.samplers import SAMPLERS, External, Tables
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import (
    SPECS,
    expected_addition,
    own_reach,
    profile_with_zeros,
    walk_of,
)
from tests.solvers.sampling.stream_draws import StreamDraws

ANOTHER_KEY = 987654321


def even_reach(game: GameWalk) -> dict[str, float]:
    """How often each infoset is met by chance and others that draw evenly, its owner pushing."""
    reach = dict.fromkeys(game.infosets, 0.0)
    for key, infoset in game.infosets.items():
        for end in infoset.nodes:
            node, probability = game.root, 1.0
            for label in end.history:
                k = next(k for k, c in enumerate(node.children) if c.history[-1] == label)
                if node.player == CHANCE:
                    probability *= node.chance[k]
                elif node.player != infoset.player:
                    probability /= len(node.children)
                node = node.children[k]
            assert node.player != TERMINAL
            reach[key] += probability
    return reach


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("spec", SPECS)
def test_a_walk_adds_a_constant_times_own_reach_times_strategy(spec: str, seed: int) -> None:
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    constant, reach = even_reach(game), own_reach(game, profile)
    assert min(constant.values()) > 0.0
    for player in range(game.num_players):
        _, added, total = expected_addition(
            lambda draws, player=player: walk_average(game.root, player, profile, draws)
        )
        assert total == pytest.approx(1.0, abs=1e-12)
        own = [key for key, infoset in game.infosets.items() if infoset.player == player]
        assert set(added) <= set(own)
        for key in own:
            row = added.get(key, [0.0] * len(profile[key]))
            wanted = [constant[key] * reach[key] * p for p in profile[key]]
            assert row == pytest.approx(wanted, abs=1e-12)


def factor(row: list[float], wanted: list[float]) -> float | None:
    """What `wanted` was multiplied by; None where there is nothing to multiply."""
    return sum(row) / sum(wanted) if sum(wanted) > 0.0 else None


def factors_of_external(spec: str, seed: int, player: int) -> dict[str, float]:
    """By how much other players' traversals weigh each infoset of `player`, own reach apart."""
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    reach = own_reach(game, profile)
    totals: dict[str, float] = {}
    for other in range(game.num_players):
        if other == player:
            continue
        _, added, _ = expected_addition(
            lambda draws, other=other: external_sampling(game.root, other, profile, draws)
        )
        for key, row in added.items():
            totals[key] = totals.get(key, 0.0) + sum(row)
    return {
        key: totals.get(key, 0.0) / reach[key]
        for key, infoset in game.infosets.items()
        if infoset.player == player and reach[key] > 0.0
    }


def test_with_three_players_the_average_on_the_way_is_biased() -> None:
    """Its factor depends on what the others play now: hence `walk` by default."""
    one, other = (factors_of_external("kuhn(players=3)", seed, 0) for seed in (0, 1))
    assert any(abs(one[key] - other[key]) > 0.05 for key in one.keys() & other.keys())


@pytest.mark.parametrize("player", [0, 1])
def test_with_two_players_it_is_not(player: int) -> None:
    one, other = (factors_of_external("kuhn", seed, player) for seed in (0, 1))
    for key in one.keys() & other.keys():
        assert one[key] == pytest.approx(other[key], abs=1e-12)


def regrets_with_zeros(tree: GameTree, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    regret = generator.normal(size=int(tree.action_offset[-1]))
    return np.where(generator.random(len(regret)) < 0.2, 0.0, regret)


def rows(tree: GameTree, table: np.ndarray) -> dict[str, list[float]]:
    return {key: table[tree.actions_of(i)].tolist() for i, key in enumerate(tree.infoset_keys)}


@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_full_pass_adds_own_reach_times_strategy(spec: str) -> None:
    tree = compile_game(load_game(spec))
    solver = MCCFR(tree, averaging="full", averaging_every=5)
    regret = regrets_with_zeros(tree, 8)
    solver._tables.regret[:] = regret
    solver._runner.apart.take(solver._tables, 1, 0.25)
    profile = {key: regret_matching(row) for key, row in rows(tree, regret).items()}
    wanted = full_average(walk_of(spec), profile).strategy_sum
    for key, row in rows(tree, solver._tables.strategy_sum).items():
        assert row == pytest.approx([0.25 * x for x in wanted[key]], abs=1e-12)


@pytest.mark.parametrize("spec", [*SPECS, "leduc"])
def test_the_walk_kernel_adds_what_the_plain_walk_adds(spec: str) -> None:
    tree = compile_game(load_game(spec))
    regret = regrets_with_zeros(tree, 9)
    tables = Tables(tree.history_tree, np.uint64(0), regret, np.zeros(len(regret)))
    Walk(1, 20, np.uint64(ANOTHER_KEY)).take(tables, 7, 0.5)
    game = walk_of(spec)
    profile = {key: regret_matching(row) for key, row in rows(tree, regret).items()}
    draws = StreamDraws(ANOTHER_KEY, 7)
    wanted = {key: [0.0] * len(row) for key, row in profile.items()}
    for _ in range(20):
        for player in range(tree.num_players):
            for key, row in walk_average(game.root, player, profile, draws).strategy_sum.items():
                wanted[key] = [x + 0.5 * y for x, y in zip(wanted[key], row, strict=True)]
    for key, row in rows(tree, tables.strategy_sum).items():
        assert row == pytest.approx(wanted[key], abs=1e-9)


@pytest.mark.parametrize("averaging", ["walk", "full", "snapshots"])
def test_it_is_taken_before_the_iteration_by_its_number_only(averaging: str) -> None:
    tree = compile_game(load_game("kuhn"))

    def fresh() -> MCCFR:
        return MCCFR(
            tree, averaging=averaging, averaging_every=10, algorithm="lcfr", period=7, seed=2
        )

    assert fresh().run(1).state.strategy_sum.sum() > 0.0
    one, ten, eleven = (
        MCCFR(tree, averaging=averaging, averaging_every=10).run(n).state.strategy_sum.tobytes()
        for n in (1, 10, 11)
    )
    assert one == ten != eleven
    whole, parts = fresh().run(64).state, fresh()
    for count in (1, 9, 1, 19, 10, 24):
        parts.run(count)
    assert parts.state.strategy_sum.tobytes() == whole.strategy_sum.tobytes()
    assert parts.state.regret.tobytes() == whole.regret.tobytes()
    assert parts.nodes_touched == whole.nodes_touched


@pytest.mark.parametrize("averaging", ["walk", "full", "snapshots", "stochastic"])
def test_regrets_do_not_depend_on_the_average(averaging: str) -> None:
    tree = compile_game(load_game("leduc"))
    plain = MCCFR(tree, seed=1).run(300).state
    other = MCCFR(tree, averaging=averaging, seed=1).run(300).state
    assert plain.regret.tobytes() == other.regret.tobytes()


@pytest.mark.by_default(2)
@pytest.mark.parametrize("averaging", ["walk", "full", "snapshots"])
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(players=3)"])
def test_the_average_approaches_equilibrium(spec: str, averaging: str) -> None:
    tree = compile_game(load_game(spec))
    solver = MCCFR(tree, averaging=averaging, algorithm="lcfr", seed=3).run(200_000)
    assert evaluate(solver.average_strategy()).nash_conv < 0.02


ADDS: dict[str, Callable[..., Any]] = {
    "walk": walk_average,
    "own-reach": chance_sampling,
    "stochastic": external_sampling,
}
"""What one traversal for a player adds, by the name of the average."""


def factors_of(averaging: str, spec: str, seed: int) -> dict[str, float]:
    """What an iteration adds on average, over own reach times strategy, where that is not zero."""
    game = walk_of(spec)
    profile = profile_with_zeros(game, seed)
    wanted = full_average(game, profile).strategy_sum
    found = {key: [0.0] * len(row) for key, row in wanted.items()}
    for player in range(game.num_players):
        _, added, _ = expected_addition(
            lambda draws, player=player: ADDS[averaging](game.root, player, profile, draws)
        )
        for key, row in added.items():
            found[key] = [x + y for x, y in zip(found[key], row, strict=True)]
    scales = {key: factor(found[key], row) for key, row in wanted.items()}
    for key, row in wanted.items():
        assert found[key] == pytest.approx([(scales[key] or 0.0) * p for p in row], abs=1e-12)
    return {key: scale for key, scale in scales.items() if scale is not None}


@pytest.mark.parametrize("spec", ["kuhn(players=3)", "random_tree(seed=4,players=3,depth=4)"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_with_three_players_the_usual_average_is_unbiased_with_any_sampler(
    name: str, spec: str
) -> None:
    """Its factor is a constant of the infoset, whatever anybody plays."""
    averaging = fit_averaging(get_sampler(name), None, 3)
    one, other = (factors_of(averaging, spec, seed) for seed in (0, 1))
    assert one.keys() & other.keys()
    for key in one.keys() & other.keys():
        assert one[key] == pytest.approx(other[key], abs=1e-12)
    assert min(*one.values(), *other.values()) > 0.0


def test_the_usual_average_is_one_that_is_unbiased() -> None:
    assert MCCFR(compile_game(load_game("kuhn"))).averaging == External.averagings[0]
    for spec in ("kuhn(players=3)", "random_tree(players=1)"):
        assert MCCFR(compile_game(load_game(spec))).averaging == "walk"


def test_by_default_averaging_takes_about_a_third_of_the_nodes() -> None:
    tree = compile_game(load_game("kuhn(players=3)"))
    walking = MCCFR(tree, averaging="walk").run(6400).nodes_touched
    alone = MCCFR(tree, averaging="stochastic").run(6400).nodes_touched
    assert 0.2 < (walking - alone) / walking < 0.45


def test_bad_input() -> None:
    tree = compile_game(load_game("kuhn"))
    with refuses(ConfigError, option="averaging", given="lazyy"):
        MCCFR(tree, averaging="lazyy")
    with refuses(ConfigError, option="averaging_every", given=3):
        MCCFR(tree, averaging_every=3)
    with refuses(ConfigError, option="averaging_every", given=0):
        MCCFR(tree, averaging="walk", averaging_every=0)


def test_a_full_pass_needs_perfect_recall() -> None:
    tree = compile_game(load_game("random_tree(seed=3,depth=6,imperfect_recall=true)"))
    assert MCCFR(tree, averaging="walk").run(10).iteration == 10
    with pytest.raises(RecallError):
        MCCFR(tree, averaging="full")
