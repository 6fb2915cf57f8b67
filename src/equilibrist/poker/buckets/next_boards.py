"""The boards that follow canonical boards, as places among the canonical boards of a later street.

Hand h on a board plays on the next one as `COMBO_IMAGES[permutation, h]`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.cards.canonical_boards import board_places, canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES, SUIT_PERMUTATIONS
from equilibrist.typing import Int32Array, Int64Array, UInt8Array, UInt16Array

HAND_IMAGES: Final[UInt16Array] = COMBO_IMAGES.astype(np.uint16)
"""uint16[24, 1326]: the image of each hand."""
CARD_IMAGES_U8: Final[UInt8Array] = CARD_IMAGES.astype(np.uint8)
"""uint8[24, 52]: the image of each card."""


def _composed() -> UInt8Array:
    """uint8[24, 24]: the permutation that is the first and then the second."""
    both = SUIT_PERMUTATIONS[:, SUIT_PERMUTATIONS]  # [second, first, suit]
    same = (both[:, :, None] == SUIT_PERMUTATIONS).all(axis=3)
    composition: UInt8Array = same.argmax(axis=2).T.astype(np.uint8)
    return composition


_COMPOSED: Final = _composed()


class NextBoards(NamedTuple):
    """What each card makes of each canonical board of some size."""

    board: Int32Array
    """int32[B, 52]: its place among the boards of one more card; -1 where it cannot be dealt."""
    permutation: UInt8Array
    """uint8[B, 52]: the index in SUIT_PERMUTATIONS that leads there."""


class Runouts(NamedTuple):
    """Boards of a later street that follow some boards."""

    places: Int32Array
    """int32[R]: the place of each among the canonical boards."""
    permutations: UInt8Array
    """uint8[R]: the permutation of suits that leads there."""
    runs: Int64Array
    """int64[B + 1]: where the runouts of each board begin."""


@cache
def next_boards(size: int, lowest_rank: int = 0) -> NextBoards:
    """Find the canonical board that each next card makes of those of `size` cards, 3 or 4."""
    boards = canonical_boards(size, lowest_rank).cards
    board = np.full((len(boards), NUM_CARDS), -1, np.int32)
    permutation = np.zeros((len(boards), NUM_CARDS), np.uint8)
    for card in range(4 * lowest_rank, NUM_CARDS):
        free = np.flatnonzero((boards != card).all(axis=1))
        added = np.full((len(free), 1), card, np.uint8)
        places = board_places(np.hstack([boards[free], added]), lowest_rank)
        board[free, card], permutation[free, card] = places
    board.flags.writeable = permutation.flags.writeable = False
    return NextBoards(board, permutation)


def next_street(size: int, lowest_rank: int, begin: int, end: int) -> Runouts:
    """The boards of one more card that follow the boards of `size` cards from begin to end."""
    board, permutation = next_boards(size, lowest_rank)
    rows, cards = np.nonzero(board[begin:end] >= 0)
    runs = np.searchsorted(rows, np.arange(end - begin + 1))
    return Runouts(
        board[begin:end][rows, cards], permutation[begin:end][rows, cards], runs.astype(np.int64)
    )


def rivers(size: int, lowest_rank: int, begin: int, end: int) -> Runouts:
    """The boards of five cards that follow the boards of `size` cards, 3 or 4, as sets."""
    if size == 4:
        return next_street(4, lowest_rank, begin, end)
    flop_next, turn_next = next_boards(3, lowest_rank), next_boards(4, lowest_rank)
    low, high = np.triu_indices(NUM_CARDS, 1)
    turns = flop_next.board[begin:end][:, low]
    rows, pairs = np.nonzero((turns >= 0) & (flop_next.board[begin:end][:, high] >= 0))
    turn = turns[rows, pairs]
    first = flop_next.permutation[begin:end][rows, low[pairs]]
    river_card = CARD_IMAGES[first, high[pairs]]
    second = turn_next.permutation[turn, river_card]
    runs = np.searchsorted(rows, np.arange(end - begin + 1))
    return Runouts(
        turn_next.board[turn, river_card], _COMPOSED[first, second], runs.astype(np.int64)
    )
