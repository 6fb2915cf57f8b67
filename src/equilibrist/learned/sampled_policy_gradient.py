"""PPO, magnetic mirror descent and R-NaD by their published losses, on sampled episodes.

Both players play one policy against itself; all decisions of an iteration's episodes are rows. What
is learned is a policy and the values of infosets, each a network, or a table of logits and of
values; both are moved along gradients by the same Adam.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.descent import Adam, LossOf, Movable, MovedNetwork, MovedTable, cut_to_norm
from equilibrist.learned.episodes import Episodes, generalised_advantages
from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.logits import logarithm, softmax
from equilibrist.learned.policy_losses import Choices, Loss
from equilibrist.learned.rows import taken
from equilibrist.learned.trajectories import NOBODY
from equilibrist.learned.trajectory_solver import TrajectoryAlgorithm, TrajectorySolver
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array

_FIRST, _BATCHES = 1, 2
"""Purposes of seeds beside those of walks."""
POLICY, VALUES = "policy.both", "values.both"
"""What is learned, of both players at once."""
_TINY: Final = 1e-8
"""What is added to a deviation before it is divided by."""


@dataclass(frozen=True)
class EpisodeAlgorithm(TrajectoryAlgorithm):
    """The numbers of a policy gradient on sampled episodes.

    Attributes:
        walks: Episodes of an iteration, of both players.
    """

    adam: ClassVar[tuple[float, float]]
    """What Adam's means are multiplied by in each step."""
    adam_least: ClassVar[float]
    """What Adam adds to the root of the mean square."""

    walks: int = 256
    steps: int = field(default=1, init=False)
    buffer: int = field(default=1, init=False)
    warm: bool = field(default=True, init=False)
    merge: bool = field(default=False, init=False)
    fallback: str = field(default="uniform", init=False)


@dataclass(frozen=True)
class MinibatchAlgorithm(EpisodeAlgorithm):
    """The numbers of PPO, and of what shares its rows: several passes over the same decisions.

    Attributes:
        batch: Decisions of a minibatch, or nearly so: all are equally large.
        epochs: How often an iteration's decisions are used.
        discount: What a value is multiplied by for each own decision before it.
        trace: How much of the returns is in advantages (lambda): 0 trusts values, 1 returns.
        horizon: Iterations in which the learning rate falls to nearly 0, in a straight line.
    """

    adam = (0.9, 0.999)
    adam_least = 1e-5

    batch: int = 256
    width: int = 512
    depth: int = 3
    rate: float = 2.5e-4
    clip: float = 0.5
    epochs: int = 4
    discount: float = 0.99
    trace: float = 0.95
    horizon: int = 10_000

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_whole("epochs", "horizon")
        self._take_real("discount", "trace", most=1.0)

    def rate_of(self, iteration: int) -> float:
        """The learning rate of an iteration, from 1."""
        return self.rate * max(self.horizon - iteration + 1, 1) / self.horizon

    @abstractmethod
    def policy_loss(self, logits: NDArray[np.floating], legal: BoolArray, choices: Choices) -> Loss:
        """The loss of a minibatch by its logits, float[n, A], of which `legal` count."""

    @abstractmethod
    def critic_loss(
        self, value: NDArray[np.floating], before: FloatArray, target: FloatArray
    ) -> Loss:
        """The loss of values, float[n, 1], that were `before`; it is added to the policy's."""

    def solver(self, tree: GameTree, seed: int = 0) -> MinibatchDescent:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return MinibatchDescent(tree, self, seed)


class EpisodeDescent(TrajectorySolver):
    """A policy and values of infosets that are moved along gradients of sampled losses.

    An iteration is a batch of episodes in which both players play the policy. Payoffs are divided
    by the largest one. With the learner "table" logits and values are themselves what is moved.
    """

    variant: EpisodeAlgorithm
    _probabilities = (POLICY.partition(".")[0],)

    def __init__(self, tree: GameTree, method: EpisodeAlgorithm, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        self._unit = float(np.abs(self.nodes.payoff).max(initial=0.0)) or 1.0
        self._movables: dict[str, Movable] = {
            POLICY: self._new(self.features, 0),
            VALUES: self._new(value_features(self.features), 1),
        }
        self._learners = {
            name: movable
            for name, movable in self._movables.items()
            if isinstance(movable, MovedNetwork)
        }
        self._adam = {
            name: Adam(movable.weights, decay=method.adam, least=method.adam_least)
            for name, movable in self._movables.items()
        }
        self._stores |= {f"adam.{name}.": adam for name, adam in self._adam.items()}
        self._everything = np.arange(tree.num_infosets)
        self._regret[:] = self._policy(self._movables[POLICY])
        self._strategy_sum[:] = self._regret

    def _new(self, features: InfosetFeatures, number: int) -> MovedNetwork | MovedTable:
        method = self.variant
        if self._is_tabular:
            return MovedTable(self.tree.num_infosets, features.outputs)
        return MovedNetwork(features, method.fit, self.seed_of(_FIRST, number))

    def _learn(self, player: int, turn: int) -> None:
        del player, turn  # both learn in every iteration
        ends = self._ends(self._regret, player=NOBODY, epsilon=0.0, count=self.variant.walks)
        episodes = Episodes.of(self.nodes, ends)
        episodes = replace(episodes, payoff=episodes.payoff / self._unit)
        if len(episodes.infoset):
            self._improve(episodes)
        self._regret[:] = self._policy(self._movables[POLICY])
        self._strategy_sum[:] = self._policy(self._answer())

    @abstractmethod
    def _improve(self, episodes: Episodes) -> None:
        """Move the policy and the values along what episodes say; payoffs are in the unit."""

    def _answer(self) -> Movable:
        """The policy that is the answer."""
        return self._movables[POLICY]

    def _policy(self, movable: Movable) -> FloatArray:
        """float64[Q]: the probabilities that logits say."""
        logits = self.features.to_actions(movable.predict(self._everything))
        return softmax(logits.astype(np.float64), self.tree.action_offset)

    def _values(self, movable: Movable, episodes: Episodes) -> FloatArray:
        """float64[T, K]: the values of decisions; 0 where there is none."""
        value = movable.predict(self._everything)[:, 0].astype(np.float64)
        return np.where(episodes.decided, value[episodes.infoset], 0.0)

    def _move(self, infosets: Int64Array, losses: Mapping[str, LossOf], rate: float) -> None:
        """One step of Adam of everything, along the sum of its losses at infosets."""
        self._leave_if_told()
        names, gradients = [*losses], []
        for name in names:
            self.losses[name], gradient = self._movables[name].gradient(infosets, losses[name])
            gradients.append(gradient)
        for name, gradient in zip(names, cut_to_norm(gradients, self.variant.clip), strict=True):
            movable = self._movables[name]
            movable.weights = movable.weights + self._adam[name].change(gradient, rate)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        tables = {
            f"table.{name}": np.asarray(movable.weights)
            for name, movable in self._movables.items()
            if name not in self._learners
        }
        return super()._arrays() | tables

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._take(arrays)
        for name, movable in self._movables.items():
            if name not in self._learners:
                movable.weights = taken(arrays, f"table.{name}", movable.weights.shape)


class MinibatchDescent(EpisodeDescent):
    """PPO, or magnetic mirror descent: several passes over the decisions of an iteration."""

    variant: MinibatchAlgorithm

    def _improve(self, episodes: Episodes) -> None:
        method, decided = self.variant, episodes.decided
        value = self._values(self._movables[VALUES], episodes)
        advantage = generalised_advantages(
            episodes, value, discount=method.discount, trace=method.trace
        )[decided]
        before = value[decided]
        infoset, column = episodes.infoset[decided], self.features.columns[episodes.move[decided]]
        log_before = self.features.to_outputs(logarithm(self._regret))[infoset]
        random = np.random.default_rng(self.seed_of(_BATCHES, self._iteration + 1))
        rate = method.rate_of(self._iteration + 1)
        parts = max(1, round(len(infoset) / method.batch))
        for _ in range(method.epochs):
            for rows in np.array_split(random.permutation(len(infoset)), parts):
                choices = Choices(column[rows], even_scale(advantage[rows]), log_before[rows])
                legal = self.features.mask[infoset[rows]]
                losses = _minibatch_losses(
                    method, legal, choices, before[rows], (advantage + before)[rows]
                )
                self._move(infoset[rows], losses, rate)


def _minibatch_losses(
    method: MinibatchAlgorithm,
    legal: BoolArray,
    choices: Choices,
    before: FloatArray,
    target: FloatArray,
) -> dict[str, LossOf]:
    return {
        POLICY: lambda logits: method.policy_loss(logits, legal, choices),
        VALUES: lambda value: method.critic_loss(value, before, target),
    }


def value_features(features: InfosetFeatures) -> InfosetFeatures:
    """What a network of values reads of each infoset: the same; one output."""
    return InfosetFeatures(
        inputs=features.inputs,
        columns=np.zeros(len(features.columns), dtype=np.int32),
        mask=np.ones((len(features.mask), 1), dtype=np.bool_),
        infoset_of=features.infoset_of,
    )


def even_scale(advantage: FloatArray) -> FloatArray:
    """Advantages of a minibatch with the mean 0 and the deviation 1."""
    return np.asarray((advantage - advantage.mean()) / (advantage.std() + _TINY))
