"""A spot of three players as a game: hands are dealt from the three ranges, then comes the betting.

Chance deals the hand of each seat in the order of acting. A triple of hands has the probability
that is proportional to the product of their weights in the ranges, if no two share a card; cards
are uniform among those that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from equilibrist.parsing.arguments import instance
from equilibrist.play.hands.game import SeatsGame, TableState
from equilibrist.poker.cards.combos import COMBO_MASKS, disjoint
from equilibrist.poker.hands.pots import pots
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.three_players.spot import SEAT_NAMES, ThreeSpot
from equilibrist.typing import FloatArray, Int64Array


class ThreeGame(SeatsGame):
    """A spot of three players as a `Game`, for `Session`, `Table` and logs.

    Players 0, 1 and 2 are `OOP`, `MID` and `IP`. Payoffs are in chips, by the convention of EVs:
    final chips minus the chips behind at the root, so that they add up to the pot less rake. Chips
    that do not divide are shared exactly, as the solution counts them. The key of an infoset is the
    hand and the line: `AhKh:X-B50-C`.

    Args:
        spot: The spot.

    Attributes:
        spot: The spot.
        stack_unit: `chips`.

    Raises:
        ConfigError: `spot` is none.
    """

    def __init__(self, spot: ThreeSpot) -> None:
        """Set the table; the class describes the argument."""
        self.spot = instance("spot", spot, ThreeSpot, "a poker.ThreeSpot")
        super().__init__(spot.rules, spot.menu, SEAT_NAMES, spot.cards)

    @property
    def name(self) -> str:
        """The name of the game: `holdem(board=...,pot=...,stacks=...)`."""
        stacks = "/".join(f"{stack}" for stack in self.spot.stack_of)
        return f"holdem(board={self.spot.board},pot={self.spot.pot},stacks={stacks})"

    @property
    def payoff_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the most that each seat can win, in chips."""
        stacks, pot = [float(stack) for stack in self.spot.stack_of], float(self.spot.pot)
        most = [sum(min(s, own) for s in stacks) - own for own in stacks]
        return tuple((-own, pot + won) for own, won in zip(stacks, most, strict=True))

    def settled(self, betting: HandState, compared: Sequence[int] | None) -> list[float]:
        """Settle the pots when the betting is over, each raked alike.

        Args:
            betting: The betting.
            compared: The strength of each seat's hand, the higher the better; those of seats that
                folded do not count. None where one seat is left.

        Returns:
            The payoffs by seat, in chips.
        """
        strengths = compared or (0,) * self.num_players
        kept = 1.0 - self.spot.rake_of(betting.pot) / betting.pot
        won = [
            float(dead - stake)
            for dead, stake in zip(self.spot.dead_money, betting.stakes, strict=True)
        ]
        for pot in pots(self.rules, betting):
            best = max(strengths[seat] for seat in pot.seats)
            winners = [seat for seat in pot.seats if strengths[seat] == best]
            for seat in winners:
                won[seat] += kept * pot.amount / len(winners)
        return [units / self.rules.scale.per_chip for units in won]

    def _hands_to_deal(self, state: TableState) -> tuple[list[int], list[float]]:
        """The hands of the range of the next seat, and the probability of each."""
        if not state.hands:
            return self._first
        seat, dealt = len(state.hands), _cards_of(state.hands)
        hands, weights = self._left(seat, dealt)
        if seat + 1 < self.num_players:
            others, their_weights = self._left(seat + 1, dealt)
            weights = weights * (disjoint(hands, others) @ their_weights)
        return _probable(hands, weights)

    @cached_property
    def _first(self) -> tuple[list[int], list[float]]:
        """The hands of the seat that acts first, and their probabilities."""
        hands = np.flatnonzero(self.spot.ranges[0].weights)
        return _probable(hands, self.spot.ranges[0].weights[hands] * self.spot.deals[0][hands])

    def _left(self, seat: int, dealt: np.uint64) -> tuple[Int64Array, FloatArray]:
        """The hands of a range without dealt cards, int64[n], and their weights, float64[n]."""
        weights = self.spot.ranges[seat].weights
        hands = np.flatnonzero(np.where(COMBO_MASKS & dealt == 0, weights, 0.0))
        return hands, weights[hands]


def _cards_of(hands: Sequence[int]) -> np.uint64:
    """The cards of hands as bits."""
    cards = np.uint64(0)
    for hand in hands:
        cards |= COMBO_MASKS[hand]
    return cards


def _probable(hands: Int64Array, weights: FloatArray) -> tuple[list[int], list[float]]:
    """The hands with a weight, and their probabilities."""
    possible = weights > 0.0
    return hands[possible].tolist(), (weights[possible] / weights.sum()).tolist()
