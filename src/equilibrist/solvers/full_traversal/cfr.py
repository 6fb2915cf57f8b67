"""CFR by full passes over the sequence form, for every variant and every local rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from equilibrist.game import Game
from equilibrist.solvers.full_traversal.base import FullPasses
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


class CFR(FullPasses):
    """Counterfactual regret minimisation on a compiled game, for any variant of `variants`.

    Zinkevich et al., Regret minimization in games with incomplete information (NIPS 2007), in
    the sequence form of a game of perfect recall. The first iteration plays the uniform
    strategy; the average takes the strategy that was played, before its update.
    """

    def __init__(
        self,
        tree: GameTree | Game[Any] | str,
        variant: Variant | LocalRule | str = "dcfr",
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve `tree` (a game, or the name of one, is compiled first).

        `variant` may be the name of a variant or of a local rule (`apcfr+`, `hedge`, `omd`).
        `alternating` overrides its own order of updates. `horizon` is the planned
        number of iterations, which scheduled variants (hs-dcfr, hs-pcfr+) need: ConfigError.
        RecallError if a player forgets their own past, and what `compile_game` raises.
        """
        super().__init__(tree, as_rule(variant), alternating=alternating, horizon=horizon)

    def regrets(self) -> dict[str, dict[str, float]]:
        """Cumulative regrets as {infoset: {action: regret}}; 0 at infosets with one action."""
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
