"""Strengths of poker hands of five, six or seven cards, by their best five cards.

A strength is a number from 1 (75432 of different suits) to 7,462 (a royal flush); hands of equal
strength split the pot. With the rankings of short-deck hold'em strengths go to 1,404. Two tables of
some 250 kB serve hands of seven cards; a hand costs nine loads, and a few more if it has a flush.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.strength_tables import (
    ALL_RANKS,
    FIRST_FLUSH,
    FLUSHES,
    RANKS,
    ROW_BITS,
    SUIT_BITS,
    SUIT_WIDTH,
    SUITS_BEGIN,
)
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.cards.cards import (
    NUM_CARDS,
    card_name,
    card_names,
    card_numbers,
    refuse_outside_deck,
)
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.decks import FULL_DECK, STANDARD, Deck, read_deck
from equilibrist.poker.cards.evaluator_tables import strength_tables, weakest_of_categories
from equilibrist.typing import UInt16Array

NUM_STRENGTHS: Final = 7462
NUM_SHORT_STRENGTHS: Final = 1404


def hand_strengths(
    cards: NDArray[np.integer],
    out: UInt16Array | None = None,
    *,
    deck: str | Deck = FULL_DECK,
) -> UInt16Array:
    """The strengths of many hands.

    Args:
        cards: Card numbers from 0 (2c) to 51 (As), [n, 5], [n, 6] or [n, 7], a hand per row.
            Contiguous uint8 arrays are read in place, others are copied.
        out: uint16[n], receives the result in place of a new array.
        deck: The deck, whose ranking counts: `short` for short-deck hold'em, `short-trips` where
            three of a kind beats a straight.

    Returns:
        uint16[n], from 1 (the weakest) to 7,462, of short decks to 1,404.

    Raises:
        ConfigError: `cards` or `out` has another shape or type, or a row is not a set of distinct
            cards of the deck; then `out` is partly written.
    """
    from equilibrist.kernels.poker.hand_strength import strengths

    hands, dealt = np.asarray(cards), read_deck(deck)
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7) or hands.dtype.kind not in "iu":
        raise ConfigError(
            f"hands are an array of {hands.dtype} with shape {hands.shape}",
            option="cards",
            given=hands.shape,
            remedy="give whole numbers, card numbers from 0 (2c) to 51 (As), in rows of 5, 6 or 7",
        )
    if out is None:
        out = np.empty(len(hands), dtype=np.uint16)
    elif not _takes_strengths(out, len(hands)):
        raise bad_argument("out", out, f"a writeable array uint16[{len(hands)}]")
    rows = np.ascontiguousarray(hands)
    if rows.dtype != np.uint8:
        rows = np.where((rows < 0) | (rows >= NUM_CARDS), NUM_CARDS, rows).astype(np.uint8)
    bad = strengths(strength_tables(hands.shape[1], dealt.ranking), rows, out)
    if bad < 0 and dealt.lowest_rank:
        low = np.flatnonzero((rows < 4 * dealt.lowest_rank).any(axis=1))
        bad = int(low[0]) if len(low) else bad
    if bad >= 0:
        raise ConfigError(
            f"the cards of hand {bad} are {hands[bad].tolist()}",
            option="cards",
            given=hands[bad].tolist(),
            place=f"hand {bad}",
            remedy=f"give distinct card numbers from {4 * dealt.lowest_rank} "
            f"({card_name(4 * dealt.lowest_rank)}) to 51 (As)",
        )
    return out


def _takes_strengths(out: object, hands: int) -> bool:
    return (
        isinstance(out, np.ndarray)
        and out.dtype == np.uint16
        and out.shape == (hands,)
        and out.flags.writeable
    )


def hand_strength(cards: Sequence[int], deck: str | Deck = FULL_DECK) -> int:
    """The strength of one hand.

    Args:
        cards: Five, six or seven distinct cards by number.
        deck: The deck, as for `hand_strengths`.

    Returns:
        1 (the weakest) to 7,462 (a royal flush), of short decks to 1,404.

    Raises:
        ConfigError: The cards are not such a hand.
    """
    return int(hand_strengths(np.array([card_numbers("cards", cards)]), deck=deck)[0])


def combo_strengths(board: Sequence[int], deck: str | Deck = FULL_DECK) -> UInt16Array:
    """The strength of each combo on a board.

    Args:
        board: Three to five cards by number.
        deck: The deck, as for `hand_strengths`.

    Returns:
        uint16[1326], 0 for combos that the board blocks or the deck lacks.

    Raises:
        ConfigError: The board has other numbers of cards, a card twice, or one that the deck lacks.
    """
    board, dealt = card_numbers("board", board), read_deck(deck)
    refuse_outside_deck("board", board, dealt.lowest_rank)
    if not 3 <= len(board) <= 5:
        raise ConfigError(
            f"the board is {card_names(board) or 'empty'}",
            option="board",
            given=card_names(board),
            remedy="give three to five distinct cards",
        )
    # In NumPy: compiling a kernel would cost the first run of a spot half a second.
    tables, cards = strength_tables(len(board) + 2, dealt.ranking), np.array(board)
    taken = np.zeros(NUM_CARDS, np.bool_)
    taken[: 4 * dealt.lowest_rank] = True
    taken[cards] = True
    free = np.flatnonzero(~(taken[FIRST_CARD] | taken[SECOND_CARD]))
    first, second = FIRST_CARD[free], SECOND_CARD[free]
    sums = SUITS_BEGIN + tables.card[cards].sum() + tables.card[first] + tables.card[second]
    keys = (sums & RANKS).astype(np.int64)
    strengths = tables.rank_strength[keys + tables.offset[keys >> int(ROW_BITS)]]
    flush = np.flatnonzero(sums & FLUSHES)
    if len(flush):
        held = tables.suit_bit[cards].sum()
        held = held + tables.suit_bit[first[flush]] + tables.suit_bit[second[flush]]
        for suit in np.arange(4, dtype=np.uint64):
            has = (sums[flush] >> (FIRST_FLUSH + SUIT_BITS * suit)) & np.uint64(1) != 0
            ranks = (held[has] >> (SUIT_WIDTH * suit)) & ALL_RANKS
            strengths[flush[has]] = tables.flush_strength[ranks.astype(np.intp)]
    by_combo = np.zeros(NUM_COMBOS, np.uint16)
    by_combo[free] = strengths
    return by_combo


def category(strength: int, deck: str | Deck = FULL_DECK) -> str:
    """The category of a strength.

    Args:
        strength: 1 to 7,462, of short decks to 1,404.
        deck: The deck, as for `hand_strengths`.

    Returns:
        `high card`, `pair` ... `straight flush`.

    Raises:
        ConfigError: The number is outside that range.
    """
    ranking = read_deck(deck).ranking
    most = NUM_STRENGTHS if ranking == STANDARD else NUM_SHORT_STRENGTHS
    whole_number("strength", strength, 1, most)
    return ranking.categories[bisect_right(weakest_of_categories(ranking), strength) - 1]
