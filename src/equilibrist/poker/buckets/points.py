"""Hands as points: running sums of the histogram of their equities on the river."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb
from typing import Final, NamedTuple, Protocol

import numpy as np

from equilibrist.kernels.buckets.histograms import histograms
from equilibrist.kernels.buckets.river_equities import group_equities
from equilibrist.poker.buckets.board_hands import (
    NO_HAND,
    BoardHands,
    board_hands,
    deck_hands,
    hands_on,
)
from equilibrist.poker.buckets.next_boards import HAND_IMAGES, rivers
from equilibrist.poker.buckets.river_hands import BINS, ClassEquities, RiverHands
from equilibrist.poker.buckets.spec import hands_of_street
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import Int64Array, UInt8Array, UInt16Array

WHOLE: Final = 1337
"""The largest running sum: with BINS - 1 of them a distance fits in 16 bits."""
PARTS: Final = {3: 8, 4: 64, 5: 256}
"""Boards in a part, by their number of cards."""


class Points(NamedTuple):
    """Hands as points."""

    points: UInt16Array
    """uint16[m, D]."""
    equity: Int64Array
    """int64[m]: the equity of each hand, out of `whole_equity` of the source."""


class PointSource(Protocol):
    """What makes points of hands."""

    size: int
    """Cards on the board."""
    lowest_rank: int
    unit: float
    """What a distance of points is divided by to be in the unit of the report."""
    squared: bool
    """Whether points are compared by squared L2 instead of L1."""
    falls: bool
    """Whether a hand with a larger sum is weaker."""
    whole_equity: int

    def points(self, hands: BoardHands, begin: int) -> Points:
        """The points of hands on consecutive boards, of which `begin` is the first."""


class HistogramPoints:
    """Running sums of histograms, of hands on flops or turns; their L1 distance is EMD.

    Args:
        river: The equities on the river.
        size: Cards on the board, 3 or 4.
    """

    squared = False
    falls = True

    def __init__(self, river: RiverHands, size: int) -> None:
        self.size, self.lowest_rank, self._river = size, river.lowest_rank, river
        deck = NUM_CARDS - 4 * river.lowest_rank
        self.runouts = comb(deck - size - 2, 5 - size)
        self._all = comb(deck - size, 5 - size)
        self._scale = WHOLE // self.runouts
        self.unit = float(self._scale * self.runouts)
        self.whole_equity = self.runouts * river.whole

    def points(self, hands: BoardHands, begin: int) -> Points:
        """The running sums of the histograms of hands on consecutive boards."""
        boards = rivers(self.size, self.lowest_rank, begin, begin + len(hands.boards))
        points = np.empty((len(hands.wanted), BINS - 1), np.uint16)
        sums = np.empty(len(hands.wanted), np.int64)
        river = self._river
        histograms(
            river.equities, river.bin_of, HAND_IMAGES, boards.places, boards.permutations,
            boards.runs, hands.wanted, hands.starts, self._scale, points, sums,
        )  # fmt: skip
        return Points(points, sums - river.blocked * (self._all - self.runouts))


class GroupPoints:
    """Equities on the river against groups of opponents' hands (OCHS).

    Args:
        river: The equities on the river.
        group: uint8[169], the group of each class of hands.
    """

    size = 5
    squared = True
    falls = False
    unit = float(WHOLE)

    def __init__(self, river: RiverHands, group: UInt8Array) -> None:
        self.lowest_rank, self._river = river.lowest_rank, river
        self._hands = deck_hands(river.lowest_rank)
        self._group = group[CLASS_OF_COMBO[self._hands.combo]]
        self._groups = int(group.max()) + 1
        self.whole_equity = river.whole

    def points(self, hands: BoardHands, begin: int) -> Points:
        """The equities of hands on consecutive boards against each group of opponents."""
        points = np.empty((len(hands.wanted), self._groups), np.uint16)
        group_equities(
            strength_tables(7), self._hands, hands.boards, self._group, hands.wanted, hands.starts,
            WHOLE, points,
        )  # fmt: skip
        rows = np.repeat(np.arange(len(hands.boards)), np.diff(hands.starts))
        equity = self._river.equities[begin + rows, hands.wanted]
        return Points(points, equity.astype(np.int64))


class ClassPoints(NamedTuple):
    """The K hand classes that the deck has before the flop, as points."""

    points: UInt16Array
    """uint16[K, D]: running sums of the histograms."""
    equity: Int64Array
    """int64[K]: the equity, out of `2 * opponents` times the boards of a hand."""
    weight: Int64Array
    """int64[K]: combos of each class."""
    classes: Int64Array
    """int64[K]: the number of each class, an index of `CLASS_NAMES`."""


def class_points(classes: ClassEquities) -> ClassPoints:
    """The points of the classes before the flop."""
    size = np.bincount(CLASS_OF_COMBO, minlength=NUM_CLASSES)
    dealt = np.flatnonzero(classes.counts.sum(axis=1))
    counts, weight = classes.counts[dealt], size[dealt].astype(np.int64)
    all_boards = counts.sum(axis=1, keepdims=True)
    running = np.cumsum(counts, axis=1)[:, :-1]
    points = ((2 * WHOLE * running + all_boards) // (2 * all_boards)).astype(np.uint16)
    return ClassPoints(points, classes.sums[dealt] // weight, weight, dealt)


class PartedBoards(NamedTuple):
    """The canonical boards of a street, which threads take part by part."""

    boards: int
    """The number of boards."""
    hands_of: Callable[[int, int], BoardHands]
    """The hands on the boards from `begin` up to `end`."""
    length: int
    """Boards of a part."""


def hands_in_parts(size: int, lowest_rank: int) -> PartedBoards:
    """The canonical boards of `size` cards and their hands, to be worked on part by part."""
    return PartedBoards(
        boards=len(canonical_boards(size, lowest_rank).cards),
        hands_of=lambda begin, end: board_hands(size, lowest_rank, begin, end),
        length=PARTS[size],
    )


def sampled(
    source: PointSource, street: int, sample: int, seed: int, threads: int
) -> Iterator[tuple[Points, Int64Array]]:
    """Points of hands drawn by how often they are dealt, part by part, and their weights.

    The deals of the street are cut into `sample` stretches of equal length, and one hand is drawn
    from each. If there are no more hands, all of them are taken, with their weights.
    """
    size, lowest_rank = source.size, source.lowest_rank
    boards, hands_of, length = hands_in_parts(size, lowest_rank)
    if hands_of_street(street, lowest_rank) <= sample:

        def every(begin: int, end: int) -> tuple[Points, Int64Array]:
            hands = hands_of(begin, end)
            return source.points(hands, begin), hands.weight

        yield from in_parts(every, boards, length, threads)
        return
    hands_per_board = hands_on(size, lowest_rank)
    copies = canonical_boards(size, lowest_rank).copies.astype(np.int64)
    ends = np.cumsum(copies * hands_per_board)
    drawn = np.arange(sample) + np.random.default_rng([seed, street]).random(sample)
    deal = (drawn * (float(ends[-1]) / sample)).astype(np.int64)
    board = np.searchsorted(ends, deal, side="right")
    inside = (deal - (ends - copies * hands_per_board)[board]) // copies[board]

    def some(begin: int, end: int) -> tuple[Points, Int64Array]:
        first, last = np.searchsorted(board, (begin, end))
        hands = hands_of(begin, end)
        dealt = np.nonzero(hands.lowest != NO_HAND)[1].reshape(len(hands.boards), hands_per_board)
        rows = board[first:last] - begin
        wanted = dealt[rows, inside[first:last]].astype(np.uint16)
        starts = np.searchsorted(rows, np.arange(end - begin + 1)).astype(np.int64)
        one_each = np.ones(len(wanted), np.int64)
        chosen = hands._replace(wanted=wanted, starts=starts, weight=one_each)
        return source.points(chosen, begin), one_each

    yield from in_parts(some, boards, length, threads)
