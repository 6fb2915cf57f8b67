"""The weights of pairs of hands behind three or more folded ranges, of which hands are drawn.

Counting all hands of three players takes too long to be done for every pair of hands and board. So
the hands of all folded players are drawn once, some thousand times, before any board is known; then
whatever shares a card with a board or a pair of hands is left out. What is solved is thus a game in
which the folded players hold one of these draws, the same on each board and in each subgame. A draw
is followed by its images under the suit permutations that leave all folded ranges as they are, so
that suits remain alike where they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.typing import BoolArray, FloatArray, Int32Array, Int64Array, UInt64Array

DRAWS: Final = 96_000
"""Draws of folded hands, images included."""
PARTS: Final = 10
"""Parts of the draws, by which their error is measured."""
_SEED: Final = 20_240_917
_TRIES: Final = 2_000_000
"""Draws of hands that may share a card, before it is given up."""
_AT_ONCE: Final = 1 << 16
_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1)
"""Bits that are set in each byte."""


class DrawnBunching(Bunching):
    """What drawn hands of folded players leave to pairs of hands."""

    def __init__(self, folded: FloatArray, board: Sequence[int]) -> None:
        """Draw the hands.

        Args:
            folded: float64[k, 1326], the weights of the ranges; none is empty.
            board: The first board.
        """
        self.cards = 2 * len(folded)
        self._masks = _drawn(folded)
        self.total = float(np.mean(self._masks & card_mask(board) == 0)) if self._masks.size else 0

    def part(self, number: int) -> DrawnBunching:
        """The bunching by one of `PARTS` parts of the draws alone.

        Args:
            number: Its number, from 0.
        """
        part = object.__new__(DrawnBunching)
        part.cards, part.total, part._masks = self.cards, self.total, self._masks[number::PARTS]
        return part

    def pairs(
        self, board: Sequence[int], oop: Int32Array | Int64Array, ip: Int32Array | Int64Array
    ) -> FloatArray:
        """The weights of all pairs of two players' hands on a board, as `Bunching.pairs`.

        Args:
            board: Its cards, the first board among them.
            oop: int[n], combos that it does not block.
            ip: int[m], combos that it does not block.

        Returns:
            float64[n, m]: the share of all draws that each pair leaves together with the board; 0
            where the two hands share a card.
        """
        left = self._masks[self._masks & card_mask(board) == 0]
        if len(oop) * len(ip) == 1:  # as of the cards that may come in a played hand
            mask = COMBO_MASKS[oop[0]] | COMBO_MASKS[ip[0]]
            meets = COMBO_MASKS[oop[0]] & COMBO_MASKS[ip[0]] == 0
            share = np.count_nonzero(left & mask == 0) / max(self._masks.size, 1)
            return np.array([[share if meets else 0.0]])
        cards = np.arange(NUM_CARDS, dtype=np.uint64)[:, None]
        holding = _packed((left >> cards & np.uint64(1)).astype(np.bool_))
        every = _packed(np.ones((1, len(left)), np.bool_))
        own, other = (
            every & ~(holding[FIRST_CARD[combos]] | holding[SECOND_CARD[combos]])
            for combos in (oop, ip)
        )
        counts = np.zeros((len(oop), len(ip)))
        for row, draws in zip(counts, own, strict=True):
            row[:] = _count_bits(draws & other).sum(axis=1, dtype=np.uint32)
        meet = (COMBO_MASKS[oop][:, None] & COMBO_MASKS[ip]) == 0
        return np.where(meet, counts / max(self._masks.size, 1), 0.0)


def _drawn(folded: FloatArray) -> UInt64Array:
    """uint64[draws, images]: the cards of folded hands; none where they can hardly be held."""
    alike = [images for images in COMBO_IMAGES if np.array_equal(folded[:, images], folded)]
    wanted = -(-DRAWS // len(alike))
    bounds = folded.cumsum(axis=1)
    stream = np.random.PCG64(_SEED)
    draws: list[Int64Array] = []
    for _ in range(_TRIES // _AT_ONCE):
        raw = stream.random_raw(_AT_ONCE * len(folded)).reshape(len(folded), -1)
        uniform = (raw >> np.uint64(11)) * 2.0**-53
        combos = np.array(
            [
                np.searchsorted(own, numbers * own[-1], "right")
                for own, numbers in zip(bounds, uniform, strict=True)
            ]
        )
        masks = COMBO_MASKS[combos]
        apart = masks.sum(axis=0) == np.bitwise_or.reduce(masks, axis=0)  # no card twice
        draws.append(combos[:, apart])
        if sum(some.shape[1] for some in draws) >= wanted:
            break
    chosen = np.concatenate(draws, axis=1)[:, :wanted]
    if chosen.shape[1] < wanted:
        return np.empty((0, 1), np.uint64)
    of_images = [np.bitwise_or.reduce(COMBO_MASKS[images[chosen]], axis=0) for images in alike]
    return np.stack(of_images, axis=1)


def _packed(rows: BoolArray) -> UInt64Array:
    """uint64[n, words]: the bits of bool[n, draws], and zeros behind them."""
    count, draws = rows.shape
    filled = np.zeros((count, max(-(-draws // 64), 1) * 64), np.bool_)
    filled[:, :draws] = rows
    return np.packbits(filled, axis=1).view(np.uint64)


def _count_bits(words: UInt64Array) -> NDArray[np.integer[Any]]:
    """How many bits are set in each word of a row, in pieces whose sum is that of the word."""
    if hasattr(np, "bitwise_count"):  # NumPy 2
        return np.bitwise_count(words)
    return np.asarray(_BITS[words.view(np.uint8)])
