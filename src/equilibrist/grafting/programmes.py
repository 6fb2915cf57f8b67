"""Grafts by linear programmes: two players with constant sum, exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from equilibrist.abstraction.measures.numbers import AGREEMENT, LARGEST
from equilibrist.abstraction.measures.plans import TwoPlayerGame
from equilibrist.abstraction.measures.programmes import Opponent, best_guarantee
from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.response import evaluate
from equilibrist.grafting.partial_plans import PartialPlans, all_plans, plans_inside
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, Int64Array


@dataclass(frozen=True, eq=False)
class Programmes:
    """The linear programmes of one game.

    Attributes:
        game: The game over sequences.
        full: The unrestricted plans of both players.
    """

    game: TwoPlayerGame
    full: tuple[PartialPlans, PartialPlans]

    @classmethod
    def of(cls, tree: GameTree) -> Programmes:
        """Set up the linear programmes of a compiled game.

        Raises:
            UnsupportedError: It has more than 5,000 sequences, or is of another kind.
            RecallError: The game has imperfect recall.
        """
        if tree.num_sequences > LARGEST:
            raise UnsupportedError(
                f"{tree.name} has {tree.num_sequences:,} sequences; linear programmes find grafts "
                f"up to {LARGEST:,}",
                option="sequences",
                given=tree.num_sequences,
                expected=LARGEST,
                remedy="give `iterations`: CFR+ with the play outside the block locked, which "
                "approximates the graft",
            )
        game = TwoPlayerGame.of(tree)
        return cls(game, (all_plans(game, 0), all_plans(game, 1)))

    def value(self, player: int) -> float:
        """Solve for the value of the game to a player, in payoff units."""
        value, _ = self._best(player, self.full[player], self.full[1 - player])
        return value

    def graft(self, base: Strategy, player: int, inside: BoolArray, groups: Int64Array) -> Strategy:
        """The base with the best play of a player in a block, against an opponent who is free.

        Args:
            base: What is played outside.
            player: Whose block it is.
            inside: bool[I], in public order, the block.
            groups: int64[I]: infosets of the block with equal numbers are played alike.

        Returns:
            The base with this play in the block.

        Raises:
            UnsupportedError: The player forgets inside the block.
            EquilibristError: HiGHS gives up, or best responses do not find what it promises.
        """
        own = plans_inside(self.game, player, base, inside, groups)
        promised, plan = self._best(player, own, self.full[1 - player])
        grafted = self._with(base, player, own, plan)
        total = self.game.total
        guaranteed = total - evaluate(grafted).best_response_values[1 - player]
        if abs(guaranteed - promised) > AGREEMENT * self.game.scale:
            raise EquilibristError(
                f"best responses leave player {player} {guaranteed:g} where a linear programme "
                f"promised {promised:g}",
                option="block",
                given=guaranteed,
                expected=promised,
            )
        return grafted

    def static(
        self, base: Strategy, player: int, inside: BoolArray, groups: Int64Array
    ) -> tuple[Strategy, BoolArray]:
        """The base with equilibrium play of a player in a block that both come to as the base does.

        Play is uniform, as CFR leaves it, at infosets that the opponent's base never comes to:
        there every action is as good as any other.

        Args:
            base: What both play outside.
            player: Whose play in the block is replaced.
            inside: bool[I], in public order, the block of both players.
            groups: int64[I]: infosets of the block with equal numbers are played alike.

        Returns:
            The base with this play in the block, and bool[I], where every action is as good.

        Raises:
            UnsupportedError: A player forgets inside the block.
            EquilibristError: HiGHS gives up.
        """
        own, other = (
            plans_inside(self.game, p, base, inside, groups) for p in (player, 1 - player)
        )
        _, plan = self._best(player, own, other)
        grafted = self._with(base, player, own, plan)
        matters = self._matters(player, own, other)
        anything = inside & (self.tree.infoset_player == player)
        anything[anything] = ~matters[own.infoset_of]
        return replaced(grafted, Strategy.uniform(self.tree), anything), anything

    def _matters(self, player: int, own: PartialPlans, other: PartialPlans) -> BoolArray:
        """bool[J]: whether the opponent may come to an infoset of `own.free`, or below it."""
        payoff = self.game.payoff
        pairs = csr_array((np.ones(payoff.nnz), payoff.indices, payoff.indptr), payoff.shape)
        comes = (other.fixed > 0.0) | (abs(other.spread).sum(axis=1) > 0.0)
        inside = own.entries >= 0
        met = (pairs if player == 0 else pairs.T) @ comes.astype(np.float64)
        sequence = np.zeros(own.free.size, dtype=np.bool_)
        np.logical_or.at(sequence, own.entries[inside], met[1:][inside] > 0.0)
        matters = np.zeros(len(own.free.parent), dtype=np.bool_)
        for k in range(len(matters) - 1, -1, -1):  # parents come before their children
            first = int(own.free.first[k])
            matters[k] = sequence[first : first + int(own.free.actions[k])].any()
            sequence[own.free.parent[k]] |= matters[k]
        return matters

    def _best(
        self, player: int, own: PartialPlans, other: PartialPlans
    ) -> tuple[float, np.ndarray]:
        """The best guarantee of a player, in payoff units, and the plan of what is free."""
        payoff = self.game.payoff if player == 0 else -self.game.payoff.T
        against = payoff @ other.fixed
        answered = csr_array(payoff @ other.spread)
        best = best_guarantee(
            own.free,
            Opponent(other.free, csr_array(own.spread.T @ answered)),
            gain=own.spread.T @ against,
            earned=answered.T @ own.fixed,
        )
        value = best.value + float(own.fixed @ against)
        return value * self.game.scale + self.game.base(player), best.plan

    @property
    def tree(self) -> GameTree:
        """The compiled game."""
        return self.game.tree

    def _with(self, base: Strategy, player: int, own: PartialPlans, plan: np.ndarray) -> Strategy:
        tree = self.game.tree
        mine = np.repeat(tree.infoset_player == player, np.diff(tree.action_offset))
        probabilities = base.probabilities.copy()
        probabilities[mine] = own.behaviour(plan, probabilities[mine])
        return Strategy(tree, probabilities)


def replaced(base: Strategy, other: Strategy, inside: BoolArray) -> Strategy:
    """The base with the rows of another strategy at some infosets, bool[I]; the rest bit by bit."""
    rows = np.repeat(inside, np.diff(base.tree.action_offset))
    return Strategy(base.tree, np.where(rows, other.probabilities, base.probabilities))
