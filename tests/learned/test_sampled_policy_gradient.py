"""An iteration with tables is worked out by hand from its episodes; networks are moved likewise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from equilibrist.evaluation import exploitability
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms.mmd import MagneticPolicy
from equilibrist.learned.algorithms.ppo import ProximalPolicy
from equilibrist.learned.algorithms.r_nad import RegularisedPolicy
from equilibrist.learned.fit import weight_gradient
from equilibrist.learned.network import new_network
from equilibrist.learned.sampled_policy_gradient import (
    POLICY,
    VALUES,
    EpisodeAlgorithm,
    EpisodeDescent,
)
from equilibrist.learned.trajectories import NOBODY, TreeNodes, sample_ends
from equilibrist.learned.trajectory_solver import WALKS
from equilibrist.typing import FloatArray, Int32Array, Int64Array

KUHN = compile_game("kuhn")
NODES = TreeNodes.of(KUHN)
UNIT = 2.0
SIZE = int(KUHN.action_offset[-1])
# One minibatch, which is used twice: the second time the policy has moved.
PPO = ProximalPolicy(learner="table", walks=60, batch=10**6, epochs=2, rate=0.3, horizon=4)
MMD = MagneticPolicy(learner="table", walks=60, batch=10**6, epochs=2, rate=0.3, horizon=4)
R_NAD = RegularisedPolicy(learner="table", walks=60, rate=0.2, period=2, follow=0.3)
FAST: tuple[EpisodeAlgorithm, ...] = (
    replace(PPO, walks=200, batch=256, rate=0.01, entropy=0.2, horizon=100),
    replace(MMD, walks=200, batch=256, rate=0.01, alpha=0.2, horizon=100),
    replace(R_NAD, walks=200, rate=0.03, period=40, follow=0.1),
)

KUHN_COLUMNS = PPO.solver(KUHN).features.columns.reshape(12, 2)
"""The output of each action."""


def episodes_of(solver: EpisodeDescent, start: int) -> list[list[tuple[int, int, int, float]]]:
    """Decisions of the coming episodes: infoset, action, player, payoff at the end in the unit."""
    ends, _ = sample_ends(
        NODES,
        solver.current_strategy().probabilities,
        player=NOBODY,
        epsilon=0.0,
        key=np.uint64(solver.seed_of(WALKS)),
        start=start,
        count=solver.variant.walks,
    )
    episodes = []
    for end in ends.tolist():
        node, decisions = end, []
        while node > 0:
            above = int(NODES.parent[node])
            if NODES.player[above] >= 0:
                player, sign = int(NODES.player[above]), 1.0 - 2.0 * NODES.player[above]
                payoff = sign * NODES.payoff[end] / UNIT
                decisions.append(
                    (int(NODES.infoset[above]), int(NODES.branch[node]), player, payoff)
                )
            node = above
        episodes.append(decisions[::-1])
    return episodes


def advantages(
    episodes: list[list[tuple[int, int, int, float]]], value: FloatArray, gamma: float, trace: float
) -> list[float]:
    """Generalised advantages, in the order of the decisions."""
    told = []
    for decisions in episodes:
        for t, (infoset, _, player, payoff) in enumerate(decisions):
            own = [d[0] for d in decisions[t:] if d[2] == player]
            assert own[0] == infoset
            after = [*(gamma * value[i] for i in own[1:]), payoff]
            deltas = [a - value[i] for a, i in zip(after, own, strict=True)]
            told.append(sum((gamma * trace) ** k * delta for k, delta in enumerate(deltas)))
    return told


def slopes(value_of: Callable[[FloatArray], float], at: FloatArray) -> FloatArray:
    """Central differences."""
    found = np.zeros(at.shape)
    for place in np.ndindex(*at.shape):
        step = np.zeros(at.shape)
        step[place] = 1e-5
        found[place] = (value_of(at + step) - value_of(at - step)) / 2e-5
    return found


def log_softmax(logits: FloatArray) -> FloatArray:
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))


class ByHand:
    """Adam, as its paper has it, with gradients that are cut to a norm."""

    def __init__(self, shapes: list[tuple[int, ...]]) -> None:
        self.first = [np.zeros(shape) for shape in shapes]
        self.second = [np.zeros(shape) for shape in shapes]
        self.steps = 0

    def steps_of(
        self, gradients: list[FloatArray], method: EpisodeAlgorithm, rate: float
    ) -> list[FloatArray]:
        norm = np.sqrt(sum(np.sum(gradient**2) for gradient in gradients))
        self.steps += 1
        b1, b2 = method.adam
        told = []
        for k, gradient in enumerate(gradients):
            cut = gradient * min(1.0, method.clip / norm)
            self.first[k] = b1 * self.first[k] + (1 - b1) * cut
            self.second[k] = b2 * self.second[k] + (1 - b2) * cut**2
            mean = self.first[k] / (1 - b1**self.steps)
            square = self.second[k] / (1 - b2**self.steps)
            told.append(-rate * mean / (np.sqrt(square) + method.adam_least))
        return told


@dataclass
class Minibatch:
    """Losses of all decisions of an iteration, as functions of tables."""

    method: ProximalPolicy | MagneticPolicy
    infosets: Int64Array
    columns: Int32Array
    gains: FloatArray
    scaled: FloatArray
    log_before: FloatArray  # [I, A]
    value_before: FloatArray  # [I]

    def policy_loss(self, logits: FloatArray) -> float:
        logs, old = log_softmax(logits)[self.infosets], self.log_before[self.infosets]
        each = np.arange(len(logs))
        ratio = np.exp(logs[each, self.columns] - old[each, self.columns])
        entropy = -np.sum(np.exp(logs) * logs, axis=1)
        method, scaled = self.method, self.scaled
        if isinstance(method, ProximalPolicy):
            cut = np.clip(ratio, 1 - method.range, 1 + method.range)
            gain = np.minimum(ratio * scaled, cut * scaled) + method.entropy * entropy
        else:
            kl = np.sum(np.exp(logs) * (logs - old), axis=1)
            gain = ratio * scaled + method.alpha * entropy - method.kl * kl
        return -float(np.mean(gain))

    def critic_loss(self, value: FloatArray) -> float:
        now, old = value[self.infosets, 0], self.value_before[self.infosets]
        error = (now - self.gains - old) ** 2
        if isinstance(self.method, ProximalPolicy):
            near = old + np.clip(now - old, -self.method.range, self.method.range)
            error = np.maximum(error, (near - self.gains - old) ** 2)
        return 0.25 * float(np.mean(error))


@pytest.mark.parametrize("method", [PPO, MMD], ids=lambda method: method.name)
def test_iterations_of_minibatches_are_steps_of_their_loss(
    method: ProximalPolicy | MagneticPolicy,
) -> None:
    solver = method.solver(KUHN, seed=4)
    logits, value = np.zeros((12, 2)), np.zeros((12, 1))
    adam = ByHand([logits.shape, value.shape])
    for iteration in (1, 2):
        episodes = episodes_of(solver, 60 * (iteration - 1) + 1)
        rows = [decision for decisions in episodes for decision in decisions]
        before_value = value[:, 0].copy()
        gains = np.array(advantages(episodes, before_value, method.discount, method.trace))
        scaled = (gains - gains.mean()) / gains.std()
        before = log_softmax(logits)
        infosets = np.array([row[0] for row in rows])
        columns = KUHN_COLUMNS[infosets, [row[1] for row in rows]]
        batch = Minibatch(method, infosets, columns, gains, scaled, before, before_value)
        for _ in range(method.epochs):
            gradients = [slopes(batch.policy_loss, logits), slopes(batch.critic_loss, value)]
            rate = method.rate * (1 - (iteration - 1) / method.horizon)
            steps = adam.steps_of(gradients, method, rate)
            logits, value = logits + steps[0], value + steps[1]
        solver.run(1)
        moved = solver._movables
        # Where nobody came, differences are rounding, of which Adam's step is a part of the rate.
        np.testing.assert_allclose(moved[POLICY].weights, logits, rtol=0, atol=1e-5)
        np.testing.assert_allclose(moved[VALUES].weights, value, rtol=0, atol=1e-5)
        policy = np.exp(log_softmax(logits))
        expected = policy[np.repeat(np.arange(12), 2), solver.features.columns]
        told = solver.average_strategy().probabilities
        np.testing.assert_allclose(told, expected, rtol=0, atol=1e-5)


def test_iterations_of_r_nad_are_replicator_steps_on_regularised_returns() -> None:
    method = R_NAD
    solver = method.solver(KUHN, seed=4)
    logits, value = np.zeros((12, 2)), np.zeros(12)
    followed_logits, followed_value = logits.copy(), value.copy()
    adam = ByHand([logits.shape, value.shape])
    last = before = log_softmax(logits)
    for iteration in range(5):
        if iteration in (2, 4):
            last, before = log_softmax(followed_logits), last
        # Within a period of 2 the first iteration is held at the policy before, then at the last.
        earlier = before if iteration % 2 == 0 else last
        logs = log_softmax(logits)
        policy = np.exp(logs)
        fee = method.eta * (logs - earlier)
        force, slope = np.zeros((12, 2)), np.zeros(12)
        episodes = episodes_of(solver, 60 * iteration + 1)
        counts = [sum(d[2] == p for decisions in episodes for d in decisions) for p in (0, 1)]
        for decisions in episodes:
            for t, (infoset, branch, player, payoff) in enumerate(decisions):
                # On its own policy the target is what is paid from here on, in the mean of fees.
                paid = [
                    (-1 if d[2] == player else 1) * policy[d[0]] @ fee[d[0]]
                    for d in decisions[t + 1 :]
                ]
                action = followed_value[infoset] - fee[infoset]
                column = KUHN_COLUMNS[infoset, branch]
                surprise = payoff + sum(paid) - followed_value[infoset]
                action[column] += surprise / policy[infoset, column]
                advantage = action - policy[infoset] @ action
                force[infoset] += advantage / counts[player]
                target = payoff + sum(paid) - policy[infoset] @ fee[infoset]
                slope[infoset] += 2 * (value[infoset] - target) / counts[player]
        # All logits are far from the limit; two actions: the mean of advantages comes off.
        steps = adam.steps_of(
            [force.mean(axis=1, keepdims=True) - force, slope], method, method.rate
        )
        logits, value = logits + steps[0], value + steps[1]
        followed_logits = followed_logits + method.follow * (logits - followed_logits)
        followed_value = followed_value + method.follow * (value - followed_value)
        solver.run(1)
        np.testing.assert_allclose(solver._movables[POLICY].weights, logits, rtol=0, atol=1e-9)
        np.testing.assert_allclose(solver._movables[VALUES].weights[:, 0], value, atol=1e-9)
        told = solver.average_strategy().probabilities
        answer = np.exp(log_softmax(followed_logits))
        expected = answer[np.repeat(np.arange(12), 2), solver.features.columns]
        np.testing.assert_allclose(told, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", FAST, ids=lambda method: method.name)
@pytest.mark.by_default(1)
def test_tables_come_near_an_equilibrium_of_kuhn_poker(method: EpisodeAlgorithm) -> None:
    assert exploitability(method.solver(KUHN, seed=1).run(100).average_strategy()) < 0.12


@pytest.mark.parametrize("method", FAST, ids=lambda method: method.name)
def test_a_restored_run_continues_with_the_same_bits(method: EpisodeAlgorithm) -> None:
    small = replace(method, walks=20)
    whole = small.solver(KUHN, seed=2).run(5)
    again = small.solver(KUHN, seed=2).restore(small.solver(KUHN, seed=2).run(3).state).run(2)
    assert (whole.state.regret == again.state.regret).all()
    assert (whole.state.strategy_sum == again.state.strategy_sum).all()
    for kept, array in whole.state.kept.items():
        np.testing.assert_array_equal(array, again.state.kept[kept])


def test_learning_rates_fall_to_the_last_iteration_of_the_horizon() -> None:
    method = ProximalPolicy(rate=1.0, horizon=4)
    assert [method.rate_of(n) for n in (1, 2, 4, 5, 99)] == [1.0, 0.75, 0.25, 0.25, 0.25]


@pytest.mark.nets
def test_gradients_by_weights_are_those_of_differences() -> None:
    random = np.random.default_rng(2)
    network = new_network((4, 6, 5, 3), 7, zero_output=False)
    inputs = random.normal(size=(9, 4)).astype(np.float32)
    slope = random.normal(size=(9, 3))
    told = weight_gradient(network, inputs, lambda outputs: slope)

    def worth(weights: FloatArray) -> float:
        # In float64: differences of float32 would say nothing.
        values, at = inputs.astype(np.float64), 0
        for layer, (i, o) in enumerate(zip(network.sizes, network.sizes[1:], strict=False)):
            matrix = weights[at : at + i * o].reshape(o, i)
            values = values @ matrix.T + weights[at + i * o : at + (i + 1) * o]
            at += (i + 1) * o
            if layer < 2:
                values = np.maximum(values, 0.0)
        return float(np.sum(values * slope))

    expected = slopes(worth, network.weights.astype(np.float64))
    np.testing.assert_allclose(told, expected, rtol=0, atol=1e-4)
