"""The showdown of two ranges on a board of five cards, in NumPy.

It serves what asks for one board, such as a river spot, whose first run would otherwise wait for
a kernel. Results have the bits of `kernels.poker.equity`, which adds in the same order.
"""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.poker.strength_tables import ALL, Hands
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.typing import FloatArray, Int64Array


def on_full_board(hands: Hands, board: tuple[int, ...], deck: Deck = FULL_DECK) -> list[float]:
    """Add a board to the sums in `hands`; returns what `runouts.on_all_boards` does."""
    strength = combo_strengths(board, deck)[COMBO_INDEX[hands.first, hands.second]].astype(np.int64)
    order = np.argsort(strength, kind="stable")
    order = order[strength[order] > 0]
    levels = strength[order]
    begins = np.searchsorted(levels, levels, "left")
    ends = np.searchsorted(levels, levels, "right")
    first, second = hands.first[order].astype(np.intp), hands.second[order].astype(np.intp)
    own = hands.weight[:, order]
    met = [_added_up(first, second, weight) for weight in own]
    # Inclusion-exclusion: the hand of the same two cards is taken off once per card, so it is added
    # again; it ties, hence is never among those below.
    below = [_unblocked(met[1 - p], begins, first, second) for p in (0, 1)]
    with_ties = [_unblocked(met[1 - p], ends, first, second) + own[1 - p] for p in (0, 1)]
    everyone = np.full(len(order), len(order))
    against = [_unblocked(met[1 - p], everyone, first, second) + own[1 - p] for p in (0, 1)]
    for player in (0, 1):
        hands.won[player, order] += 0.5 * below[player]
        hands.won[player, order] += 0.5 * with_ties[player]
        hands.met[player, order] += against[player]
    beaten = _total(own[0] * below[0])
    halves = 0.5 * own[0] * below[0], 0.5 * own[0] * with_ties[0]
    won = _total(np.concatenate(halves)[_by_level(begins)])
    return [won, _total(own[0] * against[0]), 1.0, 2.0 * (won - beaten)]


def _added_up(first: Int64Array, second: Int64Array, weight: FloatArray) -> FloatArray:
    """float64[n + 1, 53]: the weight of the first k hands, per card and in all."""
    rows = np.arange(1, len(weight) + 1)
    sums = np.zeros((len(weight) + 1, ALL + 1))
    sums[rows, first] = sums[rows, second] = sums[rows, ALL] = weight
    return sums.cumsum(axis=0)


def _unblocked(
    sums: FloatArray, rows: Int64Array, first: Int64Array, second: Int64Array
) -> FloatArray:
    """The weight of the hands in given rows of sums that contain neither card of a hand."""
    unblocked: FloatArray = sums[rows, ALL] - sums[rows, first] - sums[rows, second]
    return unblocked


def _by_level(begins: Int64Array) -> Int64Array:
    """The order of terms of hands below and with ties: first all of a strength, then again."""
    hand = np.arange(len(begins))
    keys = np.concatenate([2 * begins, 2 * begins + 1])
    order: Int64Array = np.lexsort((np.concatenate([hand, hand]), keys))
    return order


def _total(terms: FloatArray) -> float:
    """The sum of the terms, added one after the other."""
    return float(terms.cumsum()[-1]) if len(terms) else 0.0
