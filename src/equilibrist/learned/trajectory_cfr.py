"""Regrets learned from trajectories: the solver of DREAM, ESCHER, VR-DeepDCFR+ and VR-DeepPDCFR+.

All of them learn what each action at an infoset is worth from trajectories, with the help of a
second learner that says what histories are worth. They are rows of one table: what is sampled, what
is learned of it, how it is weighed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.histories import history_features
from equilibrist.learned.regressors import (
    FitSettings,
    NetworkRegressor,
    Regressor,
    TableRegressor,
)
from equilibrist.learned.rows import Rows
from equilibrist.learned.settings import NeuralSettings
from equilibrist.learned.solver import NeuralSolver, taken
from equilibrist.learned.trajectories import (
    EVERYBODY,
    RegretRows,
    Transitions,
    TreeNodes,
    corrected_regrets,
    expected_sarsa,
    returns,
    sample_ends,
    transitions,
)
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.run.state import in_proportion
from equilibrist.solvers.sampling.outcome import checked_epsilon
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

WALKS, HISTORY_WALKS, _FIRST, _BATCHES = range(4)
"""Purposes of seeds."""
_REGRETS, _INSTANT, _HISTORY = "regrets", "instant", "histories"
"""What learners learn."""
POLICY: Final = "policy"
"""What learners learn as probabilities, so that outputs are logits."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class TrajectorySettings(NeuralSettings):
    """The numbers of an algorithm that learns from trajectories.

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
    importance: ClassVar[bool]
    """Whether a row counts 1 over the traverser's part of the sampling above it."""
    row_power: ClassVar[float]
    """Rows of iteration t count t to this power."""
    average_power: ClassVar[float]
    """The strategy of iteration t counts t to this power in the average."""
    bootstrapped: ClassVar[bool] = False
    """Whether rows are of one iteration only and go on from the regrets learned before."""
    predictive: ClassVar[bool] = False
    """Whether the regrets of the last iteration are expected to come again."""
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
        least = 1 if self.targets == "returns" else 0
        object.__setattr__(
            self, "value_walks", whole_number("value_walks", self.value_walks, least)
        )
        for name in ("value_steps", "value_batch", "value_buffer"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), 1))

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        return "outcome"

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by."""
        ends = "equilibrist.kernels.sampling.frozen.sample_ends"
        return (ends, f"{ends} everybody") if self.targets == "returns" else (ends,)

    @property
    def learned(self) -> tuple[str, ...]:
        """What is learned of each player."""
        return (_REGRETS, _INSTANT) if self.predictive else (_REGRETS,)

    @property
    def value_fit(self) -> FitSettings:
        """How values of histories are fitted."""
        return FitSettings(
            hidden=(self.width,) * self.depth,
            steps=self.value_steps,
            batch_size=self.value_batch,
            learning_rate=self.rate,
            clip=self.clip,
            warm=self.targets == "expected-sarsa",
        )

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

    def discount(self, t: int) -> float:
        """What the regrets of iteration t - 1 are multiplied by in iteration t, from 1."""
        return 1.0 if t > 1 else 0.0

    def solver(self, tree: GameTree, seed: int = 0) -> TrajectoryCFR:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return TrajectoryCFR(tree, self, seed)


class TrajectoryCFR(NeuralSolver):
    """Counterfactual regret minimisation by trajectories and learners, on a compiled game.

    The player whose turn it is explores on trajectories, on which strategies stay as they are; what
    they teach is learned, and says how that player plays from then on. The average is tabulated:
    each iteration's strategy by its own reach.

    With the learner "table" it is outcome sampling with baselines, or ESCHER's sampling, whose
    strategies stay as they are for `walks` trajectories. What no row was about stays what it was:
    regrets are discounted, where they are, and play and values of histories are the same.
    """

    variant: TrajectorySettings
    _probabilities = (POLICY,)

    def __init__(self, tree: GameTree, method: TrajectorySettings, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        refuse_other_sums(tree, method.name)
        super().__init__(tree, method, seed)
        self._exact = method.learner == "table"
        self.nodes = TreeNodes.of(tree)
        """The tree, with the payoffs that values are learned of."""
        self._learners = {
            f"{kind}.{player}": self._new_learner(kind, number)
            for number, (kind, player) in enumerate(
                (kind, player) for kind in method.learned for player in (0, 1)
            )
        }
        self._learners[_HISTORY] = self._new_learner(_HISTORY, len(self._learners))
        self._rows = [
            self._new_rows(method.buffer, self.features.outputs, self.seed_of(_FIRST, 10 + player))
            for player in (0, 1)
        ]
        size = int(tree.action_offset[-1])
        self._counts = np.diff(tree.action_offset)
        self._owner = np.repeat(tree.infoset_player, self._counts)
        self._learned = np.zeros(size)
        self._value = np.zeros(len(self.nodes.parent))
        self._moves = Transitions(*np.zeros((2, 0), dtype=np.int64))
        self._done = np.zeros(2, dtype=np.int64)
        largest = float(np.abs(self.nodes.payoff).max(initial=0.0))
        self._unit = largest if method.scaled and largest > 0.0 else 1.0

    @cached_property
    def _histories(self) -> InfosetFeatures:
        return history_features(self.nodes, self.features)

    def _new_rows(self, capacity: int, width: int, key: int) -> Rows:
        return Rows(capacity, width, key, np.float64 if self._exact else np.float32)

    def _new_learner(self, kind: str, number: int) -> Regressor:
        of_histories = kind == _HISTORY
        if self._exact and of_histories:
            return TableRegressor(len(self.nodes.parent), 1)
        if self._exact:
            return TableRegressor(self.tree.num_infosets, self.features.outputs)
        seed = self.seed_of(_FIRST, number)
        if of_histories:
            return NetworkRegressor(self._histories, self.variant.value_fit, seed)
        fit = self.variant.fit
        if kind == POLICY:
            fit = replace(fit, loss="cross-entropy")
        return NetworkRegressor(self.features, fit, seed)

    def value_of_histories(self) -> FloatArray:
        """Give what the next walks expect of each node.

        Returns:
            float64[N]: a copy, for player 0; 0 where no player has moved, if draws of chance are
            not corrected.
        """
        return self._value.copy()

    def _learn(self, player: int, turn: int) -> None:
        method = self.variant
        if method.targets == "returns":
            self._fit_returns(turn)
        ends = self._ends(player, method.epsilon, WALKS, method.walks)
        sampled = self._sampled(player, ends)
        target = self._by_output(sampled) / self._unit
        weight = (sampled.weight if method.importance else 1.0) * float(turn) ** method.row_power
        rows = self._rows[player]
        if method.predictive:
            self._fit(f"{_INSTANT}.{player}", sampled.infoset, target, turn)
        if method.bootstrapped:
            rows.clear()
            own = self._owner == player
            self._learned[own] = np.maximum(self._learned[own], 0.0) * method.discount(turn)
            target = target + self._table(self._learned)[sampled.infoset]
        rows.add(sampled.infoset, target, weight, turn)
        self._fit_rows(f"{_REGRETS}.{player}", rows)
        self._play(player, turn)
        self._tabulate(player, float(turn) ** method.average_power)
        if method.targets == "expected-sarsa":
            self._fit_transitions(ends, turn)

    def _ends(self, player: int, epsilon: float, purpose: int, count: int) -> Int64Array:
        first = int(self._done[purpose])
        ends, touched = sample_ends(
            self.nodes,
            self._regret,
            player=player,
            epsilon=epsilon,
            key=np.uint64(self.seed_of(purpose)),
            start=first + 1,
            count=count,
        )
        self._done[purpose] += count
        self._touched += touched
        return ends

    def _sampled(self, player: int, ends: Int64Array) -> RegretRows:
        return self.variant.sampled(
            self.nodes, ends, self._strategy(), player=player, value=self._value
        )

    def _strategy(self) -> FloatArray:
        return in_proportion(np.maximum(self._regret, 0.0), self.tree.action_offset)

    def _play(self, player: int, turn: int) -> None:
        """Take over what was learned of a player's regrets, and what it says to play."""
        name = f"{_REGRETS}.{player}"
        known = self._learners[name].knows(np.arange(self.tree.num_infosets))
        own = (self._owner == player) & np.repeat(known, self._counts)
        learned = self._by_action(name)
        self._learned[own] = self._unit * learned[own]
        if self.variant.predictive:
            kept = np.maximum(learned, 0.0) * self.variant.discount(turn + 1)
            learned = kept + self._by_action(f"{_INSTANT}.{player}")
        if self.variant.fallback == "largest":
            learned = self._largest_where_none(learned)
        self._regret[own] = learned[own]

    def _largest_where_none(self, learned: FloatArray) -> FloatArray:
        """Regrets of which the largest is positive; where all are 0, nothing is known yet."""
        starts = self.tree.action_offset[:-1]
        most = np.repeat(np.maximum.reduceat(learned, starts), self._counts)
        least = np.repeat(np.minimum.reduceat(learned, starts), self._counts)
        is_best = (most <= 0.0) & (least < 0.0) & (learned == most)
        return np.where(is_best, 1.0, learned)

    def _fit_transitions(self, ends: Int64Array, turn: int) -> None:
        """Fit values of histories to what the next decision is worth on average.

        Draws of chance are not corrected, so that only what moves of players lead to has a value.
        """
        nodes, kept = self.nodes, self.variant.value_buffer
        pairs = zip(self._moves, transitions(nodes, ends), strict=True)
        self._moves = Transitions(*(np.concatenate(pair)[-kept:] for pair in pairs))
        expected = nodes.expected_children(nodes.probabilities(self._strategy()), self._value)
        target = expected_sarsa(nodes, self._moves, expected) / self._unit
        self._fit(_HISTORY, self._moves.node, target[:, None], turn)
        known = self._learners[_HISTORY].knows(np.arange(len(nodes.parent)))
        told = known & (nodes.move >= 0)
        self._value = np.where(told, self._history_values(), self._value)

    def _fit_returns(self, turn: int) -> None:
        """Fit values of histories to what play came to; terminals are worth their payoffs."""
        method, nodes = self.variant, self.nodes
        ends = self._ends(EVERYBODY, method.value_epsilon, HISTORY_WALKS, method.value_walks)
        met = returns(nodes, ends)
        self._fit(_HISTORY, met.node, met.value[:, None] / self._unit, turn)
        self._value = np.where(nodes.children > 0, self._history_values(), nodes.payoff)

    def _history_values(self) -> FloatArray:
        learner = self._learners[_HISTORY]
        predicted = learner.predict(np.arange(len(self.nodes.parent)))[:, 0]
        return self._unit * predicted.astype(np.float64)

    def _fit(self, name: str, numbers: Int64Array, target: NDArray[np.floating], turn: int) -> None:
        """Fit rows of equal weight that nobody keeps."""
        rows = self._new_rows(max(1, len(numbers)), target.shape[1], 0)
        rows.add(numbers, target, 1.0, turn)
        self._fit_rows(name, rows)

    def _fit_rows(self, name: str, rows: Rows) -> None:
        if len(rows):
            seed = self.seed_of(_BATCHES, self._iteration + 1, list(self._learners).index(name))
            self.losses[name] = self._learners[name].fit(rows, seed).losses[-1]

    def _by_action(self, name: str) -> FloatArray:
        """float64[Q]: what a learner says of all infosets."""
        table = self._learners[name].predict(np.arange(self.tree.num_infosets))
        return self.features.to_actions(table).astype(np.float64)

    def _by_output(self, rows: RegretRows) -> FloatArray:
        """float64[n, outputs]: targets by the output of a network instead of by action."""
        by_output = np.zeros((len(rows.infoset), self.features.outputs))
        legal = np.arange(rows.target.shape[1]) < self._counts[rows.infoset, None]
        row, action = np.nonzero(legal)
        place = self.tree.action_offset[rows.infoset[row]] + action
        by_output[row, self.features.columns[place]] = rows.target[row, action]
        return by_output

    def _table(self, by_action: FloatArray) -> FloatArray:
        """float64[I, outputs]: numbers [Q] by output, in the unit of what is learned."""
        table = np.zeros(self.features.mask.shape)
        table.reshape(-1)[self.features.flat] = by_action / self._unit
        return table

    @property
    def _unit_of_regrets(self) -> str:
        unit = super()._unit_of_regrets
        return f"{unit} / largest payoff" if self.variant.scaled else unit

    def _arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "learned": self._learned,
            "value": self._value,
            "done": self._done,
            "moves.node": self._moves.node,
            "moves.next": self._moves.next,
        }
        for player, rows in enumerate(self._rows):
            arrays |= rows.arrays(f"rows.{player}.")
        return arrays

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for player, rows in enumerate(self._rows):
            rows.restore(arrays, f"rows.{player}.")
        self._learned = taken(arrays, "learned", self._learned.shape)
        self._value = taken(arrays, "value", self._value.shape)
        self._done = taken(arrays, "done", self._done.shape)
        self._moves = Transitions(taken(arrays, "moves.node"), taken(arrays, "moves.next"))


def refuse_other_sums(tree: GameTree, name: str) -> None:
    """ConfigError unless the game has two players and zero sum: one value tells both."""
    payoff = tree.history_tree.arrays.payoff
    largest = np.abs(payoff).max(initial=0.0)
    if payoff.shape[1] != 2 or np.abs(payoff.sum(axis=1)).max(initial=0.0) > _ROUNDING * largest:
        raise ConfigError(
            f"{name} learns one value for both players, and {tree.name} is not a game of two "
            "players and zero sum",
            option="game",
            given=tree.name,
            remedy="train sd-cfr or deep-cfr",
        )
