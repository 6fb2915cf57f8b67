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
from equilibrist.learned.advantages import AdvantageAlgorithm, AdvantageSolver
from equilibrist.learned.algorithms.dream_and_escher import Dream, EscherNet
from equilibrist.learned.algorithms.mmd import MagneticGradient
from equilibrist.learned.algorithms.ppo import ProximalGradient
from equilibrist.learned.algorithms.r_nad import RegularisedNash
from equilibrist.learned.algorithms.registry import get_neural
from equilibrist.learned.algorithms.vr_deep_dcfr_plus import VRDeepDCFRPlus, VRDeepPDCFRPlus
from equilibrist.learned.policy_gradient import PolicyAlgorithm
from equilibrist.learned.trajectories import TreeNodes, sample_ends
from equilibrist.learned.trajectory_cfr import TrajectoryCFR
from equilibrist.learned.trajectory_solver import WALKS
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
GRADIENTS: tuple[PolicyAlgorithm, ...] = (
    MagneticGradient(walks=COUNT, learner="table"),
    ProximalGradient(walks=COUNT, learner="table"),
    RegularisedNash(walks=COUNT, learner="table", eta=0.0),  # fees have a test of their own
)

compiled = lru_cache(compile_game)


class ExactHistories(TrajectoryCFR):
    """ESCHER with exact values in the place of learned ones."""

    def _fit_returns(self) -> None:
        self._value = self.nodes.values(self.current_strategy().probabilities)


def turns() -> list[tuple[int, int, range]]:
    """The updates of a run: turn, player, and the numbers of the walks."""
    order = [(t, player) for t in range(1, ROUNDS + 1) for player in (0, 1)]
    return [(t, p, range(n * COUNT + 1, (n + 1) * COUNT + 1)) for n, (t, p) in enumerate(order)]


def key_of(solver: AdvantageSolver) -> np.uint64:
    """The key of walks."""
    return np.uint64(solver.seed_of(WALKS))


def recorded_run(
    tree: GameTree, method: AdvantageAlgorithm
) -> tuple[AdvantageSolver, list[FloatArray]]:
    """A run with tables, and the baselines of its updates in their order."""
    solver = method.solver(tree, SEED)
    values = []
    for _ in turns():
        values.append(solver.value_of_histories())
        solver.run(1)
    return solver, values


class Oracle:
    """What is played, and the sums of its average by own reach, kept by hand."""

    def __init__(self, tree: GameTree, average_power: float) -> None:
        self.tree, self.power = tree, average_power
        size = int(tree.action_offset[-1])
        self.played, self.sums = np.zeros(size), np.zeros(size)
        self.owner = np.repeat(tree.infoset_player, np.diff(tree.action_offset))

    @property
    def strategy(self) -> FloatArray:
        return in_proportion(np.maximum(self.played, 0.0), self.tree.action_offset)

    def play(self, player: int, t: int, regret: FloatArray) -> None:
        """Let a player play in proportion to regrets from now on, and add that to the average."""
        own = self.owner == player
        self.played = np.where(own, regret, self.played)
        reach = reaches(self.tree, player, self.strategy)
        self.sums[own] += (float(t) ** self.power * reach * self.strategy)[own]

    def agrees(self, solver: AdvantageSolver) -> None:
        offset = self.tree.action_offset
        assert (self.strategy != in_proportion(0.0 * self.played, offset)).any()
        for found, expected in (
            (solver.current_strategy(), self.strategy),
            (solver.average_strategy(), in_proportion(self.sums, offset)),
        ):
            np.testing.assert_allclose(found.probabilities, expected, rtol=0, atol=1e-9)


def advantages(
    tree: GameTree,
    method: AdvantageAlgorithm,
    regret: FloatArray,
    player: int,
    numbers: range,
    key: np.uint64,
    value: FloatArray,
) -> tuple[FloatArray, NDArray[np.intp]]:
    """float64[Q]: the mean over visits of what the walks regret; and the visits."""
    counts = np.diff(tree.action_offset)
    strategy = in_proportion(np.maximum(regret, 0.0), tree.action_offset)
    even = method.epsilon / np.repeat(counts, counts)
    visits = np.repeat(met(tree, regret, method.epsilon, player, numbers, key), counts)
    total = np.zeros(len(regret))
    for gain, _ in outcome_walks(
        tree, regret.copy(), player, numbers, key, epsilon=method.epsilon, value=value
    ):
        total += gain
    # The kernel has divided by the player's part of the sampling.
    total *= reaches(tree, player, even + (1.0 - method.epsilon) * strategy)
    return total / np.maximum(visits, 1), visits


@pytest.mark.parametrize("game", GAMES)
def test_dream_with_tables_is_linear_outcome_sampling_with_baselines(game: str) -> None:
    tree = compiled(game)
    solver, values = recorded_run(tree, DREAM)
    oracle = Oracle(tree, DREAM.average_power)
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
        oracle.play(player, t, regret)
    oracle.agrees(solver)


def test_the_values_of_histories_are_means_over_moves_worked_out_by_hand() -> None:
    tree = compiled("kuhn")
    solver = DREAM.solver(tree, SEED)
    nodes = solver.nodes
    value = np.zeros(len(nodes.parent))
    moves: list[tuple[int, int]] = []
    for _, player, numbers in turns():
        ends, _ = sample_ends(
            nodes,
            np.maximum(solver.state.regret, 0.0),
            player=player,
            epsilon=DREAM.epsilon,
            key=key_of(solver),
            start=numbers.start,
            count=COUNT,
        )
        for end in ends.tolist():
            node = later = end
            while node > 0:
                if nodes.player[parent := int(nodes.parent[node])] >= 0:
                    moves.append((node, later))
                    later = parent
                node = parent
        solver.run(1)
        strategy = solver.current_strategy().probabilities
        targets: dict[int, list[float]] = {}
        for node, later in moves:
            below = range(nodes.first[later], nodes.first[later] + nodes.children[later])
            expected = sum(strategy[nodes.move[child]] * value[child] for child in below)
            targets.setdefault(node, []).append(float(expected if below else nodes.payoff[later]))
        value = value.copy()
        for node, found in targets.items():
            value[node] = np.mean(found)
        np.testing.assert_allclose(solver.value_of_histories(), value, rtol=0, atol=1e-12)
    assert (value != 0.0).sum() > 10


@pytest.mark.parametrize("game", GAMES)
def test_escher_with_tables_and_exact_values_is_the_tabular_one(game: str) -> None:
    tree = compiled(game)
    solver = ExactHistories(tree, ESCHER, SEED)
    solver.run(2 * ROUNDS)
    oracle = Oracle(tree, ESCHER.average_power)
    regret = np.zeros(int(tree.action_offset[-1]))
    for t, player, numbers in turns():
        for gain, _ in escher_walks(tree, regret.copy(), player, numbers, key_of(solver)):
            regret += t * gain
        oracle.play(player, t, regret)
    oracle.agrees(solver)


@pytest.mark.parametrize("contender", BOOTSTRAPPED, ids=lambda method: method.name)
@pytest.mark.parametrize("game", GAMES)
def test_bootstrapped_tables_are_discounted_means_of_advantages(
    game: str, contender: VRDeepDCFRPlus
) -> None:
    tree = compiled(game)
    solver, values = recorded_run(tree, contender)
    oracle = Oracle(tree, contender.average_power)
    learned = np.zeros(int(tree.action_offset[-1]))
    for (t, player, numbers), value in zip(turns(), values, strict=True):
        advantage, visits = advantages(
            tree, contender, oracle.played, player, numbers, key_of(solver), value
        )
        power = float(t - 1) ** contender.alpha if t > 1 else 0.0
        kept = np.maximum(learned, 0.0) * power / (power + contender.shift)
        regret = np.where(visits > 0, kept + advantage, kept)
        learned = np.where(oracle.owner == player, regret, learned)
        if contender.predictive:
            power = float(t) ** contender.alpha
            regret = np.maximum(regret, 0.0) * power / (power + contender.shift)
            regret += advantage
        oracle.play(player, t, np.where(visits > 0, regret, oracle.played))
    oracle.agrees(solver)


@pytest.mark.parametrize("contender", BOOTSTRAPPED, ids=lambda method: method.name)
def test_a_regret_outlives_iterations_that_do_not_meet_its_infoset(
    contender: VRDeepDCFRPlus,
) -> None:
    tree = compiled("leduc")
    solver = contender.solver(tree, SEED).run(2)
    own = np.repeat(tree.infoset_player, np.diff(tree.action_offset)) == 0
    before, learned = solver.state.regret[own], solver.state.kept["learned"][own]
    solver.run(1)
    # A few walks meet a few infosets: what was positive elsewhere is discounted, not lost.
    still = solver.state.regret[own] == before
    assert ((learned > 0.0) & still).any()
    assert (solver.state.kept["learned"][own][(learned > 0.0) & still] > 0.0).all()


@pytest.mark.parametrize("method", GRADIENTS, ids=lambda method: method.name)
@pytest.mark.parametrize("game", GAMES)
def test_gradients_with_tables_step_along_means_of_advantages(
    game: str, method: PolicyAlgorithm
) -> None:
    tree = compiled(game)
    solver, values = recorded_run(tree, method)
    size = int(tree.action_offset[-1])
    owner = np.repeat(tree.infoset_player, np.diff(tree.action_offset))
    policy = in_proportion(np.zeros(size), tree.action_offset)
    unit = np.abs(solver.nodes.payoff).max()
    for (t, player, numbers), value in zip(turns(), values, strict=True):
        advantage, visits = advantages(tree, method, policy, player, numbers, key_of(solver), value)
        improved = method.improved(policy, advantage / unit, t, tree.action_offset)
        policy = np.where((owner == player) & (visits > 0), improved, policy)
    assert (policy != in_proportion(np.zeros(size), tree.action_offset)).any()
    found = solver.average_strategy().probabilities
    np.testing.assert_allclose(found, policy, rtol=0, atol=1e-9)


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
@pytest.mark.by_default(1)
def test_tables_come_near_an_equilibrium_of_kuhn_poker(method: AdvantageAlgorithm) -> None:
    larger = replace(method, walks=200)
    if isinstance(larger, EscherNet):
        larger = replace(larger, value_walks=200)
    solver = larger.solver(compiled("kuhn"), seed=1).run(120)
    assert exploitability(solver.average_strategy()) < 0.05


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_restored_run_continues_with_the_same_bits(method: AdvantageAlgorithm) -> None:
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
def test_games_of_three_players_are_refused(method: AdvantageAlgorithm) -> None:
    with refuses(ConfigError, option="game"):
        method.solver(compiled("kuhn(players=3)"))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_text_of_a_method_names_it_again(method: AdvantageAlgorithm) -> None:
    assert repr(get_neural(method.spec)) == repr(method)
