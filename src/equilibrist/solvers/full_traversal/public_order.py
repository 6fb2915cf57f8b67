"""Solvers whose regrets stand in the public order of infosets, so that players may forget."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.game import Game
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.tree_solver import TreeSolver
from equilibrist.solvers.run.state import SolverState, check_state, frozen_copy, in_proportion
from equilibrist.solvers.variants.rule import Rule
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree


class PublicOrderSolver(TreeSolver):
    """The state of a solver by infoset and action in public order, float64[Q] each."""

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        rule: Rule,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        super().__init__(game, rule, alternating=alternating, horizon=horizon)
        size = int(self.tree.action_offset[-1])
        self._regret = np.zeros(size)
        self._strategy_sum = np.zeros(size)
        self._behaviour = Strategy.uniform(self.tree).probabilities.copy()
        players = np.arange(self.tree.num_players + 1)
        self._player_offset = np.searchsorted(self.tree.infoset_player, players).astype(np.int64)

    def average_strategy(self) -> Strategy:
        """Give the average strategy.

        Returns:
            A copy; uniform at infosets that were never reached.
        """
        return Strategy(self.tree, in_proportion(self._strategy_sum, self.tree.action_offset))

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._behaviour)

    def _copy_state(self) -> SolverState:
        return SolverState(
            frozen_copy(self._regret),
            frozen_copy(self._behaviour),
            frozen_copy(self._strategy_sum),
            self.iteration,
            {},
            self._identity,
        )

    def _adopt(self, state: SolverState) -> None:
        size = len(self._regret)
        check_state(state, size, self.tree.name, ("regret", "behaviour", "strategy_sum"))
        self._regret[:] = state.regret
        self._behaviour[:] = state.behaviour
        self._strategy_sum[:] = state.strategy_sum
        self._stand_at(state.iteration)
