"""Strengths of poker hands, by table lookup with a sum of card numbers.

The number of a card has the key of its rank in the low 32 bits and a one in the four bits of its
suit above. Keys are such that sums tell all sets of ranks apart; suits begin at three, so that the
highest of the four bits is set from five cards on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.typing import Int32Array, UInt16Array, UInt64Array

NO_CARD = np.uint64(1 << 56)
"""The number of an invalid card; a sum of seven numbers shows whether it is among them."""
ROW_BITS = np.uintp(10)
"""Sums that differ in these low bits only are a row, and have one offset."""
SUITS_BEGIN = np.uint64(0x3333 << 32)
FLUSHES = np.uint64(0x8888 << 32)
_RANKS = np.uint64(0xFFFFFFFF)
_FIRST_FLUSH, _SUIT_BITS, _ONE = np.uint64(35), np.uint64(4), np.uint64(1)
_NO_CARD_BIT = np.uint64(56)
_SUIT_WIDTH, _ALL_RANKS = np.uint64(13), np.uint64(0x1FFF)


class StrengthTables(NamedTuple):
    """For hands of one number of cards; a strength is 1 to 7,462, the higher the better."""

    card: UInt64Array  # [256]: the number of each card, then NO_CARD
    suit_bit: UInt64Array  # [52]: bit 13 * suit + rank of each card
    offset: Int32Array  # [rows]: add a sum to that of its row to find its place in `rank_strength`
    rank_strength: UInt16Array  # [places]: of hands without a flush
    flush_strength: UInt16Array  # [8192]: of five or more cards of a suit, by the set of ranks


@inner_kernel
def flush_ranks(total, suit_bits):
    """The ranks of the suit that has a flush, from the sums of a hand's numbers and suit bits."""
    suit = np.uint64(0)
    while not (total >> (_FIRST_FLUSH + _SUIT_BITS * suit)) & _ONE:
        suit += _ONE
    return np.uintp((suit_bits >> (_SUIT_WIDTH * suit)) & _ALL_RANKS)


@inner_kernel
def rank_place(total, offset):
    """The table index of a hand without a flush, from the sum of its cards' numbers."""
    key = np.uintp(total & _RANKS)
    return np.uintp(np.int64(key) + offset[key >> ROW_BITS])


@inner_kernel
def checked_strengths(tables, cards, size, out):
    """As `strengths`, for hands of `size` cards: a constant, so that the loops are unrolled."""
    card, offset, rank_strength = tables.card, tables.offset, tables.rank_strength
    for i in range(cards.shape[0]):
        total, added, seen = SUITS_BEGIN, np.uint64(0), np.uint64(0)
        for k in range(size):
            number = cards[i, k]
            total += card[np.uintp(number)]
            bit = _ONE << np.uint64(number & np.uint8(63))
            added += bit  # not `seen` if a bit comes twice
            seen |= bit
        if (added ^ seen) | (total >> _NO_CARD_BIT):
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


@kernel
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


@kernel
def pack_rows(row_start, order, low, offset, used):
    """Lay rows over each other so that no two entries meet; returns the places taken.

    Row r has entries at low[row_start[r]:row_start[r + 1]], ascending. In the given order each is
    moved to the first place where it fits (R. E. Tarjan and A. C. Yao, Storing a sparse table, CACM
    1979). Writes offset[r]; `used`, bool, must be long enough and false.
    """
    end = 0
    size, first = 0, 0
    for r in order:
        begin, stop = row_start[r], row_start[r + 1]
        if begin == stop:
            continue
        if stop - begin != size:  # where the last one of this size stands others will hardly fit
            size, first = stop - begin, 0
        place = first - low[begin]
        k = begin
        while k < stop:
            if used[np.uintp(place + low[k])]:
                place += 1
                k = begin
            else:
                k += 1
        for k in range(begin, stop):
            used[place + low[k]] = True
        first = place + low[begin] + 1
        offset[r] = place
        end = max(end, place + low[stop - 1] + 1)
    return end
