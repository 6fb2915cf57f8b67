"""The equities of all hands on all boards of five cards, from which every street's are taken."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import comb
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.buckets.histograms import class_histograms, tally
from equilibrist.kernels.buckets.river_equities import river_equities
from equilibrist.poker.buckets.board_hands import deck_hands
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES, NUM_COMBOS
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import Int64Array, UInt8Array, UInt16Array

BINS: Final = 50
"""Bins of a histogram of equities."""
PART: Final = 256
"""Boards of the river in a part."""


class ClassEquities(NamedTuple):
    """What the river makes of each class of hands before the flop."""

    counts: Int64Array
    """int64[169, BINS]: boards, over all hands of the class, by the bin of the equity."""
    sums: Int64Array
    """int64[169]: the sum of the equities."""


class RiverHands:
    """Equities against a uniform opponent on the canonical boards of five cards.

    Args:
        lowest_rank: The lowest rank in the deck.
        threads: Threads to work with.
        tell: Called with the share of boards that are done.

    Attributes:
        whole: What the equity of an unbeatable hand is: twice the hands of an opponent.
        blocked: What stands for a hand that is not dealt.
        equities: uint16[B, 1326], twice the hands beaten plus the hands tied with.
    """

    def __init__(
        self, lowest_rank: int, threads: int, tell: Callable[[float], None] | None = None
    ) -> None:
        self.lowest_rank = lowest_rank
        self.whole = 2 * opponents(lowest_rank)
        self.blocked = self.whole + 1
        boards = canonical_boards(5, lowest_rank)
        self.copies = boards.copies
        self.equities: UInt16Array = np.empty((len(boards.cards), NUM_COMBOS), np.uint16)
        tables, hands = strength_tables(7), deck_hands(lowest_rank)

        def part(begin: int, end: int) -> None:
            cut = slice(begin, end)
            river_equities(tables, hands, boards.cards[cut], self.blocked, self.equities[cut])

        for done, _ in enumerate(in_parts(part, len(boards.cards), PART, threads)):
            if tell is not None:
                tell(min(1.0, (done + 1) * PART / len(boards.cards)))

    @cached_property
    def bin_of(self) -> UInt8Array:
        """uint8[whole + 2]: the bin of each equity; BINS for hands that are not dealt."""
        return bins(self.whole)

    def levels(self, threads: int) -> Int64Array:
        """int64[whole + 1]: how many pairs of a board and a hand have each equity."""

        def part(begin: int, end: int) -> Int64Array:
            size = np.zeros(self.whole + 1, np.int64)
            total = np.zeros(self.whole + 1, np.int64)
            rows = self.equities[begin:end]
            tally(rows, rows, self.copies[begin:end], size, total)
            return size

        pairs = np.zeros(self.whole + 1, np.int64)
        for some in in_parts(part, len(self.equities), PART, threads):
            pairs += some
        return pairs

    def classes(self, threads: int) -> ClassEquities:
        """The equities of each class of hands on all boards."""

        def part(begin: int, end: int) -> tuple[Int64Array, Int64Array]:
            counts = np.zeros((NUM_CLASSES, BINS + 1), np.int64)
            sums = np.zeros(NUM_CLASSES, np.int64)
            inputs = self.equities[begin:end], self.bin_of, self.copies[begin:end], CLASS_OF_COMBO
            class_histograms(*inputs, counts, sums)
            return counts, sums

        counts = np.zeros((NUM_CLASSES, BINS + 1), np.int64)
        sums = np.zeros(NUM_CLASSES, np.int64)
        for some, some_sums in in_parts(part, len(self.equities), PART, threads):
            counts += some
            sums += some_sums
        return ClassEquities(counts[:, :BINS], sums - self.blocked * counts[:, BINS])


def opponents(lowest_rank: int) -> int:
    """The hands that an opponent may have on a board of five cards."""
    return comb(NUM_CARDS - 4 * lowest_rank - 7, 2)


def bins(whole: int) -> UInt8Array:
    """uint8[whole + 2]: the bin of each equity out of `whole`, and BINS for hands not dealt."""
    bin_of = np.minimum(np.arange(whole + 2) * BINS // whole, BINS - 1).astype(np.uint8)
    bin_of[whole + 1] = BINS
    return bin_of
