"""AIVAT for hands of two bots: the luck of the cards and of what the bots drew is taken out.

Neil Burch et al., "AIVAT", AAAI 2018; see `play.aivat`. At every point at which cards came, or a
bot drew from a mixture that it told, the drawn value minus the expected value is subtracted: its
mean is 0 for any values. The values here are those of checking down: each seat's share of the pot
by its equity against the other's hand. Both hands are seen, which tells no bot anything.

Equities after the flop are exact for the two hands. Before it they are those of hand classes with
52 cards, which leaves the mean as it is where one player does not tell suits apart before the flop,
as no strategy here does. With few cards they are exact, too; between (decks of 21 to 51 cards) the
first board cards are not corrected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from equilibrist.play.bots.deals import DealtAction, DealtHand
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_INDEX
from equilibrist.poker.cards.decks import deck_of
from equilibrist.poker.hands.betting import called, folded
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.typing import FloatArray

_REMEMBERED: Final = 64
_WHOLE_BOARD: Final = 5
_HOLDEM: Final = (0, 3, 1, 1)
_MOST_RUNOUTS: Final = 5_000
"""Boards that are enumerated for an equity before the flop: 4,368 with 20 cards."""


class Luck:
    """What the luck of a hand was worth to seat 0, in units.

    Args:
        rules: The rules at the table, of two seats.
    """

    def __init__(self, rules: HoldemRules) -> None:
        """Go by rules; the class describes the argument."""
        self._rules = rules
        self._ends = np.cumsum(rules.board).tolist()
        self._share = lru_cache(_REMEMBERED)(self._enumerated)

    def of(self, hand: DealtHand, *, with_deal: bool = False) -> float:
        """The luck of a hand.

        Args:
            hand: The hand.
            with_deal: Whether that of the hands dealt counts, too, as if the pot were two big
                blinds; in duplicate deals it cancels.

        Returns:
            What to subtract from what seat 0 won, in units.
        """
        held, board = hand.deal.held, hand.deal.board
        lucky = sum(self._drawn(step, held, board) for step in hand.actions if _mixes_fold(step))
        if with_deal and self._knows_first_shares:
            lucky += self._rules.big_blind * (2.0 * self.share(held, board, 0) - 1.0)
        return lucky + sum(
            2.0 * stake * (self.share(held, board, street + 1) - self.share(held, board, street))
            for street, stake in self._dealt(hand)
            if street or self._knows_first_shares
        )

    def share(self, held: Sequence[Sequence[int]], board: Sequence[int], street: int) -> float:
        """The share of the pot of seat 0 when a street has begun, if nobody bets any more."""
        if street == 0 and self._by_class is not None:
            classes = [int(CLASS_OF_COMBO[COMBO_INDEX[hand]]) for hand in held]
            return float(self._by_class[classes[0], classes[1]])
        first, second = map(tuple, held)
        dealt = tuple(board[: self._ends[street]])
        if first > second:  # the other game of a duplicate deal asks for the same
            return 1.0 - self._share((second, first), dealt)
        return self._share((first, second), dealt)

    def _dealt(self, hand: DealtHand) -> list[tuple[int, float]]:
        """The streets after which cards came, with what each seat had put in."""
        streets = {step.state.street: step.state for step in reversed(hand.actions)}  # the first
        last = hand.end.street
        stakes = [float(min(streets[k + 1].stakes)) for k in range(last) if k + 1 in streets]
        dealt = [*enumerate(stakes)]
        if hand.end.live == 0b11:  # a showdown: the rest of the board was dealt
            rest = range(len(dealt), len(self._ends) - 1)
            dealt += [(street, float(min(hand.end.stakes))) for street in rest]
        return dealt

    def _drawn(
        self, step: DealtAction, held: Sequence[Sequence[int]], board: Sequence[int]
    ) -> float:
        """The luck of an action that was drawn."""
        state = step.state
        fold = float(payoffs(self._rules, folded(self._rules, state))[0])
        stake = min(called(self._rules, state).stakes)
        stays = (2.0 * self.share(held, board, state.street) - 1.0) * stake
        folds = step.answer.mixture["F"]
        value = fold if step.action.kind is Kind.FOLD else stays
        return value - (folds * fold + (1.0 - folds) * stays)

    @cached_property
    def _knows_first_shares(self) -> bool:
        """Whether shares are known before the first board cards."""
        runouts = comb(len(self._rules.deck) - 2 * self._rules.hole_cards, self._ends[-1])
        return self._by_class is not None or runouts <= _MOST_RUNOUTS

    @cached_property
    def _by_class(self) -> FloatArray | None:
        """float64[169, 169]: the shares before the flop; None for other decks."""
        rules = self._rules
        if len(rules.deck) < NUM_CARDS or tuple(rules.board) != _HOLDEM:
            return None
        return AllInTable.load().equities

    def _enumerated(self, held: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> float:
        """The share over all ways in which the board may go on."""
        gone = {*board, *(card for cards in held for card in cards)}
        left = [card for card in self._rules.deck if card not in gone]
        size = self._ends[-1]
        runouts = [*combinations(left, size - len(board))]
        if size < _WHOLE_BOARD:
            shown = (strengths(held, (*board, *more), self._rules.ranking) for more in runouts)
            return 0.5 + 0.5 * float(np.mean([np.sign(own - other) for own, other in shown]))
        from equilibrist.poker.cards.evaluator import hand_strengths

        rest = np.array(runouts, np.uint8)
        rows = np.empty((2, len(rest), 2 + size), np.uint8)
        rows[:, :, 2 : 2 + len(board)] = board
        rows[:, :, 2 + len(board) :] = rest
        rows[:, :, :2] = np.array(held, np.uint8)[:, None]
        deck = deck_of(self._rules.ranking)
        strength = hand_strengths(rows.reshape(2 * len(rest), -1), deck=deck)
        first, second = strength.reshape(2, -1).astype(int)
        return 0.5 + 0.5 * float(np.sign(first - second).mean())


def _mixes_fold(step: DealtAction) -> bool:
    """Whether folding was possible, and not certain."""
    return 0.0 < step.answer.mixture.get("F", 0.0) < 1.0
