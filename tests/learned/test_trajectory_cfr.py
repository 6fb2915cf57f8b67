"""With tables in the place of networks, each contender is its tabular sampler."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation import exploitability
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms import get_neural
from equilibrist.learned.trajectories import TreeNodes, sample_ends
from equilibrist.learned.trajectory_cfr import (
    WALKS,
    Dream,
    EscherNet,
    TrajectoryCFR,
    TrajectorySettings,
    VRDeepDCFRPlus,
    VRDeepPDCFRPlus,
)
from equilibrist.solvers.run.state import in_proportion
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray
from tests.learned.existing_samplers import escher_walks, outcome_walks
from tests.refusals import refuses

GAMES = ("kuhn", "leduc")
SEED = 5
COUNT = 25
ROUNDS = 3
SMALL = {"walks": COUNT, "fallback": "uniform", "learner": "table"}
METHODS = (
    Dream(**SMALL),  # type: ignore[arg-type]
    EscherNet(value_walks=COUNT, **SMALL),  # type: ignore[arg-type]
    VRDeepDCFRPlus(**SMALL),  # type: ignore[arg-type]
    VRDeepPDCFRPlus(**SMALL),  # type: ignore[arg-type]
)
DREAM, ESCHER, *BOOTSTRAPPED = METHODS

compiled = lru_cache(compile_game)


class ExactHistories(TrajectoryCFR):
    """ESCHER with exact values in the place of learned ones."""

    def _fit_returns(self, turn: int) -> None:
        self._value = self.nodes.values(self.current_strategy().probabilities)


def turns() -> list[tuple[int, int, range]]:
    """The updates of a run: turn, player, and the numbers of the walks."""
    order = [(t, player) for t in range(1, ROUNDS + 1) for player in (0, 1)]
    return [(t, p, range(n * COUNT + 1, (n + 1) * COUNT + 1)) for n, (t, p) in enumerate(order)]


def key_of(solver: TrajectoryCFR) -> np.uint64:
    """The key of walks."""
    return np.uint64(solver.seed_of(WALKS))


def recorded_run(
    tree: GameTree, method: TrajectorySettings
) -> tuple[TrajectoryCFR, list[FloatArray]]:
    """A run with tables, and the baselines of its updates in their order."""
    solver = method.solver(tree, SEED)
    values = []
    for _ in turns():
        values.append(solver.value_of_histories())
        solver.run(1)
    return solver, values


def agree(solver: TrajectoryCFR, played: FloatArray) -> None:
    strategy = in_proportion(np.maximum(played, 0.0), solver.tree.action_offset)
    assert (strategy != in_proportion(0.0 * played, solver.tree.action_offset)).any()
    np.testing.assert_allclose(solver.current_strategy().probabilities, strategy, rtol=0, atol=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_dream_with_tables_is_linear_outcome_sampling_with_baselines(game: str) -> None:
    tree = compiled(game)
    solver, values = recorded_run(tree, DREAM)
    regret = np.zeros(int(tree.action_offset[-1]))
    for (t, player, numbers), value in zip(turns(), values, strict=True):
        walks = outcome_walks(
            tree,
            regret.copy(),
            player,
            numbers,
            key_of(solver),
            epsilon=DREAM.epsilon,
            value=value,
        )
        for gain, _ in walks:
            regret += t * gain
    agree(solver, regret)


@pytest.mark.parametrize("game", GAMES)
def test_escher_with_tables_and_exact_values_is_the_tabular_one(game: str) -> None:
    tree = compiled(game)
    solver = ExactHistories(tree, ESCHER, SEED)
    solver.run(2 * ROUNDS)
    regret = np.zeros(int(tree.action_offset[-1]))
    for t, player, numbers in turns():
        for gain, _ in escher_walks(tree, regret.copy(), player, numbers, key_of(solver)):
            regret += t * gain
    agree(solver, regret)


@pytest.mark.parametrize("contender", BOOTSTRAPPED, ids=lambda method: method.name)
@pytest.mark.parametrize("game", GAMES)
def test_bootstrapped_tables_are_discounted_means_of_advantages(
    game: str, contender: VRDeepDCFRPlus
) -> None:
    tree = compiled(game)
    solver, values = recorded_run(tree, contender)
    key = key_of(solver)
    counts = np.diff(tree.action_offset)
    owner = np.repeat(tree.infoset_player, counts)
    size = int(tree.action_offset[-1])
    played, learned = np.zeros(size), np.zeros(size)
    for (t, player, numbers), value in zip(turns(), values, strict=True):
        strategy = in_proportion(np.maximum(played, 0.0), tree.action_offset)
        sampling = (
            contender.epsilon / np.repeat(counts, counts) + (1 - contender.epsilon) * strategy
        )
        visits = np.repeat(met(tree, played, contender.epsilon, player, numbers, key), counts)
        advantage = np.zeros(size)
        walks = outcome_walks(
            tree, played, player, numbers, key, epsilon=contender.epsilon, value=value
        )
        for gain, _ in walks:
            advantage += gain
        advantage *= reaches(tree, player, sampling)  # the kernel has divided by it
        advantage /= np.maximum(visits, 1.0)
        power = float(t - 1) ** contender.alpha if t > 1 else 0.0
        kept = np.maximum(learned, 0.0) * power / (power + contender.shift)
        regret = np.where(visits > 0, kept + advantage, 0.0)
        own = owner == player
        learned = np.where(own, regret, learned)
        if contender.predictive:
            power = float(t) ** contender.alpha
            regret = np.maximum(regret, 0.0) * power / (power + contender.shift)
            regret += advantage
        played = np.where(own, regret, played)
    agree(solver, played)


def met(
    tree: GameTree, played: FloatArray, epsilon: float, player: int, numbers: range, key: np.uint64
) -> NDArray[np.intp]:
    """How often the walks come to each infoset of the player."""
    nodes = TreeNodes.of(tree)
    ends, _ = sample_ends(
        nodes,
        played,
        player=player,
        epsilon=epsilon,
        key=key,
        start=numbers.start,
        count=len(numbers),
    )
    count = np.zeros(tree.num_infosets, dtype=np.intp)
    for node in ends.tolist():
        while node > 0:
            node = int(nodes.parent[node])
            count[nodes.infoset[node]] += nodes.player[node] == player
    return count


def reaches(tree: GameTree, player: int, sampling: FloatArray) -> FloatArray:
    """The player's part of the sampling above each action's infoset."""
    nodes = TreeNodes.of(tree)
    reach = np.ones(int(tree.action_offset[-1]))
    above = np.ones(len(nodes.parent))
    for node in range(1, len(nodes.parent)):
        parent = nodes.parent[node]
        above[node] = above[parent]
        if nodes.player[parent] == player:
            above[node] *= sampling[nodes.move[node]]
        if nodes.player[node] == player:
            infoset = nodes.infoset[node]
            reach[tree.action_offset[infoset] : tree.action_offset[infoset + 1]] = above[node]
    return reach


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_tables_come_near_an_equilibrium_of_kuhn_poker(method: TrajectorySettings) -> None:
    larger = replace(method, walks=200, value_walks=200 if method.value_walks else 0)
    solver = larger.solver(compiled("kuhn"), seed=1).run(120)
    assert exploitability(solver.average_strategy()) < 0.05


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_restored_run_continues_with_the_same_bits(method: TrajectorySettings) -> None:
    tree = compiled("kuhn")
    whole = method.solver(tree, seed=2).run(7)
    again = method.solver(tree, seed=2).restore(method.solver(tree, seed=2).run(3).state).run(4)
    assert (whole.state.regret == again.state.regret).all()
    assert (whole.state.strategy_sum == again.state.strategy_sum).all()
    for kept, array in whole.state.kept.items():
        np.testing.assert_array_equal(array, again.state.kept[kept])


def test_a_predictive_run_restores_another_state_than_one_that_is_not() -> None:
    tree = compiled("kuhn")
    plain, predictive = BOOTSTRAPPED
    with refuses(MismatchError, option="algorithm"):
        predictive.solver(tree).restore(plain.solver(tree).run(1).state)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_games_of_three_players_are_refused(method: TrajectorySettings) -> None:
    with refuses(ConfigError, option="game"):
        method.solver(compiled("kuhn(players=3)"))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_text_of_a_method_names_it_again(method: TrajectorySettings) -> None:
    assert repr(get_neural(method.spec)) == repr(method)
