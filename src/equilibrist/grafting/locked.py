"""Grafts by CFR+ in which the play outside the block is locked: any number of players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.merging import merged_tree
from equilibrist.abstraction.recall import classify_recall, weakest
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.grafting.programmes import replaced
from equilibrist.solvers.full_traversal.mixed_play import MixedCFR
from equilibrist.solvers.full_traversal.mixing import Mixture
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, Int64Array


@dataclass(frozen=True)
class LockedRuns:
    """Runs of CFR+ on one game.

    Attributes:
        tree: The compiled game.
        iterations: Iterations of each run.
    """

    tree: GameTree
    iterations: int

    def graft(self, base: Strategy, player: int, inside: BoolArray, groups: Int64Array) -> Strategy:
        """The base with what a player learns in a block, against others who are free.

        Args:
            base: What is played outside.
            player: Whose block it is.
            inside: bool[I], in public order, the block.
            groups: int64[I]: infosets of the block with equal numbers are played alike.

        Returns:
            The base with this play in the block.

        Raises:
            UnsupportedError: The player forgets when infosets are merged.
        """
        own = self.tree.infoset_player == player
        learnt = self._learnt(base, own & ~inside, own & inside, groups)
        return self._with(base, learnt, player, inside)

    def static(
        self, base: Strategy, player: int, inside: BoolArray, groups: Int64Array
    ) -> tuple[Strategy, BoolArray]:
        """The base with what a player learns in a block that all come to as the base does.

        Args:
            base: What all play outside.
            player: Whose play in the block is replaced.
            inside: bool[I], in public order, the block of all players.
            groups: int64[I]: infosets of the block with equal numbers are played alike.

        Returns:
            The base with this play in the block, and bool[I], where the others' base never comes.

        Raises:
            UnsupportedError: A player forgets when infosets are merged.
        """
        learnt = self._learnt(base, ~inside, inside, groups)
        own = inside & (self.tree.infoset_player == player)
        never = own & (infoset_values(learnt).counterfactual_reach <= 0.0)
        learnt_inside = self._with(base, learnt, player, inside)
        return replaced(learnt_inside, Strategy.uniform(self.tree), never), never

    def _learnt(
        self, base: Strategy, locked: BoolArray, merged: BoolArray, groups: Int64Array
    ) -> Strategy:
        """The average of a run in which the base is played at `locked`, on the full game."""
        count = self.tree.num_infosets
        numbers = np.where(merged, groups, int(groups.max(initial=0)) + 1 + np.arange(count))
        abstraction = Abstraction(self.tree, numbers, name="inside the block")
        forgets = weakest(classify_recall(abstraction))
        if forgets.kind != "perfect":
            raise UnsupportedError(
                f"player {forgets.player} would have {forgets.words} at {forgets.infoset!r}, where "
                "CFR with locks is not sound",
                option="abstraction",
                given=forgets.infoset,
                expected="perfect recall",
                remedy="graft with abstraction `none`",
            )
        tree = merged_tree(abstraction)
        first = abstraction.first_infoset
        rows = np.concatenate([base.probabilities[self.tree.actions_of(i)] for i in first.tolist()])
        hook = Mixture(Strategy(tree, rows), locked[first].astype(np.float64))
        solver = MixedCFR(tree, "cfr+", hook).run(self.iterations)
        average = solver.average_strategy()
        solver.close()
        return average if tree is self.tree else abstraction.lift(average)

    def _with(self, base: Strategy, learnt: Strategy, player: int, inside: BoolArray) -> Strategy:
        """The base with what was learnt in the block, but where own play does not come."""
        form = self.tree.sequence_form
        reach = form.reach(form.to_engine(learnt.probabilities))[form.public_parent]
        own = inside & (self.tree.infoset_player == player)
        return replaced(base, learnt, own & (reach > 0.0))
