"""Strategies, values and updates at all decisions of a player on a street, for sixteen rows."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.exact_holdem.arrays import (
    BEST,
    DECAY,
    FLOOR,
    NEGATIVE,
    POSITIVE,
    UPDATE,
    WEIGHT,
)
from equilibrist.kernels.exact_holdem.tile_moves import load_like
from equilibrist.kernels.poker.decisions import share
from equilibrist.kernels.poker.tiles import (
    add_rows,
    as_numbers_of,
    divide_rows,
    fill_row,
    larger_rows,
    load_row,
    multiply_rows,
    store_row,
    subtract_rows,
    where_positive,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)


@inner_kernel
def play_block(betting, first, last, played, place, reach, chances):
    """Fill in the reach of the sequences of decisions first ... last - 1, and their chances."""
    shares = betting.shares
    parent, count, slots, acts, rows = (
        betting.parent, betting.count, betting.slot, betting.act, betting.row
    )  # fmt: skip
    unit = shares[1]
    zero, one = fill_row(_ZERO * unit), fill_row(unit)
    for d in range(first, last):
        actions, act = np.uintp(count[d]), np.uintp(acts[d])
        slot = np.uintp(slots[d]) * _TILE
        alike = fill_row(shares[actions])
        total = zero
        for n in range(actions):
            number = load_like(played, place + slot + np.uintp(n) * _TILE, zero)
            total = add_rows(total, larger_rows(number, zero))
        inverse = divide_rows(one, total)
        above = load_row(reach, np.uintp(parent[d]) * _TILE)
        for n in range(actions):
            number = load_like(played, place + slot + np.uintp(n) * _TILE, zero)
            chance = share(number, total, inverse, one, alike, zero)
            store_row(chances, slot + np.uintp(n) * _TILE, chance)
            goal = np.uintp(rows[act + np.uintp(n)]) * _TILE
            store_row(reach, goal, multiply_rows(above, chance))


@inner_kernel
def add_ends(betting, player, street, out, value):
    """value[row] = what the terminal nodes after each sequence of a player are worth."""
    ends, source, pay = betting.ends, betting.source, betting.pay
    zero = fill_row(_ZERO * betting.shares[1])
    for row in range(betting.rows[player, street]):
        worth = zero
        for k in range(ends[player, street, row], ends[player, street, row + 1]):
            found = load_row(out, np.uintp(source[k]) * _TILE)
            worth = add_rows(worth, multiply_rows(fill_row(pay[k]), found))
        store_row(value, np.uintp(row) * _TILE, worth)


@inner_kernel
def leave_block(betting, first, last, regret, total, place, reach, chances, value, mode, row):
    """Carry values up through decisions last - 1 ... first, and update regrets if told to."""
    shares = betting.shares
    parent, count, slots, acts, rows = (
        betting.parent, betting.count, betting.slot, betting.act, betting.row
    )  # fmt: skip
    unit = shares[1]
    zero = fill_row(_ZERO * unit)
    gain, loss, floor = (
        fill_row(row[POSITIVE] * unit), fill_row(row[NEGATIVE] * unit), fill_row(row[FLOOR] * unit)
    )  # fmt: skip
    decay, weight = fill_row(row[DECAY] * unit), fill_row(row[WEIGHT] * unit)
    for back in range(last - first):
        d = last - 1 - back
        actions, act = np.uintp(count[d]), np.uintp(acts[d])
        slot = np.uintp(slots[d]) * _TILE
        above = np.uintp(parent[d]) * _TILE
        mean = zero
        if mode == BEST:
            mean = load_row(value, np.uintp(rows[act]) * _TILE)
            for n in range(np.uintp(1), actions):
                found = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                mean = larger_rows(mean, found)
        else:
            for n in range(actions):
                chance = load_row(chances, slot + np.uintp(n) * _TILE)
                found = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                mean = add_rows(mean, multiply_rows(chance, found))
        if mode == UPDATE:
            counts = multiply_rows(load_row(reach, above), weight)
            for n in range(actions):
                spot = slot + np.uintp(n) * _TILE
                where = place + spot
                found = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                before = load_like(regret, where, zero)
                kept = multiply_rows(where_positive(before, gain, loss), before)
                after = larger_rows(add_rows(kept, subtract_rows(found, mean)), floor)
                store_row(regret, where, as_numbers_of(after, load_row(regret, where)))
                played = multiply_rows(counts, load_row(chances, spot))
                before = load_like(total, where, zero)
                after = add_rows(multiply_rows(decay, before), played)
                store_row(total, where, as_numbers_of(after, load_row(total, where)))
        store_row(value, above, add_rows(load_row(value, above), mean))
