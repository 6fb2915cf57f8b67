"""`FlopSolution`: strategies after one flop, and what actions of a hand are worth there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.flops.game import BEGINNING, FlopGame
from equilibrist.poker.preflop.exact.hand_values import ExactHandValues
from equilibrist.poker.preflop.exact.lookup import BoardLookup, BoardPlace
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.poker.preflop.exact.strategy import reach_along
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.typing import FloatArray

Dealt = Sequence[Sequence[int]]
"""The cards of each street, from the flop on."""


@dataclass(frozen=True, eq=False)
class FlopSolution:
    """What solving the rest of a hand on one flop found. Amounts are big blinds.

    Nodes are those of the tree of the hand.

    Attributes:
        game: What is left of the hand.
        ranges: float64[2, R]: how often each seat brings a hand of each class there.
        values: What the small and the big blind win by the average strategies, against the stack
            before posting, given that play comes to this flop after this line.
        gain: What a best response wins more, on average over both seats; exact.
        iterations: How many iterations ran.
        seconds: How long it took, the preparation included.
        stopped_by: What ended the run: `target`, `seconds` or `callback`.
        engine: The average strategies.
    """

    game: FlopGame
    ranges: FloatArray
    values: tuple[float, float]
    gain: float
    iterations: int
    seconds: float
    stopped_by: StopReason
    engine: Engine = field(repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def gain_share(self) -> float:
        """The gain as a share of the pot on the flop."""
        return self.gain / self.game.pot

    def probabilities(self, node: int, dealt: Dealt) -> FloatArray:
        """What each hand does at a decision.

        Args:
            node: The decision.
            dealt: The cards of each street, from the flop on.

        Returns:
            float64[A, 1326]: the probability of each action; 0 for hands that the board blocks.
        """
        return self._lookup.by_hand(
            self._played(self.game.own(node), self._place(dealt).board), self._place(dealt)
        )

    def reach(self, node: int, dealt: Dealt) -> FloatArray:
        """How often each seat gets to a node with each hand if the other lets it.

        Args:
            node: The node, on the street of the last cards.
            dealt: The cards of each street, from the flop on.

        Returns:
            float64[2, 1326]; 0 for hands that the board blocks.
        """
        return self._lookup.by_hand(self._reach(node, dealt), self._place(dealt))

    def action_values(self, node: int, dealt: Dealt, combo: int) -> FloatArray | None:
        """What a hand wins after each action if both seats follow the solution afterwards.

        Args:
            node: The decision.
            dealt: The cards of each street, from the flop on.
            combo: The hand of the seat to act.

        Returns:
            float64[A], against the stack before posting; None where the other seat never comes.
        """
        tree, place, own = self.game.tree, self._place(dealt), self.game.own(node)
        other = 1 - int(tree.player[own])
        if not self.ranges[other].any():
            return None
        engine = self.engine
        values = ExactHandValues(
            engine.game, engine.layout, self._played, engine.pairs, self._lookup, 1 - other
        )
        return values.of_actions(own, place, combo, self._reach(node, dealt)[other])

    @cached_property
    def _lookup(self) -> BoardLookup:
        return BoardLookup(self.engine.table, self.engine.rows)

    def _place(self, dealt: Dealt) -> BoardPlace:
        return self._lookup.find([tuple(cards) for cards in dealt])

    def _played(self, own: int, board: int) -> FloatArray:
        """float64[A, R]: the strategy at a decision by its own number, by rows of the board."""
        return matched(self.engine.numbers_at(self.engine.totals, board, own))

    def _reach(self, node: int, dealt: Dealt) -> FloatArray:
        """float64[2, R]: by rows of the board."""
        return reach_along(
            self.engine.layout,
            self._played,
            self.game.own(node),
            self.ranges,
            [0, *self._boards(dealt)],
            BEGINNING,
        )

    def _boards(self, dealt: Dealt) -> list[int]:
        """The board of each street, from the flop on."""
        return [self._place(dealt[: n + 1]).board for n in range(len(dealt))]
