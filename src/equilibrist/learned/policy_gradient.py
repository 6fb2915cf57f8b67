"""Policy gradients: magnetic mirror descent, PPO with entropy, and R-NaD, as one solver.

A player moves along learned advantages of their actions; the three differ in the regulariser that
makes the last policy converge. Advantages come from trajectories whose draws are corrected by
learned values of histories, as with DREAM, instead of from the returns of single actions. The new
policy of an infoset is worked out in closed form or by a few gradient steps, and then learned by
the network that is the policy.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.regressors import TableRegressor
from equilibrist.learned.solver import taken
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.learned.trajectory_cfr import (
    POLICY,
    WALKS,
    TrajectoryCFR,
    TrajectorySettings,
)
from equilibrist.parsing.arguments import real_number, whole_number
from equilibrist.solvers.run.state import in_proportion
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

_ADVANTAGES: Final = "advantages"
_LARGEST: Final = 1e6
_LEAST: Final = 1e-300
"""The logarithm of a probability is never that of less."""


@dataclass(frozen=True)
class PolicySettings(TrajectorySettings):
    """The numbers of a policy gradient.

    Attributes:
        step: The step along advantages, which are in units of the largest payoff.
    """

    regrets = "corrected"
    targets = "expected-sarsa"
    importance = False
    row_power = 0.0
    average_power = 0.0
    scaled = True

    walks: int = 2000
    steps: int = 100
    batch: int = 512
    clip: float = 1.0
    buffer: int = field(default=1_000_000, init=False)
    fallback: str = field(default="uniform", init=False)
    epsilon: float = 0.1
    value_steps: int = 100
    step: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        step = real_number("step", self.step, 0.0, _LARGEST, is_above=True)
        object.__setattr__(self, "step", step)

    @property
    def learned(self) -> tuple[str, ...]:
        """What is learned of each player."""
        return (_ADVANTAGES, POLICY)

    @abstractmethod
    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """The policy after a step.

        Args:
            policy: float64[Q]: that of before.
            advantage: float64[Q]: what each action is worth less what the policy is worth, in
                units of the largest payoff.
            turn: Number of the step, from 1.
            offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

        Returns:
            float64[Q].
        """

    def solver(self, tree: GameTree, seed: int = 0) -> PolicyGradient:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return PolicyGradient(tree, self, seed)


@dataclass(frozen=True)
class MagneticGradient(PolicySettings):
    """Magnetic mirror descent, drawn to uniform play; temperature and step fall as 1 / sqrt(t).

    Attributes:
        step: The first step eta.
        alpha: The first temperature.
    """

    name: ClassVar[str] = "mmd"
    summary: ClassVar[str] = "mirror descent on a policy that is drawn to uniform play"
    paper: ClassVar[str] = (
        "Sokota et al.: A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, "
        "and Two-Player Zero-Sum Games. ICLR 2023"
    )
    when: ClassVar[str] = "the last policy is wanted, without an average"

    step: float = 2.0
    alpha: float = 0.5

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "alpha", real_number("alpha", self.alpha, 0.0, _LARGEST))

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """(policy * exp(eta * advantage)) ^ (1 / (1 + alpha * eta)), normalised.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step, from 1.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        eta, alpha = self.step / turn**0.5, self.alpha / turn**0.5
        return softmax((logarithm(policy) + eta * advantage) / (1.0 + alpha * eta), offset)


@dataclass(frozen=True)
class ProximalGradient(PolicySettings):
    """PPO with entropy: gradient steps on the clipped gain, of all actions by their probability.

    Attributes:
        step: The learning rate of the logits.
        epochs: Gradient steps of an iteration.
        range: A probability gains no more once it has changed by this share.
        entropy: The weight of the entropy, which stays.
    """

    name: ClassVar[str] = "ppo"
    summary: ClassVar[str] = "gradient steps on a clipped gain, with entropy"
    paper: ClassVar[str] = (
        "Schulman, Wolski, Dhariwal, Radford, Klimov: Proximal Policy Optimization Algorithms. "
        "arXiv:1707.06347, 2017"
    )
    when: ClassVar[str] = "for comparison: the usual policy gradient, with enough entropy"

    step: float = 0.5
    epochs: int = 4
    range: float = 0.1
    entropy: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "epochs", whole_number("epochs", self.epochs, 1))
        for name in ("range", "entropy"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), 0.0, _LARGEST))

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """Gradient steps on sum of policy * min(r * A, clipped r * A), plus the entropy.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step; it does not matter.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        logits, counts = logarithm(policy), np.diff(offset)
        new = policy
        for _ in range(self.epochs):
            ratio = new / np.maximum(policy, _LEAST)
            gains = np.where(advantage > 0.0, ratio < 1.0 + self.range, ratio > 1.0 - self.range)
            slope = np.where(gains, advantage, 0.0) - self.entropy * logarithm(new)
            mean = np.repeat(np.add.reduceat(new * slope, offset[:-1]), counts)
            logits = logits + self.step * new * (slope - mean)
            new = softmax(logits, offset)
        return new


@dataclass(frozen=True)
class RegularisedNash(PolicySettings):
    """R-NaD: replicator steps in a game whose payoffs hold the policy near an earlier one.

    Attributes:
        step: The learning rate of the logits.
        eta: What a player pays for the logarithm of policy over earlier policy at own moves.
        period: Turns of a player after which the present policy becomes the earlier one.
        limit: Logits stay within this of their mean.
    """

    name: ClassVar[str] = "r-nad"
    summary: ClassVar[str] = "replicator steps that are held near an earlier policy"
    paper: ClassVar[str] = (
        "Perolat et al.: Mastering the Game of Stratego with Model-Free Multiagent Reinforcement "
        "Learning. Science 378, 2022"
    )
    when: ClassVar[str] = "for comparison: the method of DeepNash"

    eta: float = 0.2
    period: int = 25
    limit: float = 2.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "period", whole_number("period", self.period, 1))
        for name in ("eta", "limit"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), 0.0, _LARGEST))

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """Policy * exp(step * advantage), normalised, within the limits of logits.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step; it does not matter.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        logits, counts = logarithm(policy) + self.step * advantage, np.diff(offset)
        middle = np.repeat(np.add.reduceat(logits, offset[:-1]) / counts, counts)
        return softmax(np.clip(logits - middle, -self.limit, self.limit), offset)


class PolicyGradient(TrajectoryCFR):
    """Policy gradients on a compiled game; the last policy is the answer.

    With the learner "table" advantages are means by infoset, and policies of infosets that were met
    become exactly what the step says.
    """

    variant: PolicySettings

    def __init__(self, tree: GameTree, method: PolicySettings, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        self._payoff = self.nodes.payoff
        self._regret[:] = in_proportion(self._regret, tree.action_offset)
        self._strategy_sum[:] = self._regret
        self._earlier = self._regret.copy()

    def _learn(self, player: int, turn: int) -> None:
        method = self.variant
        if isinstance(method, RegularisedNash):
            if player == 0 and turn > 1 and (turn - 1) % method.period == 0:
                self._earlier = self._regret.copy()
            share = method.eta * self._unit
            self.nodes = regularised(self.nodes, self._payoff, self._regret, self._earlier, share)
        ends = self._ends(player, method.epsilon, WALKS, method.walks)
        sampled = self._sampled(player, ends)
        target = self._by_output(sampled) / self._unit
        name = f"{_ADVANTAGES}.{player}"
        self._fit(name, sampled.infoset, target, turn)
        advantage = self._by_action(name)
        improved = method.improved(self._regret, advantage, turn, self.tree.action_offset)
        self._follow(player, improved, sampled.infoset, turn)
        self._fit_transitions(ends, turn)

    def _follow(self, player: int, improved: FloatArray, met: Int64Array, turn: int) -> None:
        """Let the policy learn what it should be at the infosets that were met."""
        name = f"{POLICY}.{player}"
        if isinstance(self._learners[name], TableRegressor):
            was_met = np.zeros(self.tree.num_infosets, dtype=np.bool_)
            was_met[met] = True
            own = np.repeat(was_met, self._counts)
            self._regret[own] = improved[own]
        else:
            table = np.zeros(self.features.mask.shape)
            table.reshape(-1)[self.features.flat] = improved
            self._fit(name, met, table[met], turn)
            own = self._owner == player
            logits = self._by_action(name)
            self._regret[own] = softmax(logits, self.tree.action_offset)[own]
        self._strategy_sum[:] = self._regret

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return super()._arrays() | {"earlier": self._earlier}

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._take(arrays)
        self._earlier = taken(arrays, "earlier", self._earlier.shape)


def regularised(
    nodes: TreeNodes, payoff: FloatArray, policy: FloatArray, earlier: FloatArray, share: float
) -> TreeNodes:
    """The tree with payoffs that hold both players near an earlier policy.

    What a player pays on the way is charged at the end: it is the same for all actions below.

    Args:
        nodes: The tree.
        payoff: float64[N]: payoffs of player 0.
        policy: float64[Q].
        earlier: float64[Q].
        share: What a player pays the other for log(policy / earlier) of each own move.

    Returns:
        The same tree with other payoffs at terminals.
    """
    fee = share * (logarithm(policy) - logarithm(earlier))
    mover = np.where(nodes.parent >= 0, nodes.player[nodes.parent], 0)
    paid = np.where(nodes.move >= 0, fee[nodes.move] * np.where(mover == 0, -1.0, 1.0), 0.0)
    total = np.zeros(len(nodes.parent))
    for level in nodes.levels[1:]:
        total[level] = total[nodes.parent[level]] + paid[level]
    return replace(nodes, payoff=np.where(nodes.children > 0, 0.0, payoff + total))


def softmax(logits: FloatArray, offset: Int64Array) -> FloatArray:
    """Probabilities by infoset: exp of logits, normalised.

    Args:
        logits: float64[Q].
        offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

    Returns:
        float64[Q].
    """
    if not len(logits):
        return logits.copy()
    most = np.repeat(np.maximum.reduceat(logits, offset[:-1]), np.diff(offset))
    return in_proportion(np.exp(logits - most), offset)


def logarithm(policy: FloatArray) -> FloatArray:
    """The logarithm of probabilities; that of 0 is finite."""
    return np.log(np.maximum(policy, _LEAST))
