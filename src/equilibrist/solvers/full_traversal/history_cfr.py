"""CFR by traversals of the history tree, for games in which players forget."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.game import Game
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.tree_solver import TreeSolver
from equilibrist.solvers.run.state import SolverState, check_state, frozen_copy, in_proportion
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

HISTORY_KERNEL: Final = "equilibrist.kernels.histories.cfr.run"
"""The kernel of an iteration."""


class HistoryCFR(TreeSolver):
    """CFR on histories: any variant, on games with or without perfect recall.

    With perfect recall it is `CFR`, only slower. Without, the regrets of an infoset are the sums
    over its histories, and no theorem says that the averages approach an equilibrium; the strategy
    is to be measured in a game with perfect recall (Kevin Waugh, Martin Zinkevich, Michael
    Johanson, Morgan Kan, David Schnizlein and Michael Bowling, "A practical use of imperfect
    recall", SARA 2009). All arrays are in public order, float64[Q].
    """

    _order = "histories"

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Rule | str = "dcfr",
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: A variant, or the text of one: `cfr+`, `dcfr(gamma=3)`.
            alternating: Whether players update in turn; by default as the variant says.
            horizon: The planned number of iterations, for variants that need it.

        Raises:
            ConfigError: `horizon` is missing where the variant needs it, or an argument is wrong.
            UnknownNameError: There is no algorithm or game of that name.
            UnsupportedError: The algorithm is no variant.
        """
        rule = as_rule(algorithm) if isinstance(algorithm, str) else algorithm
        if not isinstance(rule, Variant):
            raise UnsupportedError(
                f"{rule.name} needs perfect recall, and a player forgets",
                option="algorithm",
                given=rule.name,
                expected="cfr, cfr+, dcfr or another variant of CFR",
                remedy="use cfr, cfr+, dcfr or another variant, or a sampler",
            )
        super().__init__(game, rule, alternating=alternating, horizon=horizon)
        size = int(self.tree.action_offset[-1])
        self._regret = np.zeros(size)
        self._strategy_sum = np.zeros(size)
        self._behaviour = Strategy.uniform(self.tree).probabilities.copy()
        self._scratch = self._make_scratch()
        players = np.arange(self.tree.num_players + 1)
        self._player_offset = np.searchsorted(self.tree.infoset_player, players).astype(np.int64)

    def _make_scratch(self) -> tuple[FloatArray, ...]:
        tree = self.tree
        per_action = (tree.num_players, int(tree.action_offset[-1]))
        nodes = (tree.num_nodes,)
        shapes = (nodes, nodes, nodes, nodes, per_action, per_action, (1,), (1,))
        return tuple(np.zeros(shape) for shape in shapes)

    @property
    def compiled(self) -> str:
        """The dotted name of its kernel."""
        return HISTORY_KERNEL

    def _advance(self, count: int) -> None:
        from equilibrist.kernels.histories.cfr import run

        arrays = self.tree.history_tree.arrays
        arguments = (
            arrays.node,
            arrays.chance_probability,
            arrays.payoff,
            self.tree.action_offset,
            self._player_offset,
            self.variant.table(self.iteration + 1, count, self.horizon),
            self.alternating,
            self._regret,
            self._behaviour,
            self._strategy_sum,
            *self._scratch,
        )
        self._call(run, arguments, count)

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
