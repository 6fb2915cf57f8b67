"""One step of each policy gradient is its closed form; with tables, play comes near equilibrium."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from equilibrist.evaluation import exploitability
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms.mmd import MagneticGradient
from equilibrist.learned.algorithms.ppo import ProximalGradient
from equilibrist.learned.algorithms.r_nad import RegularisedNash, regularised
from equilibrist.learned.logits import softmax
from equilibrist.learned.policy_gradient import PolicyAlgorithm
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.solvers.run.state import in_proportion
from equilibrist.typing import FloatArray

KUHN = compile_game("kuhn")
OFFSET = np.array([0, 3, 5])
POLICY = np.array([0.2, 0.3, 0.5, 0.6, 0.4])
ADVANTAGE = np.array([0.4, -0.3, 0.02, -0.2, 0.3])
METHODS: tuple[PolicyAlgorithm, ...] = (
    MagneticGradient(learner="table"),
    ProximalGradient(learner="table"),
    RegularisedNash(learner="table", eta=0.2, limit=6.0),
)


def nearby(policy: FloatArray) -> list[FloatArray]:
    """Policies a little beside one, in all directions."""
    generator = np.random.default_rng(1)
    logits = np.log(policy) + 1e-3 * generator.normal(size=(50, len(policy)))
    return [softmax(row, OFFSET) for row in logits]


def test_the_magnetic_step_maximises_gain_less_divergences() -> None:
    method = MagneticGradient(step=0.7, alpha=0.4)
    turn = 4
    eta, alpha = 0.7 / 2.0, 0.4 / 2.0

    def worth(policy: FloatArray) -> float:
        to_uniform = policy * np.log(policy)
        to_before = policy * np.log(policy / POLICY)
        return float(np.sum(policy * ADVANTAGE - alpha * to_uniform - to_before / eta))

    new = method.improved(POLICY, ADVANTAGE, turn, OFFSET)
    assert all(worth(other) < worth(new) for other in nearby(new))


def test_one_proximal_step_goes_along_the_gradient_of_gain_and_entropy() -> None:
    method = ProximalGradient(step=1e-3, epochs=1, entropy=0.1)

    def worth(logits: FloatArray) -> float:
        policy = softmax(logits, OFFSET)
        return float(np.sum(policy * ADVANTAGE) - 0.1 * np.sum(policy * np.log(policy)))

    before = np.log(POLICY)
    new = method.improved(POLICY, ADVANTAGE, 1, OFFSET)
    slope = [
        (worth(before + 1e-5 * unit) - worth(before - 1e-5 * unit)) / 2e-5 for unit in np.eye(5)
    ]
    np.testing.assert_allclose(new, softmax(before + 1e-3 * np.array(slope), OFFSET), atol=1e-12)


def test_proximal_steps_do_not_leave_the_range_by_much() -> None:
    method = ProximalGradient(step=0.1, epochs=500, range=0.1, entropy=0.0)
    change = method.improved(POLICY, ADVANTAGE, 1, OFFSET) / POLICY
    # Of two actions one gains until it has 1.1 times its share, or the other 0.9 times.
    assert change[3] == pytest.approx(0.9, abs=0.02)
    assert change[0] == pytest.approx(1.1, abs=0.02)


def test_a_replicator_step_is_hedge_within_limits() -> None:
    method = RegularisedNash(step=0.5, limit=10.0)
    new = method.improved(POLICY, ADVANTAGE, 1, OFFSET)
    np.testing.assert_allclose(new, in_proportion(POLICY * np.exp(0.5 * ADVANTAGE), OFFSET))
    far = replace(method, limit=0.1).improved(POLICY, 100.0 * ADVANTAGE, 1, OFFSET)
    assert far.max() / far.min() <= np.exp(0.2) * 5 / 3


def test_regularised_payoffs_charge_each_move_its_logarithm() -> None:
    nodes = TreeNodes.of(KUHN)
    size = int(KUHN.action_offset[-1])
    generator = np.random.default_rng(2)
    policy, earlier = (
        in_proportion(generator.uniform(0.1, 1.0, size), KUHN.action_offset) for _ in range(2)
    )
    payoffs = regularised(nodes, nodes.payoff, policy, earlier, 0.3).payoff
    for end in np.flatnonzero(nodes.children == 0).tolist():
        expected, node = nodes.payoff[end], end
        while node > 0:
            move = nodes.move[node]
            node = int(nodes.parent[node])
            if move >= 0:
                sign = -1.0 if nodes.player[node] == 0 else 1.0
                expected += sign * 0.3 * np.log(policy[move] / earlier[move])
        assert payoffs[end] == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_policies_of_tables_come_near_an_equilibrium_of_kuhn_poker(method: PolicyAlgorithm) -> None:
    solver = replace(method, walks=500).solver(KUHN, seed=1).run(200)
    assert exploitability(solver.average_strategy()) < 0.12


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_restored_run_continues_with_the_same_bits(method: PolicyAlgorithm) -> None:
    small = replace(method, walks=20)
    whole = small.solver(KUHN, seed=2).run(7)
    again = small.solver(KUHN, seed=2).restore(small.solver(KUHN, seed=2).run(3).state).run(4)
    assert (whole.state.regret == again.state.regret).all()
    for kept, array in whole.state.kept.items():
        np.testing.assert_array_equal(array, again.state.kept[kept])
