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
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.equities.pair_weights import Bunching, products
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt64Array

DRAWS: Final = 96_000
"""Draws of folded hands, images included."""
PARTS: Final = 10
"""Parts of the draws, by which their error is measured."""
_SEED: Final = 20_240_917
_TRIES: Final = 2_000_000
"""Draws of hands that may share a card, before it is given up."""
_AT_ONCE: Final = 1 << 16


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
        if len(oop) * len(ip) == 1:  # as of the cards that may come in a played hand
            mask = COMBO_MASKS[oop[0]] | COMBO_MASKS[ip[0]]
            meets = COMBO_MASKS[oop[0]] & COMBO_MASKS[ip[0]] == 0
            left = self._masks & (np.uint64(card_mask(board)) | mask) == 0
            share = np.count_nonzero(left) / max(self._masks.size, 1)
            return np.array([[share if meets else 0.0]])
        from equilibrist.kernels.poker.drawn_folds import Held, count_held, count_left

        held = Held(*(np.zeros(comb(NUM_CARDS, cards), np.int32) for cards in range(1, 5)))
        taken = np.zeros(NUM_CARDS, np.bool_)
        taken[list(board)] = True
        hands = [
            np.stack([FIRST_CARD[combos], SECOND_CARD[combos]], axis=1).astype(np.int64)
            for combos in (oop, ip)
        ]
        counts = np.empty((len(oop), len(ip)), np.int64)
        count_left(hands[0], hands[1], held, count_held(self._sets, taken, held), counts)
        return counts / max(self._masks.size, 1)

    def meeting(self, board: Sequence[int], weights: Sequence[FloatArray]) -> float:
        """The weight of all pairs of hands of two players, as `Bunching.meeting`.

        Draw by draw by inclusion and exclusion of cards, for which nothing is compiled.

        Args:
            board: Its cards, which block none of the hands.
            weights: float64[1326] of each player.
        """
        tables = np.zeros((3, NUM_CARDS, NUM_CARDS))  # the last: of both, which share both cards
        for table, held in zip(tables, (*weights, weights[0] * weights[1]), strict=True):
            table[FIRST_CARD, SECOND_CARD] = table[SECOND_CARD, FIRST_CARD] = held
        sums = tables.sum(axis=2)
        left = self._sets[(self._masks.ravel() & card_mask(board)) == 0]
        met = 0.0
        for begin in range(0, len(left), _AT_ONCE >> 4):
            some = left[begin : begin + (_AT_ONCE >> 4)]
            gone = np.zeros((len(some), NUM_CARDS))
            np.put_along_axis(gone, some.astype(np.int64), 1.0, axis=1)
            beside = [
                products(gone, table) for table in tables
            ]  # of each card, with a card of the draw
            own, other, both = (
                0.5 * total.sum() - gone @ total + 0.5 * (gone * part).sum(axis=1)
                for total, part in zip(sums, beside, strict=True)
            )
            shared = (1.0 - gone) * (sums[0] - beside[0]) * (sums[1] - beside[1])
            met += float((own * other + both).sum() - shared.sum())
        return met / max(self._masks.size, 1)

    @cached_property
    def _sets(self) -> NDArray[np.uint8]:
        """uint8[draws, cards]: the cards of each draw, in ascending order."""
        cards = np.arange(NUM_CARDS, dtype=np.uint64)
        is_held = (self._masks.reshape(-1, 1) >> cards & np.uint64(1)).astype(np.bool_)
        return np.nonzero(is_held)[1].astype(np.uint8).reshape(-1, self.cards)


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
