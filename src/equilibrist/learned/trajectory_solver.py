"""`TrajectorySolver`: what solvers share that learn from trajectories of games of two players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.learned.algorithm import NeuralAlgorithm
from equilibrist.learned.rows import Rows
from equilibrist.learned.solver import NeuralSolver
from equilibrist.learned.trajectories import TreeNodes, sample_ends
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

WALKS: Final = 0
FIRST: Final = 2
BATCHES: Final = 3
"""Purposes of seeds; 1 is what else an algorithm draws."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class TrajectoryAlgorithm(NeuralAlgorithm):
    """The numbers of an algorithm that learns from trajectories, of both players at once."""

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        return "episodes"

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by."""
        return ("equilibrist.kernels.sampling.frozen.sample_ends",)


class TrajectorySolver(NeuralSolver):
    """A solver of games of two players and zero sum that learns from trajectories.

    Attributes:
        nodes: The tree, with the payoffs that are learned of.
    """

    _tables: tuple[str, ...] = ("done",)
    _walk_purposes = 1
    """Purposes of seeds that trajectories are drawn for, from 0."""

    def __init__(self, tree: GameTree, method: TrajectoryAlgorithm, seed: int = 0) -> None:
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
        self.nodes = TreeNodes.of(tree)
        self._done = np.zeros(self._walk_purposes, dtype=np.int64)

    def _rows_of(self, player: int, capacity: int) -> Rows:
        """Rows of a player's infosets that outlive iterations."""
        return self._new_rows(capacity, self.features.outputs, self.seed_of(FIRST, 10 + player))

    def _ends(
        self, played: FloatArray, *, player: int, epsilon: float, count: int, purpose: int = WALKS
    ) -> Int64Array:
        """Draw the next trajectories, as `sample_ends` does; int64[count]: where they end."""
        ends, touched = sample_ends(
            self.nodes,
            played,
            player=player,
            epsilon=epsilon,
            key=np.uint64(self.seed_of(purpose)),
            start=int(self._done[purpose]) + 1,
            count=count,
        )
        self._done[purpose] += count
        self._touched += touched
        return ends

    def _fit(self, name: str, rows: Rows) -> None:
        """Let a learner learn rows, if there are any."""
        if len(rows):
            seed = self.seed_of(BATCHES, self._iteration + 1, list(self._learners).index(name))
            self.losses[name] = self._learners[name].fit(rows, seed).losses[-1]

    def _fit_once(self, name: str, numbers: Int64Array, target: NDArray[np.floating]) -> None:
        """Let a learner learn rows of equal weight that nobody keeps."""
        rows = self._new_rows(max(1, len(numbers)), target.shape[1], 0)
        rows.add(numbers, target, 1.0, self._iteration)
        self._fit(name, rows)

    def _by_action(self, name: str) -> FloatArray:
        """float64[Q]: what a learner says of all infosets."""
        table = self._learners[name].predict(np.arange(self.tree.num_infosets))
        return self.features.to_actions(table).astype(np.float64)


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
