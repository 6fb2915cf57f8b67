"""Strengths of poker hands, by table lookup with a sum of card numbers.

See `kernels.poker.strength_tables` for the tables.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.strength_tables import (
    ALL_RANKS,
    FIRST_FLUSH,
    FLUSHES,
    NO_CARD_BIT,
    RANKS,
    ROW_BITS,
    SUIT_BITS,
    SUIT_WIDTH,
    SUITS_BEGIN,
)

_ONE = np.uint64(1)


@inner_kernel
def flush_ranks(total, suit_bits):
    """The ranks of the suit that has a flush, from the sums of a hand's numbers and suit bits."""
    suit = np.uint64(0)
    while not (total >> (FIRST_FLUSH + SUIT_BITS * suit)) & _ONE:
        suit += _ONE
    return np.uintp((suit_bits >> (SUIT_WIDTH * suit)) & ALL_RANKS)


@inner_kernel
def rank_place(total, offset):
    """The table index of a hand without a flush, from the sum of its cards' numbers."""
    key = np.uintp(total & RANKS)
    return np.uintp(np.int64(key) + offset[key >> ROW_BITS])


@inner_kernel
def checked_strengths(tables, cards, size, out):
    """Strengths of hands of `size` cards: a constant, so that the loops are unrolled."""
    card, offset, rank_strength = tables.card, tables.offset, tables.rank_strength
    for i in range(cards.shape[0]):
        total, added, seen = SUITS_BEGIN, np.uint64(0), np.uint64(0)
        for k in range(size):
            number = cards[i, k]
            total += card[np.uintp(number)]
            bit = _ONE << np.uint64(number & np.uint8(63))
            added += bit  # not `seen` if a bit comes twice
            seen |= bit
        if (added ^ seen) | (total >> NO_CARD_BIT):
            return i
        if total & FLUSHES:
            suit_bits = np.uint64(0)
            for k in range(size):
                suit_bits += tables.suit_bit[np.uintp(cards[i, k])]
            out[i] = tables.flush_strength[flush_ranks(total, suit_bits)]
        else:
            out[i] = rank_strength[rank_place(total, offset)]
    return -1


@kernel
def strengths(tables, cards, out):
    """Write the strengths of hands, uint8[n, 5], [n, 6] or [n, 7], to out, uint16[n].

    Stops at a hand with a repeated or invalid card and returns its index; otherwise returns -1.
    """
    if cards.shape[1] == 7:
        return checked_strengths(tables, cards, 7, out)
    if cards.shape[1] == 6:
        return checked_strengths(tables, cards, 6, out)
    return checked_strengths(tables, cards, 5, out)


@inner_kernel
def combo_strengths(tables, board, first, second, out):
    """Write all combos' strengths on a board, 0 where they share a card, to out, uint16[1326]."""
    card, suit_bit, offset, rank_strength, flush_strength = tables
    total = SUITS_BEGIN
    suit_bits = np.uint64(0)
    taken = np.uint64(0)
    for k in range(board.shape[0]):
        total += card[board[k]]
        suit_bits += suit_bit[board[k]]
        taken |= _ONE << np.uint64(board[k])
    for h in range(out.shape[0]):
        a, b = np.uintp(first[h]), np.uintp(second[h])
        if (taken >> np.uint64(a) | taken >> np.uint64(b)) & _ONE:
            out[h] = 0
        else:
            whole = total + card[a] + card[b]
            if whole & FLUSHES:
                ranks = flush_ranks(whole, suit_bits + suit_bit[a] + suit_bit[b])
                out[h] = flush_strength[ranks]
            else:
                out[h] = rank_strength[rank_place(whole, offset)]
