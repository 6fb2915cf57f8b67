"""Count the showdowns of the 169 hand classes over all boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from equilibrist.kernels.preflop.allin_counts import HandsByClass, count_wins
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    COMBO_MASKS,
    FIRST_CARD,
    NUM_CLASSES,
    SECOND_CARD,
)
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import Int64Array, UInt32Array

BOARDS: Final = 1_712_304
"""The boards of five cards from the 48 that two hands leave."""
ALL_PAIRS: Final = 1_624_350
"""The pairs of hands that share no card, of two players."""


def class_pairs() -> Int64Array:
    """int64[169, 169]: the pairs of hands, one of each class, that share no card."""
    meet = (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
    by_class = CLASS_OF_COMBO[:, None] == np.arange(NUM_CLASSES)
    pairs: Int64Array = (by_class.T.astype(np.float64) @ meet @ by_class).astype(np.int64)
    return pairs


_PART: Final = 2_000
"""Boards in a part, a tenth of a second, so that an interrupt takes effect."""
_LONG_ROW: Final = 176
_SHORT_ROW: Final = 32
"""The lengths of rows of 169 and of 25 sums, filled up to whole vectors."""
_NUM_RANKS: Final = 13


def class_wins(
    threads: int,
    on_boards: Callable[[int, int], None] | None = None,
    *,
    cards: int = 5,
    lowest_rank: int = 0,
    ranking: Ranking = STANDARD,
) -> Int64Array:
    """Count over all boards the showdowns that a hand of one class wins against one of another.

    Args:
        threads: Threads that share the boards.
        on_boards: Is told after each part how many of how many canonical boards are done.
        cards: Cards on the board, 3 to 5.
        lowest_rank: The lowest rank in the deck; counts of classes with lower ones mean nothing.
        ranking: How hands compare.

    Returns:
        int64[169, 169]: the number of triples of a hand of the row's class, a hand of the column's
        class and a board, no card twice, in which the first hand is better.
    """
    boards = canonical_boards(cards, lowest_rank)
    tables = strength_tables(cards + 2, ranking)
    hands, classes_of_rank = _hands()

    def part(begin: int, end: int) -> tuple[int, UInt32Array, UInt32Array]:
        wins = np.zeros((NUM_CLASSES, _LONG_ROW), np.uint32)
        shared = np.zeros((*classes_of_rank.shape, _SHORT_ROW), np.uint32)
        inputs = boards.cards[begin:end], boards.copies[begin:end]
        count_wins(tables, hands, *inputs, wins, shared)
        return end, wins, shared

    total = np.zeros((NUM_CLASSES, NUM_CLASSES), np.int64)
    for done, wins, shared in in_parts(part, len(boards.cards), _PART, threads):
        total += wins[:, :NUM_CLASSES]
        for rank, classes in enumerate(classes_of_rank):
            total[np.ix_(classes, classes)] -= shared[rank, :, : len(classes)]
        if on_boards is not None:
            on_boards(done, len(boards.cards))
    return total


def _hands() -> tuple[HandsByClass, Int64Array]:
    """The hands by class, and int64[13, 25]: the classes that have a rank, by its places."""
    order = np.argsort(CLASS_OF_COMBO, kind="stable")
    first, second, own = FIRST_CARD[order], SECOND_CARD[order], CLASS_OF_COMBO[order]
    classes = np.array(
        [np.unique(own[(first >> 2 == r) | (second >> 2 == r)]) for r in range(_NUM_RANKS)]
    )
    places = np.zeros((_NUM_RANKS, NUM_CLASSES), np.int64)
    for rank, of_rank in enumerate(classes):
        places[rank, of_rank] = np.arange(len(of_rank))
    hands = HandsByClass(
        first.astype(np.uintp),
        second.astype(np.uintp),
        own.astype(np.int64),
        places[first >> 2, own],
        places[second >> 2, own],
    )
    return hands, classes.astype(np.int64)
