"""CFR by full traversals of the sequence form, for every variant and every local rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.game import Game
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


class CFR(FullTraversals):
    """Counterfactual regret minimisation on a compiled game, for any variant of `variants`.

    Zinkevich et al., Regret minimization in games with incomplete information (NIPS 2007), in
    the sequence form of a game of perfect recall. The first iteration plays the uniform
    strategy; the average takes the strategy that was played, before its update.
    """

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Variant | LocalRule | str = "dcfr",
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: A variant or a local rule, or the text of one: `dcfr`, `dcfr(gamma=3)`,
                `apcfr+`, `my.py:MyVariant`.
            alternating: Whether players update in turn; by default as the algorithm says.
            horizon: The planned number of iterations, which scheduled variants need (hs-dcfr,
                hs-pcfr+).
            threads: The most threads that share an iteration, by default one for each processor
                that the process may use. The numbers are the same; small games use one thread.

        Raises:
            ConfigError: A parameter is out of range, or `horizon` is missing.
            UnknownNameError: There is no algorithm or game of that name.
            RecallError: A player forgets their own past.
            GameError: As `compile_game` raises it, and MemoryBudgetError too.
        """
        rule = as_rule(algorithm)
        super().__init__(game, rule, alternating=alternating, horizon=horizon, threads=threads)

    def regrets(self) -> dict[str, dict[str, float]]:
        """Give the cumulative regrets, in payoff units.

        Returns:
            {infoset: {action: regret}}; 0 at infosets with one action.
        """
        values = np.where(
            self._form.public_forced, 0.0, self._regret[self._form.sequence_of_public]
        )
        return self._labelled(values)

    def _labelled(self, values: FloatArray) -> dict[str, dict[str, float]]:
        offset = self.tree.action_offset
        return {
            key: dict(
                zip(labels, values[int(offset[i]) : int(offset[i + 1])].tolist(), strict=True)
            )
            for i, (key, labels) in enumerate(
                zip(self.tree.infoset_keys, self.tree.action_labels, strict=True)
            )
        }
