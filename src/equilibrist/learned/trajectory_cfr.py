"""Regrets learned from trajectories: the solver of DREAM, ESCHER, VR-DeepDCFR+ and VR-DeepPDCFR+.

All of them learn what each action at an infoset is worth from trajectories, with the help of a
second learner that says what histories are worth. They are rows of one table: what is sampled, what
is learned of it, how it is weighed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from equilibrist.learned.advantages import AdvantageAlgorithm, AdvantageSolver
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

_REGRETS: Final = "regrets"
_INSTANT: Final = "instant"
"""What learners learn."""


@dataclass(frozen=True)
class RegretAlgorithm(AdvantageAlgorithm):
    """The numbers of an algorithm that learns regrets from trajectories."""

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


class TrajectoryCFR(AdvantageSolver):
    """Counterfactual regret minimisation by trajectories and learners, on a compiled game.

    The player whose turn it is explores on trajectories, on which strategies stay as they are; what
    they teach is learned, and says how that player plays from then on. The average is tabulated:
    each iteration's strategy by its own reach.

    With the learner "table" it is outcome sampling with baselines, or ESCHER's sampling, whose
    strategies stay as they are for `walks` trajectories. What no row was about stays what it was:
    regrets are discounted, where they are, and play and values of histories are the same.
    """

    variant: RegretAlgorithm
    _tables: tuple[str, ...] = ("learned", *AdvantageSolver._tables)

    def __init__(self, tree: GameTree, method: RegretAlgorithm, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        self._kinds = (_REGRETS, _INSTANT) if method.predictive else (_REGRETS,)
        super().__init__(tree, method, seed)
        self._rows = [self._rows_of(player, method.buffer) for player in (0, 1)]
        self._stores |= {f"rows.{player}.": rows for player, rows in enumerate(self._rows)}
        self._learned = np.zeros_like(self._regret)

    def _learn(self, player: int, turn: int) -> None:
        method = self.variant
        if method.targets == "returns":
            self._fit_returns()
        sampled = self._sample(player)
        target = sampled.target
        weight = (sampled.weight if method.importance else 1.0) * float(turn) ** method.row_power
        rows = self._rows[player]
        if method.predictive:
            self._fit_once(f"{_INSTANT}.{player}", sampled.infoset, target)
        if method.bootstrapped:
            rows.clear()
            own = self._owner == player
            self._learned[own] = np.maximum(self._learned[own], 0.0) * method.discount(turn)
            before = self.features.to_outputs(self._learned / self._unit)
            target = target + before[sampled.infoset]
        rows.add(sampled.infoset, target, weight, turn)
        self._fit(f"{_REGRETS}.{player}", rows)
        self._play(player, turn)
        self._tabulate(player, float(turn) ** method.average_power)
        if method.targets == "expected-sarsa":
            self._fit_transitions(sampled.ends)

    def _play(self, player: int, turn: int) -> None:
        """Take over what was learned of a player's regrets, and what it says to play."""
        name = f"{_REGRETS}.{player}"
        known = self._learners[name].knows(np.arange(self.tree.num_infosets))
        own = (self._owner == player) & known[self.features.infoset_of]
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
        starts, infoset_of = self.tree.action_offset[:-1], self.features.infoset_of
        most = np.maximum.reduceat(learned, starts)[infoset_of]
        least = np.minimum.reduceat(learned, starts)[infoset_of]
        is_best = (most <= 0.0) & (least < 0.0) & (learned == most)
        return np.where(is_best, 1.0, learned)
