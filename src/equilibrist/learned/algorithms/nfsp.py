"""`NFSP`: fictitious play between learned best responses and their learned average."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.regressors import (
    FitSettings,
    NetworkRegressor,
    Regressor,
    TableRegressor,
)
from equilibrist.learned.rows import Rows, counted_uniform
from equilibrist.learned.settings import NeuralSettings
from equilibrist.learned.solver import NeuralSolver, taken
from equilibrist.learned.trajectories import (
    NOBODY,
    OwnMoves,
    TreeNodes,
    own_moves,
    sample_ends,
)
from equilibrist.learned.trajectory_cfr import refuse_other_sums
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.run.state import in_proportion
from equilibrist.solvers.sampling.outcome import checked_epsilon
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

WALKS, MODES, _FIRST, _BATCHES = range(4)
"""Purposes of seeds; MODES are those of two players."""
_RESPONSE, _AVERAGE = "response", "average"
"""What learners learn: the value of each move, and how often responses have made it."""
PLAYED = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Who plays a response in an episode, where others play their average; in this order."""


@dataclass(frozen=True)
class FictitiousPlay(NeuralSettings):
    """Neural fictitious self-play, in blocks during which nobody changes how they play.

    After a block both players learn. Fits are Adam's instead of plain descent.

    Attributes:
        period: Blocks during which what comes next is worth the same: a target network's time.
        anticipation: With what probability a player plays the response in an episode.
        epsilon: With what probability a response of the first period draws uniformly; in period t
            it is divided by the root of t.
        value_buffer: Moves from which values are learned, the last ones.
    """

    name: ClassVar[str] = "nfsp"
    summary: ClassVar[str] = "learned best responses, and a network of what they have played"
    paper: ClassVar[str] = (
        "Heinrich, Silver: Deep Reinforcement Learning from Self-Play in Imperfect-Information "
        "Games. arXiv:1603.01121, 2016"
    )
    when: ClassVar[str] = "for comparison: the first algorithm of this kind"

    walks: int = 320
    steps: int = 30
    batch: int = 128
    depth: int = 1
    buffer: int = 2_000_000
    fallback: str = field(default="largest", init=False)
    period: int = 10
    anticipation: float = 0.1
    epsilon: float = 0.06
    value_buffer: int = 200_000

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        for name in ("anticipation", "epsilon"):
            object.__setattr__(self, name, checked_epsilon(getattr(self, name)))
        for name in ("period", "value_buffer"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), 1))

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        return "episodes"

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by."""
        return ("equilibrist.kernels.sampling.frozen.sample_ends",)

    @property
    def average_fit(self) -> FitSettings:
        """How averages are fitted: to probabilities."""
        return FitSettings(
            hidden=(self.width,) * self.depth,
            steps=self.steps,
            batch_size=self.batch,
            learning_rate=self.rate,
            clip=self.clip,
            warm=self.warm,
            loss="cross-entropy",
            merge=self.merge,
        )

    def solver(self, tree: GameTree, seed: int = 0) -> NFSP:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return NFSP(tree, self, seed)


class NFSP(NeuralSolver):
    """Neural fictitious self-play on a compiled game.

    In an iteration both players play a block of episodes, and learn from it. With the learner
    "table" values are means over the moves that are kept, those of other moves stay what they were,
    and averages are counts of moves.
    """

    variant: FictitiousPlay
    _probabilities = (_AVERAGE,)

    def __init__(self, tree: GameTree, method: FictitiousPlay, seed: int = 0) -> None:
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
        self._learners = {
            f"{kind}.{player}": self._new_learner(kind, 2 * number + player)
            for number, kind in enumerate((_RESPONSE, _AVERAGE))
            for player in (0, 1)
        }
        dtype = np.float64 if self._exact else np.float32
        width = self.features.outputs
        self._rows = [
            Rows(method.buffer, width, self.seed_of(_FIRST, 10 + player), dtype)
            for player in (0, 1)
        ]
        none = np.zeros(0, dtype=np.int64)
        self._moves = [own_moves(self.nodes, none, player) for player in (0, 1)]
        self._counts = np.diff(tree.action_offset)
        self._owner = np.repeat(tree.infoset_player, self._counts)
        self._best = np.zeros_like(self._regret)
        self._value = np.zeros_like(self._regret)
        self._target = np.zeros_like(self._regret)
        self._done = np.zeros(1, dtype=np.int64)

    @cached_property
    def _move_features(self) -> InfosetFeatures:
        return move_features(self.features)

    def _new_learner(self, kind: str, number: int) -> Regressor:
        method, seed = self.variant, self.seed_of(_FIRST, number)
        if kind == _RESPONSE:
            if self._exact:
                return TableRegressor(self._regret.size, 1)
            return NetworkRegressor(self._move_features, method.fit, seed)
        if self._exact:
            return TableRegressor(self.tree.num_infosets, self.features.outputs)
        return NetworkRegressor(self.features, method.average_fit, seed)

    def _learn(self, player: int, turn: int) -> None:
        block = self._iteration + 1
        if (block - 1) % self.variant.period == 0:
            self._target = self._value.copy()
        for ends, responds in self._episodes((block - 1) // self.variant.period + 1):
            for each in (0, 1):
                moves = own_moves(self.nodes, ends, each)
                pairs = zip(self._moves[each], moves, strict=True)
                kept = self.variant.value_buffer
                self._moves[each] = OwnMoves(*(np.concatenate(pair)[-kept:] for pair in pairs))
                if responds[each]:
                    made = self._one_hot(moves.move)
                    self._rows[each].add(moves.infoset, made, 1.0, block)
        for each, rows in enumerate(self._rows):
            own = self._owner == each
            self._respond(each, own)
            if len(rows):
                self._fit(f"{_AVERAGE}.{each}", rows)
                self._regret[own] = self._averaged(each)[own]
        self._strategy_sum[:] = self._average()

    def _episodes(self, period: int) -> list[tuple[Int64Array, tuple[int, int]]]:
        """The episodes of a block, by who plays a response in them."""
        method, first = self.variant, int(self._done[0])
        epsilon = method.epsilon / period**0.5
        even = epsilon / np.repeat(self._counts, self._counts)
        best = in_proportion(self._best, self.tree.action_offset)
        responding, average = even + (1.0 - epsilon) * best, self._average()
        numbers = np.arange(first, first + method.walks, dtype=np.uint64)
        modes = [
            counted_uniform(self.seed_of(MODES, player), numbers) < method.anticipation
            for player in (0, 1)
        ]
        episodes = []
        for responds in PLAYED:
            count = int(np.sum((modes[0] == responds[0]) & (modes[1] == responds[1])))
            is_response = np.array(responds, dtype=np.bool_)[self._owner]
            ends, touched = sample_ends(
                self.nodes,
                np.where(is_response, responding, average),
                player=NOBODY,
                epsilon=0.0,
                key=np.uint64(self.seed_of(WALKS)),
                start=int(self._done[0]) + 1,
                count=count,
            )
            self._done[0] += count
            self._touched += touched
            episodes.append((ends, responds))
        return episodes

    def _respond(self, player: int, own: NDArray[np.bool_]) -> None:
        """Learn the values of a player's moves, and play the best from then on."""
        starts, moves = self.tree.action_offset[:-1], self._moves[player]
        if not len(moves.move):
            return
        most = np.maximum.reduceat(self._target, starts)
        target = np.where(moves.next >= 0, most[moves.next], moves.payoff)
        rows = Rows(len(target), 1, 0, np.float64 if self._exact else np.float32)
        rows.add(moves.move, target[:, None], 1.0, 1)
        name = f"{_RESPONSE}.{player}"
        self._fit(name, rows)
        everything = np.arange(self._regret.size)
        told = own & self._learners[name].knows(everything)
        self._value[told] = self._learners[name].predict(everything)[told, 0]
        most = np.repeat(np.maximum.reduceat(self._value, starts), self._counts)
        self._best[own] = (self._value == most)[own]

    def _fit(self, name: str, rows: Rows) -> None:
        seed = self.seed_of(_BATCHES, self._iteration + 1, list(self._learners).index(name))
        self.losses[name] = self._learners[name].fit(rows, seed).losses[-1]

    def _averaged(self, player: int) -> FloatArray:
        """float64[Q]: the probabilities of a player's moves, as they were learned."""
        learner = self._learners[f"{_AVERAGE}.{player}"]
        table = np.asarray(learner.predict(np.arange(self.tree.num_infosets)), dtype=np.float64)
        if isinstance(learner, NetworkRegressor):
            logits = np.where(self.features.mask, table, -np.inf)
            table = np.exp(logits - logits.max(axis=1, keepdims=True))
        return self.features.to_actions(table).astype(np.float64)

    def _average(self) -> FloatArray:
        return in_proportion(self._regret, self.tree.action_offset)

    def _one_hot(self, move: Int64Array) -> FloatArray:
        by_output = np.zeros((len(move), self.features.outputs))
        by_output[np.arange(len(move)), self.features.columns[move]] = 1.0
        return by_output

    def _arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "best": self._best,
            "value": self._value,
            "target": self._target,
            "done": self._done,
        }
        for player, (rows, moves) in enumerate(zip(self._rows, self._moves, strict=True)):
            arrays |= rows.arrays(f"rows.{player}.")
            arrays |= {f"moves.{player}.{name}": a for name, a in moves._asdict().items()}
        return arrays

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for player, rows in enumerate(self._rows):
            rows.restore(arrays, f"rows.{player}.")
            names = [f"moves.{player}.{name}" for name in OwnMoves._fields]
            self._moves[player] = OwnMoves(*(taken(arrays, name) for name in names))
        self._best = taken(arrays, "best", self._best.shape)
        self._value = taken(arrays, "value", self._value.shape)
        self._target = taken(arrays, "target", self._target.shape)
        self._done = taken(arrays, "done", self._done.shape)


def move_features(features: InfosetFeatures) -> InfosetFeatures:
    """What a network reads of each move: the infoset, and which action it is; one output."""
    size = len(features.columns)
    action = np.zeros((size, features.outputs), dtype=np.float32)
    action[np.arange(size), features.columns] = 1.0
    return InfosetFeatures(
        inputs=np.ascontiguousarray(np.hstack([features.inputs[features.infoset_of], action])),
        columns=np.zeros(size, dtype=np.int32),
        mask=np.ones((size, 1), dtype=np.bool_),
        infoset_of=np.arange(size, dtype=np.int32),
    )
