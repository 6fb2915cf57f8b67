"""The cards that external sampling draws: hole cards for every seat, and a board."""

from __future__ import annotations

from typing import Final

import numpy as np

from equilibrist.kernels.blueprint.external import Deals
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.canonical_boards import board_places
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.typing import UInt8Array

_DEALS: Final = 3
"""What the stream of random numbers is for; boards of batches have those below."""
_STREETS: Final = 4
_BOARD: Final = 5


class DealSequence:
    """Batches of deals by their numbers; a batch depends on its number, its size and the seed.

    Args:
        cards: The card buckets.
        seats: Seats at the table.
        streets: Streets with betting.
        seed: The seed.
    """

    def __init__(self, cards: CardBuckets, seats: int, streets: int, seed: int) -> None:
        self._cards, self._seats, self._streets, self._seed = cards, seats, streets, seed
        self._deck = np.arange(4 * cards.lowest_rank, NUM_CARDS, dtype=np.uint8)

    def deals(self, number: int, count: int) -> Deals:
        """A batch.

        Args:
            number: Its number.
            count: How many deals.

        Returns:
            The buckets of all seats by street, and their strengths on the river.
        """
        random = np.random.default_rng([self._seed, _DEALS, number])
        drawn = random.permuted(np.tile(self._deck, (count, 1)), axis=1)
        return self.looked_up(drawn[:, : _BOARD + 2 * self._seats])

    def looked_up(self, drawn: UInt8Array) -> Deals:
        """What deals are to the kernels.

        Args:
            drawn: uint8[B, 5 + 2 S]: the board, then the hole cards seat by seat.

        Returns:
            The buckets and strengths.
        """
        board, holes = drawn[:, :_BOARD], drawn[:, _BOARD:].reshape(len(drawn), self._seats, 2)
        combo = COMBO_INDEX[holes.min(axis=2), holes.max(axis=2)]
        bucket = np.zeros((len(drawn), self._seats, _STREETS), np.int32)
        bucket[:, :, 0] = self._cards.rows(0)[0][combo]
        for street in range(1, self._streets):
            places = board_places(board[:, : 2 + street], self._cards.lowest_rank)
            image = COMBO_IMAGES[places.permutation[:, None], combo]
            bucket[:, :, street] = self._cards.rows(street)[places.board[:, None], image]
        strength = np.empty((len(drawn), self._seats), np.uint16)
        for seat in range(self._seats):
            seven = np.concatenate([holes[:, seat], board], axis=1)
            strength[:, seat] = hand_strengths(seven)
        return Deals(bucket, strength)
