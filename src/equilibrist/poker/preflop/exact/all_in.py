"""Showdowns before the flop: the mean over all boards of who beats whom, for pairs of classes."""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np

from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.preflop.allin_counts import class_wins
from equilibrist.poker.preflop.allin_table import CLASS_SIZES, AllInTable
from equilibrist.poker.preflop.exact.boards import deck_hands, orbits, strengths_on
from equilibrist.typing import BoolArray, FloatArray, Int16Array, Int32Array

_RANKED: Final = 3
"""Board cards from which hands are ranked as in poker, and counted by a kernel."""
_WHOLE: Final = 5


def compatible_pairs(hands: Int16Array, lowest_rank: int) -> FloatArray:
    """float64[R, R]: hands of each class that a hand can meet.

    Args:
        hands: int16[R], the hand that stands for each class.
        lowest_rank: The lowest rank in the deck.
    """
    return _by_class(_free_pairs(hands, lowest_rank).astype(np.float64), hands)


def mean_signs(
    hands: Int16Array,
    cards: int,
    lowest_rank: int,
    threads: int = 1,
    ranking: Ranking = STANDARD,
) -> FloatArray:
    """float64[R, R]: hands of each class that a hand beats, less those that beat it.

    The mean over all boards that leave both hands; exact, as both counts are integers. That of
    whole boards of the full deck is the all-in table, which is kept on disk.

    Args:
        hands: int16[R], the hand that stands for each class.
        cards: Cards on the board at the showdown, 0 to 5.
        lowest_rank: The lowest rank in the deck.
        threads: Threads to count with.
        ranking: How hands compare.

    Returns:
        The means.
    """
    ways = comb(NUM_CARDS - 4 * lowest_rank - 4, cards)
    if cards < _RANKED:
        total = np.zeros((len(hands), len(hands)))
        every = canonical_boards(cards, lowest_rank) if cards else None
        boards = [()] if every is None else [tuple(map(int, board)) for board in every.cards]
        copies = [1] if every is None else every.copies.tolist()
        # A board stands for its images under permutations of suits, which map classes to
        # themselves: so all hands of a class are counted, not the one that stands for it.
        for board, count in zip(boards, copies, strict=True):
            total += count * _class_signs(strengths_on(board, ranking), hands, lowest_rank)
        return total / (ways * CLASS_SIZES[CLASS_OF_COMBO[hands]][:, None])
    if cards == _WHOLE and not lowest_rank:
        wins = AllInTable.load(threads).wins
    else:
        wins = class_wins(threads, cards=cards, lowest_rank=lowest_rank, ranking=ranking)
    classes = CLASS_OF_COMBO[hands]
    signs = (wins - wins.T)[np.ix_(classes, classes)]
    means: FloatArray = signs / (ways * CLASS_SIZES[classes][:, None])
    return means


def _class_signs(strength: Int32Array, hands: Int16Array, lowest_rank: int) -> FloatArray:
    """float64[R, R]: over pairs of hands of two classes, how many are won less those lost."""
    every = np.flatnonzero((strength > 0) & deck_hands(lowest_rank))
    of = _membership(hands)[every].astype(np.float32)
    own, masks = strength[every].astype(np.int16), COMBO_MASKS[every]
    signs = (own[:, None] > own).astype(np.float32) - (own[:, None] < own)
    signs[(masks[:, None] & masks) != 0] = 0.0
    signs_of_classes: FloatArray = (of.T @ (signs @ of)).astype(
        np.float64
    )  # whole numbers below 2^24
    return signs_of_classes


def _free_pairs(hands: Int16Array, lowest_rank: int) -> BoolArray:
    """bool[R, 1326]: the hands of the deck that share no card with a hand."""
    free: BoolArray = (COMBO_MASKS[hands][:, None] & COMBO_MASKS[None, :]) == 0
    return free & deck_hands(lowest_rank)


def _membership(hands: Int16Array) -> FloatArray:
    """float64[1326, R]: 1 where a hand is of a class of the deck; `hands` ascend."""
    lowest = orbits(tuple(range(24))).lowest
    rows = np.searchsorted(hands, lowest).clip(max=len(hands) - 1)
    of = np.zeros((NUM_COMBOS, len(hands)))
    of[np.arange(NUM_COMBOS), rows] = 1.0
    return of


def _by_class(numbers: FloatArray, hands: Int16Array) -> FloatArray:
    return numbers @ _membership(hands)
