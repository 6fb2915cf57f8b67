"""The rows of boards: classes of hands that the suits of a board make equal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.preflop.exact.boards import (
    BoardTable,
    free_hands,
    lowest_hands,
    orbits,
    strengths_on,
)
from equilibrist.typing import FloatArray, Int16Array, Int64Array, UInt8Array, UInt16Array


class HandRows(NamedTuple):
    """The rows of all boards."""

    first: Int64Array
    """int64[B]: the first row of each board, a multiple of TILE."""
    hand: Int16Array
    """int16[H]: the hand that stands for each row, -1 in rows that fill up."""
    many: NDArray[np.float32]
    """float32[H]: hands of each row, 0 in rows that fill up."""
    a: UInt8Array
    """uint8[H]: the orbit of the lower card."""
    b: UInt8Array
    """uint8[H]: the orbit of the higher card."""
    above: UInt16Array
    """uint16[H]: the row on the board above."""
    last: UInt16Array
    """uint16[H]: where the rows of equal strength end, on boards that are sorted by strength."""


def widths_of(table: BoardTable) -> Int64Array:
    """int64[B]: the rows of each board, filled up to whole blocks."""
    return np.array([filled_up(int(count), TILE) for count in table.rows], np.int64)


def hand_rows(
    table: BoardTable, sorted_street: int, lowest_rank: int = 0, ranking: Ranking = STANDARD
) -> HandRows:
    """The rows of all boards.

    Args:
        table: The boards.
        sorted_street: The street whose boards are sorted by strength, -1 for none.
        lowest_rank: The lowest rank in the deck.
        ranking: How hands compare.

    Returns:
        The rows.
    """
    ends = np.cumsum(widths_of(table))
    first = ends - widths_of(table)
    size = int(ends[-1])
    hand = np.full(size, -1, np.int16)
    many = np.zeros(size, np.float32)
    a, b = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    above, last = np.zeros(size, np.uint16), np.zeros(size, np.uint16)
    places: dict[int, Int16Array] = {}
    for k, board in enumerate(table.cards):
        group = table.groups[k]
        orbits_of_group = orbits(group)
        hands = np.flatnonzero(free_hands(board, lowest_rank) & lowest_hands(group))
        start, stop = int(first[k]), int(first[k]) + len(hands)
        if table.street[k] == sorted_street:
            strength = strengths_on(board, ranking)[hands]
            order = np.argsort(strength, kind="stable")
            hands, strength = hands[order], strength[order]
            last[start:stop] = np.searchsorted(strength, strength, side="right")
        hand[start:stop] = hands
        many[start:stop] = orbits_of_group.many[hands]
        a[start:stop] = orbits_of_group.card[FIRST_CARD[hands]]
        b[start:stop] = orbits_of_group.card[SECOND_CARD[hands]]
        parent = int(table.parent[k])
        if parent >= 0:
            up = orbits(table.groups[parent])
            above[start:stop] = places[parent][up.lowest[hands]]
        if table.end[k] > k + 1:
            places[k] = np.zeros(NUM_COMBOS, np.int16)
            places[k][hands] = np.arange(len(hands))
    return HandRows(first, hand, many, a, b, above, last)


def lifts(table: BoardTable, rows: HandRows) -> FloatArray:
    """float64[H]: what the value of a row counts for a hand of the row above it.

    The hands of the row, over those of the row above, times the probability of the board.
    """
    lifted = np.zeros(len(rows.hand))
    for k in range(1, len(table.cards)):
        part = slice(int(rows.first[k]), int(rows.first[k]) + int(table.rows[k]))
        above = int(rows.first[table.parent[k]]) + rows.above[part].astype(np.int64)
        lifted[part] = table.weight[k] * rows.many[part].astype(np.float64) / rows.many[above]
    return lifted


def rows_of_hands(table: BoardTable, rows: HandRows, board: int) -> Int16Array:
    """int16[1326]: the row of each hand on a board, -1 of those that it blocks."""
    start = int(rows.first[board])
    own = rows.hand[start : start + int(table.rows[board])]
    places = np.full(NUM_COMBOS, -1, np.int16)
    places[own] = np.arange(len(own))
    lowest = orbits(table.groups[board]).lowest
    mask = 0
    for card in table.cards[board]:
        mask |= 1 << card
    free = (COMBO_MASKS & np.uint64(mask)) == 0
    return np.where(free, places[lowest], np.int16(-1))
