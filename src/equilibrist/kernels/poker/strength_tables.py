"""The tables of hand strengths, and the numbers that kernels and NumPy read them with.

The number of a card has the key of its rank in the low 32 bits and a one in the four bits of its
suit above. Keys are such that sums tell all sets of ranks apart; suits begin at three, so that the
highest of the four bits is set from five cards on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.typing import FloatArray, Int32Array, UInt16Array, UInt64Array

NO_CARD = np.uint64(1 << 56)
"""The number of an invalid card; a sum of seven numbers shows whether it is among them."""
NO_CARD_BIT = np.uint64(56)
ROW_BITS = np.uintp(10)
"""Sums that differ in these low bits only are a row, and have one offset."""
RANKS = np.uint64(0xFFFFFFFF)
"""The bits of the keys of ranks."""
SUITS_BEGIN = np.uint64(0x3333 << 32)
FLUSHES = np.uint64(0x8888 << 32)
FIRST_FLUSH, SUIT_BITS = np.uint64(35), np.uint64(4)
"""The bit that the first suit sets with five cards, and the distance to that of the next."""
SUIT_WIDTH, ALL_RANKS = np.uint64(13), np.uint64(0x1FFF)
"""The bits of the set of ranks of a suit."""


class StrengthTables(NamedTuple):
    """For hands of one number of cards; a strength is 1 to 7,462, the higher the better."""

    card: UInt64Array  # [256]: the number of each card, then NO_CARD
    suit_bit: UInt64Array  # [52]: bit 13 * suit + rank of each card
    offset: Int32Array  # [rows]: add a sum to that of its row to find its place in `rank_strength`
    rank_strength: UInt16Array  # [places]: of hands without a flush
    flush_strength: UInt16Array  # [8192]: of five or more cards of a suit, by the set of ranks


ALL = 52
"""The index of the sum over all cards, after those of the 52 cards."""


class Hands(NamedTuple):
    """The hands of both players, and their results on the boards so far."""

    first: UInt64Array  # [n]: the cards, as uintp
    second: UInt64Array  # [n]
    weight: FloatArray  # [2, n]: of the hand in each player's range
    won: FloatArray  # [2, n]: the weight that the hand beats, half of what it ties with
    met: FloatArray  # [2, n]: the weight of the other player's hands that it meets
