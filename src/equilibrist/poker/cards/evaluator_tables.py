"""The lookup tables of `poker.cards.evaluator`: built once, then read from the cache."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.poker.strength_tables import NO_CARD, ROW_BITS, StrengthTables
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.cards.evaluator_file import PackedStrengths, keep, kept
from equilibrist.typing import Int64Array, UInt16Array

RANK_KEYS: Final = (
    0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181
)  # fmt: skip
"""For the ranks 2 to A: each is the smallest number above the previous one for which the sums of
seven keys, at most four of one rank, are distinct."""
_SHAPES: Final = {
    (1, 1, 1, 1, 1): "high card",
    (2, 1, 1, 1): "pair",
    (2, 2, 1): "two pair",
    (3, 1, 1): "three of a kind",
    (3, 2): "full house",
    (4, 1): "four of a kind",
}
"""Categories by the counts of ranks; straights and flushes are handled separately."""


def _value(ranks: tuple[int, ...], ranking: Ranking, *, flush: bool) -> tuple[int, tuple[int, ...]]:
    """The sort key of five cards: the category, then the ranks in the order of importance."""
    counts = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    in_order = tuple(r for _, r in counts)
    category = _SHAPES[tuple(n for n, _ in counts)]
    low = ranking.low_straight
    if len(in_order) == 5 and (in_order[0] - in_order[4] == 4 or in_order == low):
        in_order = (low[1] if in_order == low else in_order[0],)
        category = "straight flush" if flush else "straight"
    elif flush:
        category = "flush"
    return ranking.categories.index(category), in_order


def _sets_of_ranks(cards: int) -> Int64Array:
    """int64[sets, cards]: all multisets of ranks with at most four of a kind, ascending."""
    rows = np.array(list(combinations_with_replacement(range(13), cards)))
    allowed: Int64Array = rows[(rows[:, 4:] != rows[:, : cards - 4]).all(axis=1)]
    return allowed


class _FiveCards(NamedTuple):
    """The strengths of hands of five cards."""

    by_sum: dict[int, int]
    """Of hands that are no flushes, by the sum of the keys of their ranks; 0 where the deck lacks
    one."""
    by_ranks: UInt16Array
    """uint16[8192]: of flushes, by the set of their ranks; of more cards the best five."""
    weakest: tuple[int, ...]
    """The lowest strength of each of the ranking's categories."""


@cache
def _of_five(ranking: Ranking) -> _FiveCards:
    """Rank all hands of five cards."""
    rows = [tuple(row) for row in _sets_of_ranks(5).tolist()]
    lowest = ranking.lowest_rank
    plain = {row: _value(row, ranking, flush=False) for row in rows if min(row) >= lowest}
    flushes = {row: _value(row, ranking, flush=True) for row in combinations(range(lowest, 13), 5)}
    values = sorted({*plain.values(), *flushes.values()})
    place = {value: k for k, value in enumerate(values, start=1)}
    by_sum = {
        sum(RANK_KEYS[r] for r in row): place[plain[row]] if row in plain else 0 for row in rows
    }
    by_ranks = np.zeros(1 << 13, dtype=np.uint16)
    for row, value in flushes.items():
        by_ranks[sum(1 << r for r in row)] = place[value]
    for ranks in range(1 << 13):
        if ranks.bit_count() > 5:  # the best after removing one rank
            without_one = [ranks & ~(1 << r) for r in range(13) if ranks >> r & 1]
            by_ranks[ranks] = by_ranks[without_one].max()
    categories = [category for category, _ in values]
    weakest = tuple(1 + categories.index(c) for c in range(len(ranking.categories)))
    return _FiveCards(by_sum, by_ranks, weakest)


def weakest_of_categories(ranking: Ranking = STANDARD) -> tuple[int, ...]:
    """The lowest strength of each of the ranking's categories."""
    return _of_five(ranking).weakest


@cache
def strength_tables(cards: int, ranking: Ranking = STANDARD) -> StrengthTables:
    """The tables for hands of five, six or seven cards."""
    packed = kept(cards, ranking.name)
    if packed is None:
        packed = packed_strengths(cards, ranking)
        keep(cards, packed, ranking.name)
    card = np.full(256, NO_CARD)
    suit_bit = np.zeros(NUM_CARDS, dtype=np.uint64)
    for c in range(NUM_CARDS):
        card[c] = RANK_KEYS[c >> 2] + (1 << (32 + 4 * (c & 3)))
        suit_bit[c] = 1 << (13 * (c & 3) + (c >> 2))
    return StrengthTables(card, suit_bit, *packed)


def packed_strengths(cards: int, ranking: Ranking = STANDARD) -> PackedStrengths:
    """Build the tables, which takes half a second for seven cards."""
    keys = np.array(RANK_KEYS)
    five_cards = _of_five(ranking)
    by_sum, by_ranks = five_cards.by_sum, five_cards.by_ranks
    sets = _sets_of_ranks(cards)
    sums = keys[sets].sum(axis=1)
    best = np.zeros(len(sets), dtype=np.uint16)
    rank_sums = np.array(sorted(by_sum))
    strengths = np.array([by_sum[total] for total in rank_sums.tolist()], dtype=np.uint16)
    for five in combinations(range(cards), 5):
        here = strengths[np.searchsorted(rank_sums, keys[sets[:, five]].sum(axis=1))]
        np.maximum(best, here, out=best)
    order = np.argsort(sums)
    offset, places = _packed(sums[order])
    table = np.zeros(int(places.max()) + 1, dtype=np.uint16)
    table[places] = best[order]
    return PackedStrengths(offset, table, by_ranks)


def _packed(sums: Int64Array) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], Int64Array]:
    """The offset of each row of sums, and the table positions of the ascending sums."""
    rows = sums >> int(ROW_BITS)
    first = rows << int(ROW_BITS)
    row_start = np.searchsorted(rows, np.arange(int(rows[-1]) + 2))
    offset = _laid_over(row_start, sums - first)
    offset -= np.arange(len(offset)) << int(ROW_BITS)
    return offset.astype(np.int32), sums + offset[rows]


def _laid_over(row_start: Int64Array, low: Int64Array) -> Int64Array:
    """Lay rows over each other so that no two entries meet; returns the offset of each row.

    Row r has entries at low[row_start[r]:row_start[r + 1]], ascending. From the longest to the
    shortest each is moved to the first place where it fits (R. E. Tarjan and A. C. Yao, Storing a
    sparse table, CACM 1979). Sets of places are the bits of whole numbers.
    """
    offset = np.zeros(len(row_start) - 1, dtype=np.int64)
    starts, entries = row_start.tolist(), low.tolist()
    used = size = first = 0
    for r in np.argsort(-np.diff(row_start), kind="stable").tolist():
        row = entries[starts[r] : starts[r + 1]]
        if not row:
            break
        if len(row) != size:  # where the last one of this size stands others will hardly fit
            size, first = len(row), 0
        taken = places = 0
        for entry in row:
            taken |= used >> (first + entry - row[0])
            places |= 1 << (entry - row[0])
        first += (~taken & (taken + 1)).bit_length() - 1  # the lowest bit that is not taken
        used |= places << first
        offset[r] = first - row[0]
        first += 1
    return offset
