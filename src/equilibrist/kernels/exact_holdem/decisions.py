"""Strategies, values and updates at all decisions of a player on a street, for sixteen rows."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.exact_holdem.arrays import (
    ANSWER,
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
from equilibrist.kernels.poker.row_choices import (
    larger_or_nan,
    larger_rows,
    where_equal,
    where_positive,
)
from equilibrist.kernels.poker.tiles import (
    add_rows,
    as_numbers_of,
    divide_rows,
    fill_row,
    load_row,
    multiply_rows,
    store_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ONE, _TWO, _THREE = np.uintp(1), np.uintp(2), np.uintp(3)
_ZERO = np.float32(0.0)


@inner_kernel
def play_block(betting, first, last, played, place, reach, chances):
    """Fill in the reach of the sequences of decisions first ... last - 1, and their chances.

    Two and three actions, which most decisions have, are kept in registers.
    """
    shares = betting.shares
    parent, count, slots, acts, rows = (
        betting.parent, betting.count, betting.slot, betting.act, betting.row
    )  # fmt: skip
    unit = shares[1]
    zero, one = fill_row(_ZERO * unit), fill_row(unit)
    half, third = fill_row(shares[_TWO]), fill_row(shares[_THREE])
    for d in range(first, last):
        actions, act = np.uintp(count[d]), np.uintp(acts[d])
        slot = np.uintp(slots[d]) * _TILE
        where = place + slot
        above = load_row(reach, np.uintp(parent[d]) * _TILE)
        if actions == _THREE:
            a = larger_rows(load_like(played, where, zero), zero)
            b = larger_rows(load_like(played, where + _TILE, zero), zero)
            c = larger_rows(load_like(played, where + _TILE + _TILE, zero), zero)
            total = add_rows(add_rows(a, b), c)
            inverse = divide_rows(one, total)
            a = share(a, total, inverse, one, third, zero)
            b = share(b, total, inverse, one, third, zero)
            c = share(c, total, inverse, one, third, zero)
            store_row(chances, slot, a)
            store_row(chances, slot + _TILE, b)
            store_row(chances, slot + _TILE + _TILE, c)
            store_row(reach, np.uintp(rows[act]) * _TILE, multiply_rows(above, a))
            store_row(reach, np.uintp(rows[act + _ONE]) * _TILE, multiply_rows(above, b))
            store_row(reach, np.uintp(rows[act + _TWO]) * _TILE, multiply_rows(above, c))
        elif actions == _TWO:
            a = larger_rows(load_like(played, where, zero), zero)
            b = larger_rows(load_like(played, where + _TILE, zero), zero)
            total = add_rows(a, b)
            inverse = divide_rows(one, total)
            a = share(a, total, inverse, one, half, zero)
            b = share(b, total, inverse, one, half, zero)
            store_row(chances, slot, a)
            store_row(chances, slot + _TILE, b)
            store_row(reach, np.uintp(rows[act]) * _TILE, multiply_rows(above, a))
            store_row(reach, np.uintp(rows[act + _ONE]) * _TILE, multiply_rows(above, b))
        else:
            alike = fill_row(shares[actions])
            total = zero
            for n in range(actions):
                number = load_like(played, where + np.uintp(n) * _TILE, zero)
                total = add_rows(total, larger_rows(number, zero))
            inverse = divide_rows(one, total)
            for n in range(actions):
                number = load_like(played, where + np.uintp(n) * _TILE, zero)
                chance = share(number, total, inverse, one, alike, zero)
                store_row(chances, slot + np.uintp(n) * _TILE, chance)
                goal = np.uintp(rows[act + np.uintp(n)]) * _TILE
                store_row(reach, goal, multiply_rows(above, chance))


@inner_kernel
def add_ends(betting, player, street, out, value):
    """value[row] = what the terminal nodes after each sequence of a player are worth."""
    none, bare, ends = betting.none, betting.bare, betting.ends
    goal, source, pay = betting.goal, betting.source, betting.pay
    zero = fill_row(_ZERO * betting.shares[1])
    for k in range(none[player, street], none[player, street + 1]):
        store_row(value, np.uintp(bare[k]) * _TILE, zero)
    for k in range(ends[player, street, 0], ends[player, street, 1]):
        end_value = load_row(out, np.uintp(source[k]) * _TILE)
        store_row(value, np.uintp(goal[k]) * _TILE, multiply_rows(fill_row(pay[k]), end_value))
    for k in range(ends[player, street, 1], ends[player, street + 1, 0]):
        end_value = load_row(out, np.uintp(source[k]) * _TILE)
        at = np.uintp(goal[k]) * _TILE
        store_row(
            value, at, add_rows(load_row(value, at), multiply_rows(fill_row(pay[k]), end_value))
        )


@inner_kernel
def _update(regret, total, where, chance, gained, counts, gain, loss, floor, decay, zero):
    """The regret and the strategy sum of an action."""
    before = load_like(regret, where, zero)
    kept = multiply_rows(where_positive(before, gain, loss), before)
    after = larger_rows(add_rows(kept, gained), floor)
    store_row(regret, where, as_numbers_of(after, load_row(regret, where)))
    before = load_like(total, where, zero)
    after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
    store_row(total, where, as_numbers_of(after, load_row(total, where)))


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
        where = place + slot
        above = np.uintp(parent[d]) * _TILE
        if mode == UPDATE and actions == _THREE:
            x = load_row(value, np.uintp(rows[act]) * _TILE)
            y = load_row(value, np.uintp(rows[act + _ONE]) * _TILE)
            z = load_row(value, np.uintp(rows[act + _TWO]) * _TILE)
            a, b = load_row(chances, slot), load_row(chances, slot + _TILE)
            c = load_row(chances, slot + _TILE + _TILE)
            mean = add_rows(multiply_rows(a, x), multiply_rows(b, y))
            mean = add_rows(mean, multiply_rows(c, z))
            counts = multiply_rows(load_row(reach, above), weight)
            x, y, z = subtract_rows(x, mean), subtract_rows(y, mean), subtract_rows(z, mean)
            _update(regret, total, where, a, x, counts, gain, loss, floor, decay, zero)
            _update(regret, total, where + _TILE, b, y, counts, gain, loss, floor, decay, zero)
            where += _TILE + _TILE
            _update(regret, total, where, c, z, counts, gain, loss, floor, decay, zero)
        elif mode == UPDATE and actions == _TWO:
            x = load_row(value, np.uintp(rows[act]) * _TILE)
            y = load_row(value, np.uintp(rows[act + _ONE]) * _TILE)
            a, b = load_row(chances, slot), load_row(chances, slot + _TILE)
            mean = add_rows(multiply_rows(a, x), multiply_rows(b, y))
            counts = multiply_rows(load_row(reach, above), weight)
            x, y = subtract_rows(x, mean), subtract_rows(y, mean)
            _update(regret, total, where, a, x, counts, gain, loss, floor, decay, zero)
            _update(regret, total, where + _TILE, b, y, counts, gain, loss, floor, decay, zero)
        elif mode in (BEST, ANSWER):
            mean = load_row(value, np.uintp(rows[act]) * _TILE)
            for n in range(_ONE, actions):
                child_value = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                mean = larger_or_nan(mean, child_value)
            if mode == ANSWER:  # equals are all played, alike
                for n in range(actions):
                    child_value = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                    best = where_equal(child_value, mean, fill_row(unit), zero)
                    at = where + np.uintp(n) * _TILE
                    store_row(total, at, as_numbers_of(best, load_row(total, at)))
        else:
            mean = zero
            for n in range(actions):
                chance = load_row(chances, slot + np.uintp(n) * _TILE)
                child_value = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                mean = add_rows(mean, multiply_rows(chance, child_value))
            if mode == UPDATE:
                counts = multiply_rows(load_row(reach, above), weight)
                for n in range(actions):
                    step = np.uintp(n) * _TILE
                    child_value = load_row(value, np.uintp(rows[act + np.uintp(n)]) * _TILE)
                    _update(
                        regret, total, where + step, load_row(chances, slot + step),
                        subtract_rows(child_value, mean), counts, gain, loss, floor, decay, zero,
                    )  # fmt: skip
        store_row(value, above, add_rows(load_row(value, above), mean))
