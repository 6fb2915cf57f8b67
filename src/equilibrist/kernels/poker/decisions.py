"""Strategies and values at one decision, sixteen hands at a time.

The stored numbers of a decision are consecutive rows of `width` hands, one row per action, starting
at `place`: floats, or 16-bit integers with a scale per decision. The storage is known when a kernel
is compiled, so only one branch remains. The row of action n of reach or values starts at `at[n]`.
Values of a decision may replace those of its first action.

Functions take arrays rather than the NamedTuples that contain them, which saves unpacking at every
step. The most frequent operations are unrolled for two and three actions, see
`kernels.poker.regret_update`.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.row_choices import (
    larger_or_nan,
    larger_rows,
    where_equal,
    where_tiny,
)
from equilibrist.kernels.poker.tiles import (
    add_rows,
    divide_rows,
    fill_row,
    in_16_bits,
    load_row,
    load_stored,
    multiply_rows,
    store_row,
)

_TILE = np.uintp(TILE)
_TWO, _THREE = np.uintp(2), np.uintp(3)
_FIRST, _SECOND, _THIRD = np.uintp(0), np.uintp(1), np.uintp(2)
_ZERO = np.float32(0.0)


@inner_kernel
def scale_of(stored, scales, decision, like):
    """A row of the scale of a decision, of the type of the number `like`."""
    if in_16_bits(stored):
        return fill_row(scales[decision] * like)
    return fill_row(like)


@inner_kernel
def positive_sum(stored, factor, place, actions, width, zero):
    """The sum of the positive numbers of all actions, for sixteen hands."""
    total = zero
    for n in range(actions):
        number = load_stored(stored, place + np.uintp(n) * width, factor)
        total = add_rows(total, larger_rows(number, zero))
    return total


@inner_kernel
def share(number, total, inverse, one, alike, zero):
    """The probability of an action with that number; total is the sum of the positive ones.

    A product with the reciprocal, except that a sole positive number gives exactly 1, so that
    regrets that should be 0 are exactly 0. A total so small that its reciprocal may be infinite
    counts as none: such sums are what is left of play long ago. NaN stays NaN.
    """
    # Where total is 0, inverse is inf and the quotient meaningless; where_tiny replaces it without
    # a branch.
    part = larger_rows(number, zero)
    quotient = where_equal(part, total, one, multiply_rows(part, inverse))
    return where_tiny(total, alike, quotient)


@inner_kernel
def play(stored, scales, decision, place, actions, width, shares, reach, origin, at):
    """reach[at[n]:] = reach[origin:] times the probability of action n.

    stored: float32, float64 or int16, the numbers to match: [actions][width] from `place` on.
    scales: float32[decisions], read at `decision` for int16. width: hands, filled up to a multiple
    of TILE. shares: float[n + 1], 1 / n at n; its dtype is that of all arithmetic. reach: float.
    at: uint64[actions], where the rows of children begin.
    """
    unit = shares[1]
    factor = scale_of(stored, scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[actions])
    if actions == _TWO:
        _play_two(stored, factor, place, width, zero, one, alike, reach, origin, at)
    elif actions == _THREE:
        _play_three(stored, factor, place, width, zero, one, alike, reach, origin, at)
    else:
        _play_many(stored, factor, place, actions, width, zero, one, alike, reach, origin, at)


@inner_kernel
def _play_two(stored, factor, place, width, zero, one, alike, reach, origin, at):
    """Carry reach below a decision with two actions; zero, one and alike are rows of 0, 1, 1/2."""
    first, second = np.uintp(at[_FIRST]), np.uintp(at[_SECOND])
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        a = load_stored(stored, place + h, factor)
        b = load_stored(stored, place + width + h, factor)
        total = add_rows(larger_rows(a, zero), larger_rows(b, zero))
        inverse = divide_rows(one, total)
        above = load_row(reach, origin + h)
        chance = share(a, total, inverse, one, alike, zero)
        store_row(reach, first + h, multiply_rows(above, chance))
        chance = share(b, total, inverse, one, alike, zero)
        store_row(reach, second + h, multiply_rows(above, chance))


@inner_kernel
def _play_three(stored, factor, place, width, zero, one, alike, reach, origin, at):
    """Carry reach below a decision with three actions; zero, one, alike: rows of 0, 1, 1/3."""
    first, second, third = np.uintp(at[_FIRST]), np.uintp(at[_SECOND]), np.uintp(at[_THIRD])
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        a = load_stored(stored, place + h, factor)
        b = load_stored(stored, place + width + h, factor)
        c = load_stored(stored, place + width + width + h, factor)
        total = add_rows(add_rows(larger_rows(a, zero), larger_rows(b, zero)), larger_rows(c, zero))
        inverse = divide_rows(one, total)
        above = load_row(reach, origin + h)
        chance = share(a, total, inverse, one, alike, zero)
        store_row(reach, first + h, multiply_rows(above, chance))
        chance = share(b, total, inverse, one, alike, zero)
        store_row(reach, second + h, multiply_rows(above, chance))
        chance = share(c, total, inverse, one, alike, zero)
        store_row(reach, third + h, multiply_rows(above, chance))


@inner_kernel
def _play_many(stored, factor, place, actions, width, zero, one, alike, reach, origin, at):
    """Carry reach below a decision; zero, one and alike are rows of 0, 1 and 1 / actions."""
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = positive_sum(stored, factor, place + h, actions, width, zero)
        inverse = divide_rows(one, total)
        above = load_row(reach, origin + h)
        for n in range(actions):
            number = load_stored(stored, place + np.uintp(n) * width + h, factor)
            chance = share(number, total, inverse, one, alike, zero)
            store_row(reach, np.uintp(at[np.uintp(n)]) + h, multiply_rows(above, chance))


@inner_kernel
def mean(stored, scales, decision, place, actions, width, shares, value, goal, at):
    """value[goal:] = sum over the actions of their probability times value[at[n]:].

    value: float, in payoff units. All other arguments are those of `play`.
    """
    unit = shares[1]
    factor = scale_of(stored, scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[actions])
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = positive_sum(stored, factor, place + h, actions, width, zero)
        inverse = divide_rows(one, total)
        worth = zero
        for n in range(actions):
            number = load_stored(stored, place + np.uintp(n) * width + h, factor)
            chance = share(number, total, inverse, one, alike, zero)
            child_value = load_row(value, np.uintp(at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, child_value))
        # Last: a compact program keeps a decision's value in its first action's row, read above.
        store_row(value, goal + h, worth)


@inner_kernel
def total_of(value, goal, at, actions, width):
    """value[goal:] = sum over the actions of value[at[n]:]."""
    first, second, third = np.uintp(at[_FIRST]), np.uintp(at[_SECOND]), np.uintp(at[_THIRD])
    if actions == _TWO:
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            total = add_rows(load_row(value, first + h), load_row(value, second + h))
            store_row(value, goal + h, total)
    elif actions == _THREE:
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            total = add_rows(load_row(value, first + h), load_row(value, second + h))
            store_row(value, goal + h, add_rows(total, load_row(value, third + h)))
    else:
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            total = load_row(value, first + h)
            for n in range(np.uintp(1), actions):
                total = add_rows(total, load_row(value, np.uintp(at[np.uintp(n)]) + h))
            store_row(value, goal + h, total)


@inner_kernel
def best_of(value, goal, at, actions, width):
    """value[goal:] = the largest of value[at[n]:]."""
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        best = load_row(value, np.uintp(at[np.uintp(0)]) + h)
        for n in range(np.uintp(1), actions):
            best = larger_or_nan(best, load_row(value, np.uintp(at[np.uintp(n)]) + h))
        store_row(value, goal + h, best)
