"""Values at terminal nodes of a board for all lanes: by a sweep of sorted rows, or by matrices.

`faced[r, lane]` is the opponent's reach of the hands of row r, all of them together. What a hand
can meet is that of all rows, less what the sums of its two cards hold, plus the hand itself, which
both contain. The sum of a card is the same for every card of its orbit, so that a row adds its
share to those of its two orbits.

The reach of all rows is summed with compensation (W. Kahan, CACM 1965). In float32 several hundred
additions of equal numbers, as uniform strategies have them, all err the same way, on all boards, by
some 3e-6 of the sum in all; regrets carry that on, and flop hold'em converged by another path.

Arguments, floats of the type of `unit`, 1: faced: float[rows, lanes], the opponent's reach by row
and lane, from `base` on. lanes: lanes of a row, a multiple of TILE; `shown` of them, the first, are
of showdowns. rows: rows of the board; their numbers in arrays of `Boards` begin at `first`. a, b:
uint8, orbits of the two cards of each row. many: float32, hands of each row. last: uint16, end of
the group of equal strength. alike: float32[52], cards in each orbit. share: float[52], 1 over it.
total: float[2 * lanes], reach by lane, and its rounding errors. sums: float[52, lanes], reach by
orbit of a card and lane. won: float[rows, width], written.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.tiles import (
    add_rows,
    fill_row,
    load_row,
    multiply_rows,
    store_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)
_MINUS_HALF = np.float32(-0.5)
CARDS = np.uintp(52)


@inner_kernel
def _add_compensated(total, lane, lanes, held):
    """total[lane] += held, whose rounding error is kept in total[lanes + lane]."""
    before = load_row(total, lane)
    more = subtract_rows(held, load_row(total, lanes + lane))
    after = add_rows(before, more)
    store_row(total, lane, after)
    store_row(total, lanes + lane, subtract_rows(subtract_rows(after, before), more))


@inner_kernel
def add_up(faced, base, lanes, rows, first, a, b, alike, share, total, sums, unit):
    """total[lane] and sums[orbit, lane] = the reach of all rows, and of those with a card.

    total has twice as many numbers as lanes, see `_add_compensated`.
    share[orbit] = 1 / alike[orbit], for `sweep` too.
    """
    zero = fill_row(_ZERO * unit)
    for k in range(CARDS):
        share[k] = unit / (alike[k] * unit)
    for k in range(np.uintp(0), lanes + lanes, _TILE):
        store_row(total, np.uintp(k), zero)
    for k in range(np.uintp(0), CARDS * lanes, _TILE):
        store_row(sums, np.uintp(k), zero)
    for r in range(rows):
        first_card, second_card = np.uintp(a[first + r]), np.uintp(b[first + r])
        part, other = fill_row(share[first_card]), fill_row(share[second_card])
        start = base + r * lanes
        first_card, second_card = first_card * lanes, second_card * lanes
        for k in range(np.uintp(0), lanes, _TILE):
            lane = np.uintp(k)
            held = load_row(faced, start + lane)
            _add_compensated(total, lane, lanes, held)
            at = first_card + lane
            store_row(sums, at, add_rows(load_row(sums, at), multiply_rows(part, held)))
            at = second_card + lane
            store_row(sums, at, add_rows(load_row(sums, at), multiply_rows(other, held)))


@inner_kernel
def met_rows(
    faced, base, lanes, rows, first, a, b, many, total, sums, won, width, goal, begin, unit
):
    """won[r, goal + lane - begin] = the reach that a hand of row r meets, for lanes from begin."""
    for r in range(rows):
        first_card, second_card = np.uintp(a[first + r]) * lanes, np.uintp(b[first + r]) * lanes
        single = fill_row(unit / (many[first + r] * unit))
        start, there = base + r * lanes, r * width + goal - begin
        for k in range(begin, lanes, _TILE):
            lane = np.uintp(k)
            blocked = add_rows(
                load_row(sums, first_card + lane), load_row(sums, second_card + lane)
            )
            itself = multiply_rows(load_row(faced, start + lane), single)
            free = subtract_rows(load_row(total, lane), blocked)
            store_row(won, there + lane, add_rows(free, itself))


@inner_kernel
def sweep(faced, base, lanes, shown, rows, first, a, b, last, share, total, sums, won, width, unit):
    """won[r, lane] = the reach that a hand of row r beats less that which beats it.

    Rows are sorted by strength. Sums run from minus half of the total; what they are before a group
    of equals and after it is added, so that equals count zero. Destroys total and sums.
    """
    half = fill_row(_MINUS_HALF * unit)
    for k in range(np.uintp(0), lanes + lanes, _TILE):
        store_row(total, np.uintp(k), multiply_rows(half, load_row(total, np.uintp(k))))
    for k in range(np.uintp(0), CARDS * lanes, _TILE):
        store_row(sums, np.uintp(k), multiply_rows(half, load_row(sums, np.uintp(k))))
    begin = np.uintp(0)
    while begin < rows:
        end = np.uintp(last[first + begin])
        for r in range(begin, end):
            first_card, second_card = np.uintp(a[first + r]) * lanes, np.uintp(b[first + r]) * lanes
            there = np.uintp(r) * width
            for k in range(np.uintp(0), shown, _TILE):
                lane = np.uintp(k)
                blocked = add_rows(
                    load_row(sums, first_card + lane), load_row(sums, second_card + lane)
                )
                store_row(won, there + lane, subtract_rows(load_row(total, lane), blocked))
        for r in range(begin, end):
            first_card, second_card = np.uintp(a[first + r]), np.uintp(b[first + r])
            part, other = fill_row(share[first_card]), fill_row(share[second_card])
            start = base + np.uintp(r) * lanes
            first_card, second_card = first_card * lanes, second_card * lanes
            for k in range(np.uintp(0), shown, _TILE):
                lane = np.uintp(k)
                held = load_row(faced, start + lane)
                _add_compensated(total, lane, lanes, held)
                at = first_card + lane
                store_row(sums, at, add_rows(load_row(sums, at), multiply_rows(part, held)))
                at = second_card + lane
                store_row(sums, at, add_rows(load_row(sums, at), multiply_rows(other, held)))
        for r in range(begin, end):
            first_card, second_card = np.uintp(a[first + r]) * lanes, np.uintp(b[first + r]) * lanes
            there = np.uintp(r) * width
            for k in range(np.uintp(0), shown, _TILE):
                lane = np.uintp(k)
                blocked = add_rows(
                    load_row(sums, first_card + lane), load_row(sums, second_card + lane)
                )
                free = subtract_rows(load_row(total, lane), blocked)
                store_row(won, there + lane, add_rows(load_row(won, there + lane), free))
        begin = end


@inner_kernel
def per_hand(faced, base, lanes, rows, first, many, ways, unit):
    """faced[r, lane] = the reach of one hand of a row in place of that of all, over `ways`."""
    for r in range(rows):
        single = fill_row(unit / (many[first + r] * unit * ways))
        start = base + r * lanes
        for k in range(np.uintp(0), lanes, _TILE):
            lane = np.uintp(k)
            store_row(faced, start + lane, multiply_rows(load_row(faced, start + lane), single))


@inner_kernel
def by_pairs(pairs, place, faced, base, lanes, begin, end, rows, won, width, goal, unit):
    """won[r, goal + lane - begin] = sum over rows c of pairs[r, c] * faced[c, lane].

    Four rows at a time, so that each number of `faced` is loaded once for them.
    """
    zero = fill_row(_ZERO * unit)
    most = rows - np.uintp(1)
    for k in range(begin, end, _TILE):
        lane = base + np.uintp(k)
        for i in range(np.uintp(0), rows, np.uintp(4)):
            r0 = np.uintp(i)
            r1 = min(r0 + np.uintp(1), most)
            r2 = min(r0 + np.uintp(2), most)
            r3 = min(r0 + np.uintp(3), most)
            p0, p1 = place + r0 * rows, place + r1 * rows
            p2, p3 = place + r2 * rows, place + r3 * rows
            w0, w1, w2, w3 = zero, zero, zero, zero
            for c in range(rows):
                held = load_row(faced, lane + c * lanes)
                w0 = add_rows(w0, multiply_rows(fill_row(pairs[p0 + c] * unit), held))
                w1 = add_rows(w1, multiply_rows(fill_row(pairs[p1 + c] * unit), held))
                w2 = add_rows(w2, multiply_rows(fill_row(pairs[p2 + c] * unit), held))
                w3 = add_rows(w3, multiply_rows(fill_row(pairs[p3 + c] * unit), held))
            at = goal + np.uintp(k) - begin
            store_row(won, r0 * width + at, w0)
            store_row(won, r1 * width + at, w1)
            store_row(won, r2 * width + at, w2)
            store_row(won, r3 * width + at, w3)
