"""Deals of hands and boards in proportion to what all seats hold at a node of the betting.

The hands of several seats exclude each other's cards, those of seats that have folded included.
They are drawn one after the other, each in proportion to its seat's range among the hands that are
left. A deal then has the weight that the ranges left on the way, so that weighted means are those
over the joint distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import (
    COMBO_MASKS,
    FIRST_CARD,
    NUM_COMBOS,
    SECOND_CARD,
)
from equilibrist.typing import FloatArray, Int64Array, UInt8Array, UInt64Array

_TRIES: Final = 24
"""Draws of a hand that may be refused, before the free hands are listed."""
_LEAST: Final = 1e-9
"""The share of a range below which its free hands are listed at once."""
_LISTED: Final = 4096
"""Deals whose free hands are listed at a time."""


class JointDeals(NamedTuple):
    """Deals, each with its weight."""

    cards: UInt8Array
    """uint8[n, B + 2 S]: the board of B cards, the flop first, then hole cards seat by seat."""
    weight: FloatArray
    """float64[n]: 0 where the ranges left a seat no hand."""


def draw_deals(
    ranges: FloatArray,
    seat: int,
    combo: int,
    board: tuple[int, ...],
    deck: tuple[int, ...],
    count: int,
    random: np.random.Generator,
    size: int = 5,
) -> JointDeals:
    """Draw the hands of all seats but one, whose hand is known, and complete the board.

    Args:
        ranges: float64[S, 1326]: the weight of each hand of each seat.
        seat: The seat whose hand is known.
        combo: Its hand.
        board: The public cards.
        deck: The cards of the deck.
        count: How many deals.
        random: Draws them.
        size: The cards of a complete board.

    Returns:
        The deals.
    """
    seats = len(ranges)
    held = np.empty((count, seats), np.int64)
    held[:, seat] = combo
    known = int(COMBO_MASKS[combo]) | sum(1 << card for card in board)
    used = np.full(count, known, np.uint64)
    weight = np.ones(count)
    free = np.where(COMBO_MASKS & np.uint64(known) == 0, ranges, 0.0)
    free /= np.maximum(free.max(axis=1, keepdims=True), 1e-300)  # products of many stay in range
    others = [other for other in range(seats) if other != seat]
    drawn: list[Int64Array] = []
    for other in sorted(others, key=lambda other_seat: _breadth(free[other_seat])):
        total = float(free[other].sum())
        left = free_weight(free[other], drawn) if drawn else np.full(count, total)
        held[:, other], left = _hands(free[other], left, used, random)
        drawn += [FIRST_CARD[held[:, other]].astype(int), SECOND_CARD[held[:, other]].astype(int)]
        weight *= left
        used |= np.where(left > 0, COMBO_MASKS[held[:, other]], np.uint64(0))
    cards = np.empty((count, size + 2 * seats), np.uint8)
    cards[:, : len(board)] = board
    for place in range(len(board), size):
        cards[:, place] = dealt = _cards(np.array(deck), used, random)
        used |= np.uint64(1) << dealt.astype(np.uint64)
    cards[:, size::2], cards[:, size + 1 :: 2] = FIRST_CARD[held], SECOND_CARD[held]
    return JointDeals(cards, weight)


def free_weight(weights: FloatArray, cards: Sequence[NDArray[np.signedinteger]]) -> FloatArray:
    """Weigh a range without the hands that have any of some cards.

    Args:
        weights: float64[1326].
        cards: Distinct cards, each int[n]; at least one.

    Returns:
        float64[n].
    """
    pairs = np.zeros((NUM_CARDS, NUM_CARDS))
    pairs[FIRST_CARD, SECOND_CARD] = pairs[SECOND_CARD, FIRST_CARD] = weights
    by_card = pairs.sum(axis=1)
    left = np.full(len(cards[0]), float(weights.sum()))
    for k, card in enumerate(cards):
        left -= by_card[card]
        for other in cards[:k]:
            left += pairs[card, other]
    weight: FloatArray = np.maximum(left, 0.0)
    return weight


def _breadth(weights: FloatArray) -> float:
    """Count the hands of a range, those of small weight less: the narrow ones go first."""
    return float(weights.sum() ** 2 / max(float(weights @ weights), 1e-300))


def _hands(
    weights: FloatArray, left: FloatArray, used: UInt64Array, random: np.random.Generator
) -> tuple[Int64Array, FloatArray]:
    """A hand for each set of used cards in proportion to its weight, and what the free ones weigh.

    `left` is about what they weigh. Where that is nothing, the hand means nothing.
    """
    held = np.zeros(len(used), np.int64)
    total = float(weights.sum())
    if total <= 0.0:
        return held, np.zeros(len(used))
    left, sums = left.copy(), np.cumsum(weights)
    open_ = np.flatnonzero(left > _LEAST * total)
    rest = np.flatnonzero(left <= _LEAST * total)
    for _ in range(_TRIES):
        if not len(open_):
            break
        drawn = np.searchsorted(sums, random.random(len(open_)) * sums[-1], side="right")
        drawn = np.minimum(drawn, NUM_COMBOS - 1)
        fits = (COMBO_MASKS[drawn] & used[open_] == 0) & (weights[drawn] > 0)
        held[open_[fits]] = drawn[fits]
        open_ = open_[~fits]
    rest = np.concatenate([rest, open_])
    for begin in range(0, len(rest), _LISTED):
        rows = rest[begin : begin + _LISTED]
        listed = np.cumsum(np.where(COMBO_MASKS & used[rows, None] == 0, weights, 0.0), axis=1)
        left[rows] = listed[:, -1]
        level = random.random(len(rows)) * listed[:, -1]
        held[rows] = np.minimum((listed <= level[:, None]).sum(axis=1), NUM_COMBOS - 1)
    return held, left


def _cards(deck: Int64Array, used: UInt64Array, random: np.random.Generator) -> Int64Array:
    """A card for each set of used cards, each of the others equally likely."""
    cards = np.empty(len(used), np.int64)
    open_ = np.arange(len(used))
    while len(open_):
        drawn = deck[random.integers(len(deck), size=len(open_))]
        cards[open_] = drawn
        open_ = open_[used[open_] >> drawn.astype(np.uint64) & np.uint64(1) == 1]
    return cards
