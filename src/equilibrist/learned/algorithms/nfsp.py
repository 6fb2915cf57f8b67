"""`NFSP`: fictitious play between learned best responses and their learned average."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.logits import odds
from equilibrist.learned.regressors import FitSettings
from equilibrist.learned.rows import LastRows, counted_uniform
from equilibrist.learned.trajectories import NOBODY, own_moves
from equilibrist.learned.trajectory_solver import FIRST, TrajectoryAlgorithm, TrajectorySolver
from equilibrist.solvers.run.state import in_proportion
from equilibrist.solvers.sampling.outcome import checked_epsilon
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

MODES: Final = 1
"""The purpose of seeds of what two players play in an episode."""
_RESPONSE, _AVERAGE = "response", "average"
"""What learners learn: the value of each move, and how often responses have made it."""
PLAYED = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Who plays a response in an episode, where others play their average; in this order."""


@dataclass(frozen=True)
class FictitiousPlay(TrajectoryAlgorithm):
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
        self._take_whole("period", "value_buffer")

    @property
    def average_fit(self) -> FitSettings:
        """How averages are fitted: to probabilities."""
        return replace(self.fit, loss="cross-entropy")

    def solver(self, tree: GameTree, seed: int = 0) -> NFSP:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return NFSP(tree, self, seed)


class NFSP(TrajectorySolver):
    """Neural fictitious self-play on a compiled game.

    In an iteration both players play a block of episodes, and learn from it. With the learner
    "table" values are means over the moves that are kept, those of other moves stay what they were,
    and averages are counts of moves.
    """

    variant: FictitiousPlay
    _probabilities = (_AVERAGE,)
    _tables: tuple[str, ...] = ("best", "value", "target", "made", *TrajectorySolver._tables)

    def __init__(self, tree: GameTree, method: FictitiousPlay, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        for player in (0, 1):
            self._learners[f"{_RESPONSE}.{player}"] = self._new_learner(
                method.fit,
                self.seed_of(FIRST, player),
                lambda: move_features(self.features),
                (self._regret.size, 1),
            )
        for player in (0, 1):
            self._learners[f"{_AVERAGE}.{player}"] = self._new_learner(
                method.average_fit, self.seed_of(FIRST, 2 + player)
            )
        self._rows = [self._rows_of(player, method.buffer) for player in (0, 1)]
        none = np.zeros(0, dtype=np.int64)
        self._moves = [
            LastRows(own_moves(self.nodes, none, player), method.value_buffer) for player in (0, 1)
        ]
        for player in (0, 1):
            self._stores[f"rows.{player}."] = self._rows[player]
            self._stores[f"moves.{player}."] = self._moves[player]
        self._best = np.zeros_like(self._regret)
        self._value = np.zeros_like(self._regret)
        self._target = np.zeros_like(self._regret)
        self._made = np.zeros(1, dtype=np.int64)

    @property
    def moves(self) -> int:
        """Moves of both players so far: of 128 the published runs make an iteration."""
        return int(self._made[0])

    def _learn(self, player: int, turn: int) -> None:
        block = self._iteration + 1
        if (block - 1) % self.variant.period == 0:
            self._target = self._value.copy()
        for ends, responds in self._episodes((block - 1) // self.variant.period + 1):
            for each in (0, 1):
                moves = own_moves(self.nodes, ends, each)
                self._moves[each].add(moves)
                self._made[0] += len(moves.move)
                if responds[each]:
                    made = np.eye(self.features.outputs)[self.features.columns[moves.move]]
                    self._rows[each].add(moves.infoset, made, 1.0, block)
        for each, rows in enumerate(self._rows):
            own = self._owner == each
            self._respond(each, own)
            if len(rows):
                self._fit(f"{_AVERAGE}.{each}", rows)
                self._regret[own] = self._averaged(each)[own]
        self._strategy_sum[:] = self._strategy()

    def _episodes(self, period: int) -> list[tuple[Int64Array, tuple[int, int]]]:
        """The episodes of a block, by who plays a response in them."""
        method, first = self.variant, int(self._done[0])
        epsilon = method.epsilon / period**0.5
        even = epsilon / self.features.counts[self.features.infoset_of]
        best = in_proportion(self._best, self.tree.action_offset)
        responding, average = even + (1.0 - epsilon) * best, self._strategy()
        numbers = np.arange(first, first + method.walks, dtype=np.uint64)
        modes = [
            counted_uniform(self.seed_of(MODES, player), numbers) < method.anticipation
            for player in (0, 1)
        ]
        episodes = []
        for responds in PLAYED:
            count = int(np.sum((modes[0] == responds[0]) & (modes[1] == responds[1])))
            is_response = np.array(responds, dtype=np.bool_)[self._owner]
            played = np.where(is_response, responding, average)
            ends = self._ends(played, player=NOBODY, epsilon=0.0, count=count)
            episodes.append((ends, responds))
        return episodes

    def _respond(self, player: int, own: NDArray[np.bool_]) -> None:
        """Learn the values of a player's moves, and play the best from then on."""
        starts, moves = self.tree.action_offset[:-1], self._moves[player].columns
        if not len(moves.move):
            return
        most = np.maximum.reduceat(self._target, starts)
        target = np.where(moves.next >= 0, most[moves.next], moves.payoff)
        name = f"{_RESPONSE}.{player}"
        self._fit_once(name, moves.move, target[:, None])
        everything = np.arange(self._regret.size)
        told = own & self._learners[name].knows(everything)
        self._value[told] = self._learners[name].predict(everything)[told, 0]
        most = np.maximum.reduceat(self._value, starts)[self.features.infoset_of]
        self._best[own] = (self._value == most)[own]

    def _averaged(self, player: int) -> FloatArray:
        """float64[Q]: what a player's average is in proportion to, as it was learned."""
        learned = self._by_action(f"{_AVERAGE}.{player}")
        return learned if self._is_tabular else odds(learned, self.tree.action_offset)


def move_features(features: InfosetFeatures) -> InfosetFeatures:
    """What a network reads of each move: the infoset, and which action it is; one output."""
    size = len(features.columns)
    action = np.eye(features.outputs, dtype=np.float32)[features.columns]
    return InfosetFeatures(
        inputs=np.ascontiguousarray(np.hstack([features.inputs[features.infoset_of], action])),
        columns=np.zeros(size, dtype=np.int32),
        mask=np.ones((size, 1), dtype=np.bool_),
        infoset_of=np.arange(size, dtype=np.int32),
    )
