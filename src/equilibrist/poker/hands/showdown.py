"""Strengths of hands at a showdown, of any number of cards.

From five cards on a hand is its best five, by the evaluator. Fewer cards, in small games, make no
straights and flushes: more cards of one rank are better, then higher ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_FIVE = 5


def strengths(hands: Sequence[Sequence[int]], board: Sequence[int]) -> tuple[int, ...]:
    """The strength of each hand with the board.

    Args:
        hands: The hole cards of each seat.
        board: The complete board.

    Returns:
        Numbers that compare as the hands do, the higher the better.
    """
    rows = [[*hand, *board] for hand in hands]
    if len(rows[0]) < _FIVE:
        return tuple(map(small_hand_value, rows))
    from equilibrist.poker.cards.evaluator import hand_strengths

    return tuple(hand_strengths(np.array(rows)).tolist())


def small_hand_value(cards: Sequence[int]) -> int:
    """The value of one to four cards: a digit for each rank, the most frequent first."""
    ranks = [card >> 2 for card in cards]
    value = 0
    for count, rank in sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True):
        value = value * 64 + count * 13 + rank
    return value << 6 * (4 - len(set(ranks)))
