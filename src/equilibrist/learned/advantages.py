"""Advantages of actions, sampled on trajectories with the help of learned values of histories.

What regrets are learned from (`trajectory_cfr`), and what policies move along (`policy_gradient`).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal, NamedTuple

import numpy as np

from equilibrist.learned.histories import history_features
from equilibrist.learned.regressors import FitSettings
from equilibrist.learned.rows import LastRows
from equilibrist.learned.trajectories import (
    EVERYBODY,
    RegretRows,
    Transitions,
    TreeNodes,
    corrected_regrets,
    expected_sarsa,
    returns,
    transitions,
)
from equilibrist.learned.trajectory_solver import FIRST, TrajectoryAlgorithm, TrajectorySolver
from equilibrist.solvers.sampling.outcome import checked_epsilon
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

_HISTORIES: Final = "histories"
"""What the learner of values of histories learns."""
_HISTORY_WALKS: Final = 1
"""The purpose of its seeds."""


@dataclass(frozen=True)
class AdvantageAlgorithm(TrajectoryAlgorithm):
    """The numbers of an algorithm that samples advantages on trajectories.

    Those that say what it is are of its class: two algorithms differ in them.

    Attributes:
        epsilon: With what probability the traverser draws uniformly.
        value_walks: Trajectories of an iteration for values of histories; 0: the same ones.
            A parameter where values have trajectories of their own.
        value_steps: Steps of Adam of their fit.
        value_batch: Rows of a step.
        value_buffer: Moves that are kept for them, the last ones.
    """

    targets: ClassVar[Literal["expected-sarsa", "returns"]]
    """What values of histories are fitted to: the mean of the next decision's actions, or what play
    came to."""
    scaled: ClassVar[bool] = False
    """Whether payoffs are divided by the largest of them before they are learned."""
    value_epsilon: ClassVar[float] = 0.1
    """With what probability all players draw uniformly where values have their own trajectories."""

    epsilon: float = 0.5
    value_walks: int = field(default=0, init=False)
    value_steps: int = 1000
    value_batch: int = 512
    value_buffer: int = 200_000

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))
        self._take_whole("value_walks", least=1 if self.targets == "returns" else 0)
        self._take_whole("value_steps", "value_batch", "value_buffer")

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        return "outcome"

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by."""
        kernels = super().kernels
        if self.targets == "returns":
            kernels += tuple(f"{kernel} everybody" for kernel in kernels)
        return kernels

    @property
    def value_fit(self) -> FitSettings:
        """How values of histories are fitted."""
        return replace(
            self.fit,
            steps=self.value_steps,
            batch_size=self.value_batch,
            warm=self.targets == "expected-sarsa",
            merge=False,
        )

    @abstractmethod
    def solver(self, tree: GameTree, seed: int = 0) -> AdvantageSolver:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """

    def sampled(
        self,
        nodes: TreeNodes,
        ends: Int64Array,
        strategy: FloatArray,
        *,
        player: int,
        value: FloatArray,
    ) -> RegretRows:
        """The regrets of the traverser: of the actions drawn, corrected by values of histories.

        Args:
            nodes: The tree.
            ends: int64[K]: where the trajectories ended.
            strategy: float64[Q]: how all players play, but for the exploring.
            player: The traverser.
            value: float64[N]: what each node is expected to be worth to player 0.

        Returns:
            A row for each of the traverser's decisions on the trajectories.
        """
        rows, _ = corrected_regrets(
            nodes, ends, strategy, player=player, epsilon=self.epsilon, value=value
        )
        return rows


class Advantages(NamedTuple):
    """What trajectories say of the traverser's actions, a row per decision."""

    ends: Int64Array  # [K]: where the trajectories ended
    infoset: Int64Array  # [n]
    target: FloatArray  # [n, A]: by output of a network, in the unit that is learned
    weight: FloatArray  # [n]: uniform sampling above by the traverser, over the sampling that was


class AdvantageSolver(TrajectorySolver):
    """A solver that learns from sampled advantages, and what histories are worth."""

    variant: AdvantageAlgorithm
    _tables: tuple[str, ...] = ("value", "done")
    _walk_purposes = 2
    _kinds: tuple[str, ...]
    """What is learned of each player."""

    def __init__(self, tree: GameTree, method: AdvantageAlgorithm, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        number = 0
        for kind in self._kinds:
            fit = method.fit
            if kind in self._probabilities:
                fit = replace(fit, loss="cross-entropy")
            for player in (0, 1):
                learner = self._new_learner(fit, self.seed_of(FIRST, number))
                self._learners[f"{kind}.{player}"] = learner
                number += 1
        self._learners[_HISTORIES] = self._new_learner(
            method.value_fit,
            self.seed_of(FIRST, number),
            lambda: history_features(self.nodes, self.features),
            (len(self.nodes.parent), 1),
        )
        self._value = np.zeros(len(self.nodes.parent))
        none = np.zeros(0, dtype=np.int64)
        self._moves = LastRows(Transitions(none, none), method.value_buffer)
        self._stores["moves."] = self._moves
        largest = float(np.abs(self.nodes.payoff).max(initial=0.0))
        self._unit = largest if method.scaled and largest > 0.0 else 1.0

    def value_of_histories(self) -> FloatArray:
        """Give what the next walks expect of each node.

        Returns:
            float64[N]: a copy, for player 0; 0 where no player has moved, if draws of chance are
            not corrected.
        """
        return self._value.copy()

    def _sample(self, player: int) -> Advantages:
        """Let a player explore on trajectories."""
        method = self.variant
        ends = self._ends(self._regret, player=player, epsilon=method.epsilon, count=method.walks)
        rows = method.sampled(self.nodes, ends, self._strategy(), player=player, value=self._value)
        target = self.features.rows_to_outputs(rows.infoset, rows.target) / self._unit
        return Advantages(ends, rows.infoset, target, rows.weight)

    def _fit_transitions(self, ends: Int64Array) -> None:
        """Fit values of histories to what the next decision is worth on average.

        Draws of chance are not corrected, so that only what moves of players lead to has a value.
        """
        nodes = self.nodes
        self._moves.add(transitions(nodes, ends))
        moves = self._moves.columns
        expected = nodes.expected_children(nodes.probabilities(self._strategy()), self._value)
        target = expected_sarsa(nodes, moves, expected) / self._unit
        self._fit_once(_HISTORIES, moves.node, target[:, None])
        known = self._learners[_HISTORIES].knows(np.arange(len(nodes.parent)))
        told = known & (nodes.move >= 0)
        self._value = np.where(told, self._history_values(), self._value)

    def _fit_returns(self) -> None:
        """Fit values of histories to what play came to; terminals are worth their payoffs."""
        method, nodes = self.variant, self.nodes
        ends = self._ends(
            self._regret,
            player=EVERYBODY,
            epsilon=method.value_epsilon,
            count=method.value_walks,
            purpose=_HISTORY_WALKS,
        )
        met = returns(nodes, ends)
        self._fit_once(_HISTORIES, met.node, met.value[:, None] / self._unit)
        self._value = np.where(nodes.children > 0, self._history_values(), nodes.payoff)

    def _history_values(self) -> FloatArray:
        learner = self._learners[_HISTORIES]
        predicted = learner.predict(np.arange(len(self.nodes.parent)))[:, 0]
        return self._unit * predicted.astype(np.float64)

    @property
    def _unit_of_regrets(self) -> str:
        unit = super()._unit_of_regrets
        return f"{unit} / largest payoff" if self.variant.scaled else unit
