"""What hands are on a board, in the words of players: top pair, flush draw, ace high.

A made hand is what a player's own cards add to the board. A pair, a straight or a flush that lies
on the board alone is nobody's, and on a board with a pair a hand such as AK on QQK is top pair, not
two pair. Draws need a further card, so there are none on the river.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD, without_cards
from equilibrist.poker.cards.decks import FULL_DECK, Deck, Ranking
from equilibrist.poker.cards.evaluator import combo_strengths, hand_strength
from equilibrist.poker.cards.evaluator_tables import weakest_of_categories
from equilibrist.typing import BoolArray, Int8Array

MADE_HANDS: Final = (
    "straight flush", "four of a kind", "full house", "flush", "straight", "set", "trips",
    "two pair", "overpair", "top pair", "underpair", "second pair", "low pair", "ace high",
    "king high", "nothing",
)  # fmt: skip
"""Made hands from the strongest: an underpair is a pair in the hand below the top card of the
board, a low pair pairs its third card or a lower one."""
DRAWS: Final = (
    "combo draw", "flush draw", "open-ended", "gutshot", "backdoor flush draw", "no draw"
)  # fmt: skip
"""Draws, the first that applies: a combo draw is a flush draw with a straight draw, open-ended are
all draws to a straight that two ranks complete."""
_KIND: Final = {name: number for number, name in enumerate(MADE_HANDS)}
_DRAW: Final = {name: number for number, name in enumerate(DRAWS)}
_REMEMBERED: Final = 64
_FROM_FIVE: Final = ("straight flush", "four of a kind", "full house", "flush", "straight")
"""Categories of five cards that are made hands as they are."""


class HandKinds(NamedTuple):
    """The made hand and the draw of each combo on a board.

    Attributes:
        made: int8[1326], an index of `MADE_HANDS`; -1 for combos that the board blocks.
        draw: int8[1326], an index of `DRAWS`; -1 for combos that the board blocks.
    """

    made: Int8Array
    draw: Int8Array


@lru_cache(_REMEMBERED)
def hand_kinds(board: tuple[int, ...], deck: Deck = FULL_DECK) -> HandKinds:
    """Classify each combo on a board by made hand and draw.

    Made hands have one order, whatever the ranking.

    Args:
        board: Three to five cards by number.
        deck: The deck, with its ranking.

    Returns:
        The made hands and the draws, read-only.

    Raises:
        ConfigError: The board has other numbers of cards, or a card twice.
    """
    strengths = combo_strengths(board, deck)
    made_hand = _made(board, strengths, deck)
    blocked = ~without_cards(card_mask((*deck.absent, *board)))
    draw = _draws(board, made_hand, deck.ranking)
    made_hand[blocked] = draw[blocked] = -1
    made_hand.flags.writeable = draw.flags.writeable = False
    return HandKinds(made_hand, draw)


def _made(board: tuple[int, ...], strengths: NDArray[np.uint16], deck: Deck) -> Int8Array:
    """int8[1326]: the made hands; anything where the board blocks."""
    category = np.searchsorted(weakest_of_categories(deck.ranking), strengths, side="right") - 1
    counts = np.bincount(np.array(board) // 4, minlength=13)
    made_hand = _of_pairs(counts)
    for name in _FROM_FIVE:
        made_hand[category == deck.ranking.categories.index(name)] = _KIND[name]
    high = _high_cards()
    if counts.max() == 4:  # four of a kind on the board: the fifth card decides
        made_hand = np.where(made_hand == _KIND["straight flush"], made_hand, high)
    if len(board) == 5:
        made_hand = np.where(strengths == hand_strength(board, deck), high, made_hand)
    return made_hand.astype(np.int8)


def _of_pairs(counts: NDArray[np.integer]) -> Int8Array:
    """int8[1326]: sets, trips, pairs and high cards, for the counts of the board's ranks."""
    high, low = SECOND_CARD // 4, FIRST_CARD // 4
    on_board = np.flatnonzero(counts)[::-1]
    place = np.full(13, -1)
    place[on_board] = np.minimum(np.arange(len(on_board)), 2)
    own = np.array([_KIND["top pair"], _KIND["second pair"], _KIND["low pair"], _KIND["nothing"]])
    by_high, by_low = own[place[high]], own[place[low]]
    made_hand = np.minimum(np.minimum(by_high, by_low), _high_cards())
    both = (counts[high] == 1) & (counts[low] == 1)
    made_hand[both] = _KIND["two pair"]
    made_hand[(counts[high] == 2) | (counts[low] == 2)] = _KIND["trips"]
    in_hand = high == low
    over = np.where(high > on_board[0], _KIND["overpair"], _KIND["underpair"])
    made_hand = np.where(in_hand, np.where(counts[high] == 1, _KIND["set"], over), made_hand)
    return made_hand.astype(np.int8)


def _high_cards() -> Int8Array:
    high = SECOND_CARD // 4
    king = np.where(high == 11, _KIND["king high"], _KIND["nothing"])
    return np.where(high == 12, _KIND["ace high"], king).astype(np.int8)


def _draws(board: tuple[int, ...], made_hand: Int8Array, ranking: Ranking) -> Int8Array:
    """int8[1326]: the draws; anything where the board blocks."""
    none = np.full(NUM_COMBOS, _DRAW["no draw"], np.int8)
    if len(board) == 5:
        return none
    suits = np.bincount(np.array(board) % 4, minlength=4)
    first, second = FIRST_CARD % 4, SECOND_CARD % 4
    held = suits[:, None] + (first == np.arange(4)[:, None]) + (second == np.arange(4)[:, None])
    own = held - suits[:, None] > 0
    below = made_hand > _KIND["flush"]
    flush = below & (own & (held == 4)).any(axis=0)
    backdoor = below & (own & (held == 3)).any(axis=0) & (len(board) == 3)
    outs = np.where(made_hand > _KIND["straight"], _straight_outs(board, ranking), 0)
    draw = np.select(
        [flush & (outs > 0), flush, outs > 1, outs == 1, backdoor],
        [_DRAW[name] for name in DRAWS[:-1]],
        _DRAW["no draw"],
    )
    return draw.astype(np.int8)


def _straight_outs(board: tuple[int, ...], ranking: Ranking) -> NDArray[np.integer]:
    """int[1326]: how many ranks would complete a straight that the board alone has not then."""
    on_board = np.bitwise_or.reduce(1 << (np.array(board) // 4))
    held = on_board | 1 << (FIRST_CARD // 4) | 1 << (SECOND_CARD // 4)
    outs = np.zeros(NUM_COMBOS, np.int64)
    for rank in range(ranking.lowest_rank, 13):
        missing = held & 1 << rank == 0
        completes = _has_straight(held | 1 << rank, ranking)
        completes &= ~_has_straight(on_board | 1 << rank, ranking)
        outs += missing & completes
    return outs


def _has_straight(ranks: NDArray[np.integer], ranking: Ranking) -> BoolArray:
    ranks = ranks >> ranking.lowest_rank
    aces = 12 - ranking.lowest_rank
    wheel = (ranks << 1) | (ranks >> aces & 1)  # the ace is below the lowest rank as well
    straights = range(aces - 2)
    has_straight: BoolArray = np.any([(wheel >> low & 31) == 31 for low in straights], axis=0)
    return has_straight
