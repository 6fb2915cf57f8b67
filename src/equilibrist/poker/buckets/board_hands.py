"""The hands on canonical boards: one of each orbit under the symmetries of the board."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.buckets.hand_orbits import orbits
from equilibrist.kernels.buckets.river_equities import DeckHands
from equilibrist.poker.buckets.next_boards import CARD_IMAGES_U8, HAND_IMAGES
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.typing import Int64Array, UInt8Array, UInt16Array

NO_HAND: Final = 65535
"""In rows of hands: the hand shares a card with the board, or is not in the deck."""


class BoardHands(NamedTuple):
    """Hands on consecutive canonical boards."""

    boards: UInt8Array
    """uint8[B, size]: their cards."""
    lowest: UInt16Array
    """uint16[B, 1326]: the lowest hand of each hand's orbit; NO_HAND where it is not dealt."""
    wanted: UInt16Array
    """uint16[m]: hands, board by board; at first the lowest of each orbit."""
    starts: Int64Array
    """int64[B + 1]: where those of each board begin."""
    weight: Int64Array
    """int64[m]: how many pairs of a board and a hand each stands for."""


@cache
def deck_hands(lowest_rank: int = 0) -> DeckHands:
    """The hands of the deck from a rank upwards."""
    combos = np.flatnonzero(4 * lowest_rank <= FIRST_CARD)
    return DeckHands(
        FIRST_CARD[combos].astype(np.uintp),
        SECOND_CARD[combos].astype(np.uintp),
        combos.astype(np.uintp),
    )


def hands_on(size: int, lowest_rank: int = 0) -> int:
    """The hands on a board of `size` cards, each counted."""
    return comb(NUM_CARDS - 4 * lowest_rank - size, 2)


def board_hands(size: int, lowest_rank: int, begin: int, end: int) -> BoardHands:
    """One hand of each orbit on the canonical boards of `size` cards from begin to end."""
    canonical = canonical_boards(size, lowest_rank)
    boards = canonical.cards[begin:end]
    lowest = np.empty((len(boards), NUM_COMBOS), np.uint16)
    members = np.empty((len(boards), NUM_COMBOS), np.uint8)
    orbits(boards, deck_hands(lowest_rank), CARD_IMAGES_U8, HAND_IMAGES, lowest, members)
    rows, hands = np.nonzero(members)
    weight = members[rows, hands].astype(np.int64) * canonical.copies[begin:end][rows]
    starts = np.searchsorted(rows, np.arange(len(boards) + 1)).astype(np.int64)
    return BoardHands(boards, lowest, hands.astype(np.uint16), starts, weight)
