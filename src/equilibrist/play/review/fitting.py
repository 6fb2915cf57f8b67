"""Whether a hand is one that a solution is of: game, board, stacks."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from equilibrist.formatting.amounts import counted, significant
from equilibrist.options.defaults import STACKS_WITHIN
from equilibrist.play.review.decisions import Unjudged
from equilibrist.play.review.posted_rules import PostedRules
from equilibrist.play.review.table_hands import TableHand
from equilibrist.play.review.turns import StreetRoot, live_seats, street_name, street_root
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.postflop.spot.spot import Spot

_STREET_OF_BOARD: Final = {3: 1, 4: 2, 5: 3}
_PLAYERS: Final = 2


class Fit(NamedTuple):
    """How a hand fits a solution."""

    reason: Unjudged | None
    """Why it cannot be judged; None if it can."""
    why: str = ""
    distance: float = 0.0
    """How far stacks are from those of the solution; 0 for the same."""
    street: int = 0
    """The street with which the solution begins; 0 before the flop."""


class HandFitting:
    """Whether hands are those of a solution of whole hands.

    Args:
        rules: The rules of the solution.
        within: By which factor stacks, and what is posted, may differ.
    """

    def __init__(self, rules: HoldemRules, within: float = STACKS_WITHIN) -> None:
        """Compare with rules; the class describes the arguments."""
        self.rules, self.within = rules, within

    def fit(self, hand: TableHand) -> Fit:
        """Say whether a hand is one of the game.

        Args:
            hand: The hand.

        Returns:
            Whether it is, or why not.
        """
        theirs = self.rules
        seen = self.seen(hand)
        if seen is None:
            seats = f"{counted(hand.hand.seats, 'seat')}, and the solution has {theirs.seats}"
            return Fit(Unjudged.OTHER_GAME, f"the hand has {seats}")
        rules = seen.rules
        if theirs.limit != rules.limit:
            return Fit(Unjudged.OTHER_GAME, f"it is {rules.limit}, the solution {theirs.limit}")
        if (theirs.lowest_rank, theirs.suits, theirs.board, theirs.hole_cards) != (
            rules.lowest_rank,
            rules.suits,
            rules.board,
            rules.hole_cards,
        ):
            return Fit(Unjudged.OTHER_GAME, "the solution is of a game with other cards")
        if not any(rules.blinds) and any(theirs.blinds):
            return Fit(Unjudged.OTHER_GAME, "nobody posts a blind")
        if isinstance(rules, PostedRules) and rules.is_short:
            return Fit(Unjudged.STACKS, f"the hand has {rules.words}")
        return self._posts_fit(seen)

    def seen(self, hand: TableHand) -> TableHand | None:
        """Find a hand as the solution sees it: without seats that it lacks, which fold first.

        Args:
            hand: The hand.

        Returns:
            The hand; None if the solution has other seats.
        """
        seats = self.rules.seats
        if hand.hand.seats == seats:
            return hand
        is_same = seats > _PLAYERS or self.rules.final_street == 0
        return hand.without_folded(seats) if is_same and hand.hand.seats > seats else None

    def _posts_fit(self, hand: TableHand) -> Fit:
        """Compare what is in the middle at the start, in big blinds."""
        rules, theirs = hand.rules, self.rules
        there = _posted(rules) / rules.big_blind
        own = _posted(theirs) / theirs.big_blind
        if apart(there, own) > self.within:
            posted = f"{significant(there, 3)} bb are posted"
            why = f"{posted}, and in the solution {significant(own, 3)} bb"
            if isinstance(rules, PostedRules):
                why += f": the hand has {rules.words}"
            return Fit(Unjudged.STACKS, why)
        distance = 0.0
        for seat in range(rules.seats):
            table = _depth(rules, seat)
            distance = max(distance, apart(table, _depth(theirs, seat)) - 1.0)
        return Fit(None, "", distance)


class SpotFitting:
    """Whether hands come to a spot.

    Args:
        spot: The spot.
        within: By which factor stacks may differ, as shares of the pot.
    """

    def __init__(self, spot: Spot, within: float = STACKS_WITHIN) -> None:
        """Compare with a spot; the class describes the arguments."""
        self.spot, self.within = spot, within

    @property
    def street(self) -> int:
        """The street with which the spot begins, 1 for the flop."""
        return _STREET_OF_BOARD[len(self.spot.cards)]

    def root(self, hand: TableHand) -> StreetRoot | None:
        """Where two seats begin to play the street of the spot; None where they do not."""
        return street_root(hand, self.street)

    def fit(self, hand: TableHand) -> Fit:
        """Say whether a hand comes to the spot.

        Args:
            hand: The hand.

        Returns:
            Whether it does, or why not.
        """
        street, name = self.street, street_name(self.street)
        if len(hand.streets) <= street:
            return self._refused(Unjudged.NOT_COVERED, f"the hand does not come to the {name}")
        if self.images(hand) is None:
            board = card_names(hand.board[: len(self.spot.cards)])
            return self._refused(
                Unjudged.OTHER_BOARD,
                f"the board is {board}, and the solution is of {self.spot.board}",
            )
        root = self.root(hand)
        if root is None:
            seats = live_seats(hand, street)
            if seats > _PLAYERS:
                return self._refused(Unjudged.MULTIWAY, f"{seats} players see the {name}")
            return self._refused(Unjudged.NOT_COVERED, f"nobody acts on the {name}")
        if hand.hand.limit == "limit":
            return self._refused(Unjudged.OTHER_GAME, "it is limit hold'em")
        if (deck := read_deck(hand.hand.deck)) != self.spot.whole_deck:
            why = f"it is played with {deck.words}, the solution with {self.spot.whole_deck.words}"
            return self._refused(Unjudged.OTHER_GAME, why)
        depth, own = root.stack / root.pot, self.spot.stack / self.spot.pot
        if apart(depth, own) > self.within:
            deep = f"stacks are {significant(depth, 3)} pots deep"
            why = f"{deep}, and in the solution {significant(own, 3)}"
            return self._refused(Unjudged.STACKS, why)
        return Fit(None, "", apart(depth, own) - 1.0, street)

    def _refused(self, reason: Unjudged, why: str) -> Fit:
        return Fit(reason, why, street=self.street)

    def images(self, hand: TableHand) -> int | None:
        """Find the suits of a hand in the spot.

        Args:
            hand: The hand.

        Returns:
            The suit permutation that turns the board into that of the spot and leaves its ranges as
            they are, the identity if it does; None if none does.
        """
        wanted = self.spot.cards
        given = hand.board[: len(wanted)]
        if len(given) < len(wanted):
            return None
        for number in self._permutations:
            cards = [int(CARD_IMAGES[number, card]) for card in given]
            if {*cards[:3]} == {*wanted[:3]} and cards[3:] == [*wanted[3:]]:
                return number
        return None

    @cached_property
    def _permutations(self) -> list[int]:
        """The suit permutations that leave all ranges as they are, the identity first."""
        ranges = [held.weights for held in (self.spot.oop, self.spot.ip, *self.spot.folded)]
        return [
            number
            for number, images in enumerate(COMBO_IMAGES)
            if all(np.array_equal(weights[images], weights) for weights in ranges)
        ]


def apart(one: float, other: float) -> float:
    """By which factor two amounts differ, at least 1."""
    least, most = sorted((one, other))
    return most / least if least > 0 else float("inf")


def _posted(rules: HoldemRules) -> int:
    """Blinds, straddles and antes, in units, as they are asked."""
    return sum(rules.blinds) + sum(rules.antes)


def _depth(rules: HoldemRules, seat: int) -> float:
    """The effective stack of a seat before posting, in big blinds."""
    others = max(stack for other, stack in enumerate(rules.stacks) if other != seat)
    return float(min(rules.stacks[seat], others) / rules.big_blind)
