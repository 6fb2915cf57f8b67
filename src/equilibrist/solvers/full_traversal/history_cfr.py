"""CFR by traversals of the history tree, for games in which players forget."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.game import Game
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.public_order import PublicOrderSolver
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

HISTORY_KERNEL: Final = "equilibrist.kernels.histories.cfr.run"
"""The kernel of an iteration."""


class HistoryCFR(PublicOrderSolver):
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
        self._scratch = self._make_scratch()

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
