"""Boards as sets of cards up to a renaming of the suits, and the map of any board to its set.

A canonical board is the highest image of a set of public cards under permutations of the suits, as
a canonical flop is: of its four suits, the one whose ranks make the highest binary number is
spades, the next hearts, then diamonds, then clubs. The order of the streets is forgotten: the turn
board `QsJh2h 3c` is the same as `QsJh3c 2h`. In the full deck there are 1,755 sets of three cards,
16,432 of four and 134,459 of five.

Hand h on a board plays as hand `COMBO_IMAGES[place.permutation, h]` on the canonical one.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.isomorphism import SUIT_PERMUTATIONS
from equilibrist.typing import Int32Array, UInt8Array, UInt64Array

_NUM_RANKS: Final = len(RANKS)
_PERMUTATION: Final[Int32Array] = np.full(256, -1, np.int32)
"""The index in SUIT_PERMUTATIONS of the images of the suits c, d, h, s, in base 4."""
_PERMUTATION[SUIT_PERMUTATIONS @ np.array([64, 16, 4, 1])] = np.arange(len(SUIT_PERMUTATIONS))


class CanonicalBoards(NamedTuple):
    """All canonical boards of a number of cards, B of them, in ascending order of their keys."""

    cards: UInt8Array
    """uint8[B, size]: the cards of each board, the highest first."""
    copies: Int32Array
    """int32[B]: how many sets of cards each stands for; their sum is that of all sets."""
    keys: UInt64Array
    """uint64[B]: the ranks of spades, hearts, diamonds and clubs, 13 bits each."""


class BoardPlaces(NamedTuple):
    """Where boards stand among the canonical ones."""

    board: Int32Array
    """int32[n]: the index of each among the canonical boards."""
    permutation: Int32Array
    """int32[n]: the index in SUIT_PERMUTATIONS that maps each to its canonical board."""


@cache
def canonical_boards(size: int, lowest_rank: int = 0) -> CanonicalBoards:
    """The canonical boards of a number of cards.

    Args:
        size: Cards on the board, 1 to 5.
        lowest_rank: The lowest rank in the deck, 0 for a deck of 52 cards, 8 for the 20 cards from
            ten to ace.

    Returns:
        The boards with their multiplicities; the arrays are read-only.

    Raises:
        ConfigError: An argument is out of range.
    """
    whole_number("size", size, 1, 5)
    whole_number("lowest_rank", lowest_rank, 0, _NUM_RANKS - 2)
    by_count = _rank_sets(size, lowest_rank)
    rank_columns = []
    for counts in product(range(size + 1), repeat=4):
        if sum(counts) == size:
            axes = np.ix_(*(by_count[count] for count in counts))
            falling = (axes[0] >= axes[1]) & (axes[1] >= axes[2]) & (axes[2] >= axes[3])
            rank_columns.append(
                np.stack([by_count[c][k] for c, k in zip(counts, falling.nonzero(), strict=True)])
            )
    ranks = np.concatenate(rank_columns, axis=1)  # of spades, hearts, diamonds, clubs
    keys = _joined(ranks)
    order = np.argsort(keys)
    keys, ranks = keys[order], ranks[:, order]
    same = ranks[1:] == ranks[:-1]
    runs = same.sum(axis=0)
    # 24 over the number of permutations that fix the board: of suits with the same ranks.
    fixing = np.where(
        runs == 3, 24, np.where(runs == 2, np.where(same[1], 6, 4), np.where(runs == 1, 2, 1))
    )
    boards = CanonicalBoards(_cards(ranks, size), (24 // fixing).astype(np.int32), keys)
    for array in boards:
        array.flags.writeable = False
    return boards


def board_places(cards: NDArray[np.integer], lowest_rank: int = 0) -> BoardPlaces:
    """Where boards stand among the canonical boards of their size.

    Args:
        cards: Card numbers, [n, size], a board per row in any order; distinct cards of the deck.
        lowest_rank: The lowest rank in the deck, as for `canonical_boards`.

    Returns:
        The index of each board, and the permutation of the suits that maps it there.
    """
    rows = np.asarray(cards)
    count, size = rows.shape
    ranks = np.zeros((4, count), np.uint64)  # by the suits c, d, h, s
    for k in range(size):
        bits = np.uint64(1) << (rows[:, k] >> 2).astype(np.uint64)
        suits = rows[:, k] & 3
        for suit in range(4):
            ranks[suit] |= np.where(suits == suit, bits, np.uint64(0))
    # Canonical: the set of ranks with the largest number goes to spades, the next one to hearts.
    rising = np.argsort(ranks, axis=0, kind="stable")
    keys = _joined(np.take_along_axis(ranks, rising, axis=0)[::-1])
    image = np.argsort(rising, axis=0)
    canonical_keys = canonical_boards(size, lowest_rank).keys
    return BoardPlaces(
        np.searchsorted(canonical_keys, keys).astype(np.int32),
        _PERMUTATION[np.array([64, 16, 4, 1]) @ image],
    )


def number_of_boards(size: int, lowest_rank: int = 0) -> int:
    """The number of sets of `size` cards out of the deck, each counted."""
    return comb(4 * (_NUM_RANKS - lowest_rank), size)


def _rank_sets(most: int, lowest_rank: int) -> list[UInt64Array]:
    """The sets of ranks with 0, 1 ... `most` members, as ascending binary numbers."""
    every = np.arange(1 << (_NUM_RANKS - lowest_rank), dtype=np.uint64) << np.uint64(lowest_rank)
    members = np.sum([every >> np.uint64(k) & np.uint64(1) for k in range(_NUM_RANKS)], axis=0)
    return [every[members == count] for count in range(most + 1)]


def _joined(ranks: UInt64Array) -> UInt64Array:
    keys = np.zeros(ranks.shape[1], np.uint64)
    for row in ranks:
        keys = keys << np.uint64(_NUM_RANKS) | row
    return keys


def _cards(ranks: UInt64Array, size: int) -> UInt8Array:
    """The cards of boards from the ranks of spades, hearts, diamonds and clubs."""
    cards = np.zeros((ranks.shape[1], size), np.uint8)
    filled = np.zeros(ranks.shape[1], np.int64)
    for rank in range(_NUM_RANKS - 1, -1, -1):
        for row, suit in enumerate((3, 2, 1, 0)):
            has = np.flatnonzero(ranks[row] >> np.uint64(rank) & np.uint64(1))
            cards[has, filled[has]] = 4 * rank + suit
            filled[has] += 1
    return cards
