"""CFR-BR in an abstraction: merged infosets against best responses that tell everything apart."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.solvers.full_traversal.best_response_solvers import AgainstBestResponses
from equilibrist.solvers.full_traversal.public_order import PublicOrderSolver
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

if TYPE_CHECKING:
    from equilibrist.kernels.sequence_form.abstract_cfr_br import (
        AbstractResponseArrays,
        ResponseScratch,
    )

ABSTRACT_KERNEL: Final = "equilibrist.kernels.sequence_form.abstract_cfr_br.run"
"""The kernel of an iteration."""


class AbstractCFRBR(PublicOrderSolver):
    """CFR-BR on a game whose infosets are merged, with best responses of the full game.

    Johanson, Bard, Burch and Bowling, AAAI 2012, for all players side by side: each plays one
    strategy at merged infosets and learns against the others' best responses to it, which may tell
    all infosets of the full game apart. With two players, constant sum and perfect recall in the
    abstraction, each player's average approaches the strategy that loses least of all that the
    abstraction can express, and so do most of the current strategies.
    """

    _order = "best responses of the full game"

    def __init__(
        self,
        merged: GameTree,
        full: GameTree,
        action_of: Int64Array,
        algorithm: Variant | AgainstBestResponses | str = "cfr",
        *,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve an abstraction.

        Args:
            merged: The tree of the merged infosets, which may be forgetful.
            full: The full game, with perfect recall.
            action_of: int64[pairs of infoset and action of `full`], public order: the pair of
                `merged` that each belongs to.
            algorithm: The variant of CFR that players follow, or the text of one.
            horizon: The planned number of iterations, for variants that need it.

        Raises:
            ConfigError: `horizon` is missing where the variant needs it, or `algorithm` is no
                variant of CFR.
            MismatchError: `action_of` does not have one number per pair of `full`.
            RecallError: A player forgets in the full game.
        """
        if not isinstance(algorithm, AgainstBestResponses):
            algorithm = AgainstBestResponses(as_variant(algorithm))
        super().__init__(merged, algorithm, horizon=horizon)
        if action_of.shape != (int(full.action_offset[-1]),):
            raise MismatchError(
                f"action_of has the shape {action_of.shape}, and {full.name} has "
                f"{int(full.action_offset[-1])} pairs of infoset and action",
                option="action_of",
                given=action_of.shape,
                expected=(int(full.action_offset[-1]),),
            )
        self.full = full
        self._action_of = action_of
        self._form = full.sequence_form
        self._arrays: AbstractResponseArrays | None = None

    @property
    def compiled(self) -> str:
        """The dotted name of its kernel."""
        return ABSTRACT_KERNEL

    def _layout(self) -> str:
        digest = hashlib.sha256(super()._layout().encode())
        digest.update(self.full.fingerprint.encode())
        digest.update(np.ascontiguousarray(self._action_of).data)
        return digest.hexdigest()

    def _advance(self, count: int) -> None:
        from equilibrist.kernels.sequence_form.abstract_cfr_br import run

        if self._arrays is None:
            self._arrays, self._scratch = self._lay_out(), self._make_scratch()
        arguments = (
            self._arrays,
            self.variant.table(self.iteration + 1, count, self.horizon),
            self._regret,
            self._behaviour,
            self._strategy_sum,
            self._scratch,
        )
        self._call(run, arguments, count)

    def _lay_out(self) -> AbstractResponseArrays:
        from equilibrist.kernels.sequence_form.abstract_cfr_br import AbstractResponseArrays

        form, size = self._form, self._form.num_sequences
        chosen = ~form.public_forced
        sequences = form.sequence_of_public[chosen]
        slot, chance = np.zeros(size, dtype=np.int64), np.zeros(size)
        slot[sequences] = self._action_of[chosen]
        chance[sequences] = self._chance_by_pair()[chosen]
        return AbstractResponseArrays(
            form=form.arrays,
            slot=slot,
            chance=chance,
            offset=self.tree.action_offset,
            player_offset=self._player_offset,
        )

    def _chance_by_pair(self) -> FloatArray:
        """float64[pairs of the full game]: chance's reach, summed over an infoset's histories."""
        from equilibrist.kernels.sequence_form.abstract_cfr_br import chance_of_infosets

        full, nodes = self.full, self.full.history_tree.arrays
        by_first = np.zeros(int(full.action_offset[-1]))
        chance_of_infosets(nodes.node, nodes.chance_probability, np.empty(full.num_nodes), by_first)
        return np.repeat(by_first[full.action_offset[:-1]], np.diff(full.action_offset))

    def _make_scratch(self) -> ResponseScratch:
        from equilibrist.kernels.sequence_form.abstract_cfr_br import ResponseScratch

        size, pairs = self._form.num_sequences, len(self._regret)
        return ResponseScratch(
            behaviour=np.zeros(size),
            reach=np.zeros(size),
            reply=np.zeros(size),
            reply_reach=np.zeros(size),
            value=self._form.scratch(),
            infoset_value=np.zeros(self._form.arrays.group_size.max(initial=1)),
            merged_value=np.zeros(pairs),
            merged_reach=np.zeros(pairs),
            alone=np.zeros(2),
        )
