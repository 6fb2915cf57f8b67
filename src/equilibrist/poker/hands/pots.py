"""Pots: the chips of a hand divided by who can win them, and what each seat wins.

Every level of stakes makes a layer that the live seats with stakes up there can win, and layers
with the same seats are one pot. Antes are dead money in the main pot; where a seat is short of an
ante that all post, that ante is layered like a bet. Winners of a pot share it;
the chips that are left over go to the first of them from the left of the button. As in PokerKit,
hands that win nothing are taken away first: pots that the same winners contest are then one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equilibrist.poker.cards.decks import STANDARD, Ranking, deck_of
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import HandState


class Pot(NamedTuple):
    """A pot, the main pot first."""

    amount: int
    """Units."""
    seats: tuple[int, ...]
    """The live seats that can win it, from the left of the button."""


def pots(rules: HoldemRules, state: HandState) -> tuple[Pot, ...]:
    """The pots of a state.

    Args:
        rules: The rules.
        state: A state; uncalled bets have been returned where the betting is over.

    Returns:
        The main pot, then the side pots.
    """
    paid = [stake - dead for stake, dead in zip(state.stakes, rules.dead_antes, strict=True)]
    layers = [Pot(sum(state.stakes) - sum(paid), _able(rules, state, paid, 0))]
    below = 0
    for level in sorted(set(paid) - {0}):
        layer = sum(level - below for chips in paid if chips >= level)
        seats = _able(rules, state, paid, level)
        if seats == layers[-1].seats:
            layers[-1] = Pot(layers[-1].amount + layer, seats)
        else:
            layers.append(Pot(layer, seats))
        below = level
    return tuple(pot for pot in layers if pot.amount)


def _able(rules: HoldemRules, state: HandState, paid: Sequence[int], level: int) -> tuple[int, ...]:
    return tuple(seat for seat in rules.order if state.is_live(seat) and paid[seat] >= level)


def payoffs(
    rules: HoldemRules, state: HandState, strengths: Sequence[int] | None = None
) -> tuple[int, ...]:
    """Pay the pots; returns what each seat wins or loses.

    Args:
        rules: The rules.
        state: A state at which the hand is over.
        strengths: The strength of each seat's hand at a showdown, the higher the better; those of
            folded seats do not count. None where one seat is left.

    Returns:
        Units; the sum is zero.
    """
    compared = strengths or (0,) * rules.seats
    all_pots = pots(rules, state)
    winning = {seat for pot in all_pots for seat in _best(pot.seats, compared)}
    won = [-stake for stake in state.stakes]
    contested: list[Pot] = []
    for pot in all_pots:
        seats = tuple(seat for seat in pot.seats if seat in winning)
        if contested and contested[-1].seats == seats:
            contested[-1] = Pot(contested[-1].amount + pot.amount, seats)
        else:
            contested.append(Pot(pot.amount, seats))
    for pot in contested:
        winners = _best(pot.seats, compared)
        share, left = divmod(pot.amount, len(winners))
        for seat in winners:
            won[seat] += share
        won[winners[0]] += left
    return tuple(won)


def _best(seats: Sequence[int], strengths: Sequence[int]) -> list[int]:
    best = max(strengths[seat] for seat in seats)
    return [seat for seat in seats if strengths[seat] == best]


_FIVE = 5


def strengths(
    hands: Sequence[Sequence[int]], board: Sequence[int], ranking: Ranking = STANDARD
) -> tuple[int, ...]:
    """The strength of each hand with the board.

    Args:
        hands: The hole cards of each seat.
        board: The complete board.
        ranking: How hands of five cards and more compare.

    Returns:
        Numbers that compare as the hands do, the higher the better.
    """
    rows = [[*hand, *board] for hand in hands]
    if len(rows[0]) < _FIVE:
        return tuple(map(small_hand_value, rows))
    from equilibrist.poker.cards.evaluator import hand_strengths

    return tuple(hand_strengths(np.array(rows), deck=deck_of(ranking)).tolist())


def small_hand_value(cards: Sequence[int]) -> int:
    """The value of one to four cards: a digit for each rank, the most frequent first."""
    ranks = [card >> 2 for card in cards]
    value = 0
    for count, rank in sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True):
        value = value * 64 + count * 13 + rank
    return value << 6 * (4 - len(set(ranks)))
