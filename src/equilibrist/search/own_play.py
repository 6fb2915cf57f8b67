"""The sequences of one player, level by level: plans, and responses to what others play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.measures.plans import Plans, TwoPlayerGame
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class OwnPlay:
    """The n sequences of one player, the empty one first, and their J infosets in public order.

    Attributes:
        player: Whose they are.
        plans: Where infosets and sequences lie among one another.
        start: The place of sequence 1 in flat arrays over the actions of all players.
        rounds: int64 arrays of infosets: those with as many own infosets above, from none on.
    """

    player: int
    plans: Plans
    start: int
    rounds: tuple[Int64Array, ...]

    @classmethod
    def of(cls, game: TwoPlayerGame, player: int) -> OwnPlay:
        """Lay out one player of a game."""
        tree = game.tree
        plans = game.plans(player, Abstraction.identity(tree))
        assert plans is not None  # a game with perfect recall
        infosets = np.flatnonzero(tree.infoset_player == player)
        start = int(tree.action_offset[infosets[0]]) if len(infosets) else 0
        depth = np.zeros(len(plans.parent), dtype=np.int64)
        owner = plans.infoset
        for infoset, above in enumerate(plans.parent.tolist()):  # parents come before children
            depth[infoset] = 0 if above == 0 else depth[owner[above - 1]] + 1
        rounds = tuple(np.flatnonzero(depth == d) for d in range(int(depth.max(initial=-1)) + 1))
        return cls(player, plans, start, rounds)

    @property
    def flat(self) -> slice:
        """The place of all sequences but the empty one in flat arrays over all actions."""
        return slice(self.start, self.start + self.plans.size - 1)

    def reach(self, probabilities: FloatArray) -> FloatArray:
        """The plan of a strategy.

        Args:
            probabilities: float64[Q], of all players in public order.

        Returns:
            float64[n], own reach of each sequence.
        """
        plan = np.ones(self.plans.size)
        plan[1:] = probabilities[self.flat]
        for infosets in self.rounds[1:]:
            own, counts = self._sequences(infosets)
            plan[own] *= np.repeat(plan[self.plans.parent[infosets]], counts)
        return plan

    def best(self, earned: FloatArray) -> Responses:
        """The best response to what others play.

        Args:
            earned: float64[n], what each sequence earns where it ends the own play.

        Returns:
            Its values.
        """
        return self._respond(earned, None)

    def expected(self, earned: FloatArray, probabilities: FloatArray) -> Responses:
        """The values of own play as it is.

        Args:
            earned: float64[n], what each sequence earns where it ends the own play.
            probabilities: float64[Q], of all players in public order.

        Returns:
            Its values.
        """
        return self._respond(earned, probabilities[self.flat])

    def _respond(self, earned: FloatArray, played: FloatArray | None) -> Responses:
        sequence = np.array(earned, dtype=np.float64)
        infoset = np.zeros(len(self.plans.parent))
        for infosets in reversed(self.rounds):
            own, counts = self._sequences(infosets)
            starts = np.cumsum(counts) - counts
            if played is None:
                infoset[infosets] = np.maximum.reduceat(sequence[own], starts)
            else:
                infoset[infosets] = np.add.reduceat(sequence[own] * played[own - 1], starts)
            np.add.at(sequence, self.plans.parent[infosets], infoset[infosets])
        return Responses(sequence, infoset)

    def _sequences(self, infosets: Int64Array) -> tuple[Int64Array, Int64Array]:
        """The sequences of some infosets one after the other, and how many each has."""
        counts = self.plans.actions[infosets]
        ends = np.cumsum(counts)
        own = np.repeat(self.plans.first[infosets] - (ends - counts), counts)
        return own + np.arange(len(own)), counts


@dataclass(frozen=True, eq=False)
class Responses:
    """Counterfactual values of one player against what the others play, in the unit of payoffs.

    Attributes:
        sequence: float64[n], of each sequence, with all that follows on it.
        infoset: float64[J], of each infoset.
    """

    sequence: FloatArray
    infoset: FloatArray
