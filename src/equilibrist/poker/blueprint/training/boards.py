"""The cards that training draws: boards, each of the deck once before any comes again, and deals.

A board is a flop, a turn card and a river card; in 52 cards there are 22,100 x 49 x 48. Board n is
place p = n mod F of cycle c = n div F, where F is the number of flops. In a cycle every flop comes
once, in a new random order for each cycle. The turn and the river of flop f in cycle c are
number (shift_f + c) mod P of a shuffled list of the P ordered pairs of the cards that are left:
F * P boards from the start of a cycle are all boards, each once. Any board is as likely as any
other, so that sums over boards estimate those over all boards without bias.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.blueprint.external import Deals
from equilibrist.poker.blueprint.training.walk_arrays import STREETS
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.canonical_boards import board_places
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.typing import Int32Array, Int64Array, UInt8Array

_FLOPS, _PAIRS, _SHIFTS, _DEALS = range(4)
"""What a stream of random numbers is for."""
_BOARD: Final = 5


class BoardSequence:
    """The boards of a seed, by their numbers.

    Args:
        lowest_rank: The lowest rank in the deck.
        seed: The seed of the order.

    Attributes:
        cycle: Boards of a cycle, which has every flop once.
        count: All boards; board `count` is number 0 again, in another order.
    """

    def __init__(self, lowest_rank: int, seed: int) -> None:
        self._flops = _flops(lowest_rank)
        self._seed = seed
        self._left = 52 - 4 * lowest_rank - 3
        self._pairs = self._random(_PAIRS).permutation(self._left * (self._left - 1))
        self._shifts = self._random(_SHIFTS).integers(len(self._pairs), size=len(self._flops))
        self._lowest = 4 * lowest_rank
        self.cycle = len(self._flops)
        self.count = self.cycle * len(self._pairs)
        self._order: tuple[int, Int64Array] = (-1, np.empty(0, np.int64))

    def boards(self, begin: int, count: int) -> UInt8Array:
        """The boards from a number on.

        Args:
            begin: The first number.
            count: How many.

        Returns:
            uint8[count, 5]: flop, turn, river.
        """
        numbers = np.arange(begin, begin + count)
        cycles = numbers // self.cycle
        boards = np.empty((count, 5), np.uint8)
        for cycle in np.unique(cycles):
            own = cycles == cycle
            flops = self._cycle_order(int(cycle))[numbers[own] - cycle * self.cycle]
            pairs = self._pairs[(self._shifts[flops] + cycle) % len(self._pairs)]
            boards[own] = self._completed(flops, pairs)
        return boards

    def _completed(self, flops: Int64Array, pairs: Int64Array) -> UInt8Array:
        turn, river = np.divmod(pairs, self._left - 1)
        river += river >= turn  # numbers of the cards that are left, ascending
        cards = self._flops[flops]
        boards = np.empty((len(flops), 5), np.uint8)
        boards[:, :3] = cards
        for column, number in ((3, turn), (4, river)):
            card = number + self._lowest
            for k in range(3):  # the cards of a flop ascend
                card += card >= cards[:, k]
            boards[:, column] = card
        return boards

    def _cycle_order(self, cycle: int) -> Int64Array:
        if self._order[0] != cycle:
            self._order = cycle, self._random(_FLOPS, cycle).permutation(self.cycle)
        return self._order[1]

    def _random(self, *use: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, *use])


class BoardRows(NamedTuple):
    """Boards with the buckets of all hands."""

    boards: UInt8Array
    """uint8[B, 5]: the cards."""
    rows: Int32Array
    """int32[B, S, 1326]: the bucket of each hand on each street; not to be read where a hand is
    not dealt."""

    def part(self, begin: int, end: int) -> BoardRows:
        """The boards from one number to before another."""
        return BoardRows(self.boards[begin:end], self.rows[begin:end])


def board_rows(cards: CardBuckets, boards: UInt8Array, streets: int) -> BoardRows:
    """Look up the buckets of all hands on boards.

    Args:
        cards: The card buckets.
        boards: uint8[B, 5].
        streets: Streets with betting.

    Returns:
        The boards with their rows.
    """
    rows = np.empty((len(boards), streets, COMBO_IMAGES.shape[1]), np.int32)
    rows[:, 0] = cards.rows(0)[0]
    for street in range(1, streets):
        places = board_places(boards[:, : 2 + street], cards.lowest_rank)
        rows[:, street] = np.take_along_axis(
            cards.rows(street)[places.board], _images()[places.permutation], axis=1
        )
    return BoardRows(boards, rows)


@cache
def _images() -> Int64Array:
    return COMBO_IMAGES.astype(np.int64)


@cache
def _flops(lowest_rank: int) -> NDArray[np.int64]:
    return np.array(list(combinations(range(4 * lowest_rank, 52), 3)), np.int64)


class DealSequence:
    """Batches of deals by their numbers; a batch depends on its number, its size and the seed.

    Args:
        cards: The card buckets.
        seats: Seats at the table.
        streets: Streets with betting.
        seed: The seed.
        use: What the deals are for; those of different uses are independent.
    """

    def __init__(
        self, cards: CardBuckets, seats: int, streets: int, seed: int, use: int = _DEALS
    ) -> None:
        self._cards, self._seats, self._streets = cards, seats, streets
        self._seeds = (seed, use)
        self._deck = np.arange(4 * cards.lowest_rank, NUM_CARDS, dtype=np.uint8)

    def deals(self, number: int, count: int) -> Deals:
        """A batch of deals.

        Args:
            number: Its number.
            count: How many deals.

        Returns:
            The buckets of all seats by street, and their strengths on the river.
        """
        random = np.random.default_rng([*self._seeds, number])
        drawn = random.permuted(np.tile(self._deck, (count, 1)), axis=1)
        return self.looked_up(drawn[:, : _BOARD + 2 * self._seats])

    def looked_up(self, drawn: UInt8Array) -> Deals:
        """Look deals up as the kernels take them.

        Args:
            drawn: uint8[B, 5 + 2 S]: the board, then the hole cards seat by seat.

        Returns:
            The buckets and strengths.
        """
        board, holes = drawn[:, :_BOARD], drawn[:, _BOARD:].reshape(len(drawn), self._seats, 2)
        combo = COMBO_INDEX[holes.min(axis=2), holes.max(axis=2)]
        bucket = np.zeros((len(drawn), self._seats, STREETS), np.int32)
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
