"""What a player does at one decision, and what he learns there: sixteen hands at a time.

What is stored of a decision are rows of `width` hands, one row per action, one after the other,
from `place` on. They are stored as they are, or in 16 bits with a scale per decision; which of the
two is known when a kernel is compiled, so that one branch is left. Rows of reach and values are
elsewhere: `at[n]` is where the row of action n begins. Values of a decision may replace those of
its first action.

Functions take arrays, not the NamedTuples they come in, which need not be taken apart at every
step. What is done most often is compiled apart for two and for three actions, which most decisions
have: a loop over a known few is none, which takes 4 % off a pass.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.postflop_arrays import (
    DECAY,
    FLOOR,
    LOOKAHEAD,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    WEIGH,
    WEIGHT,
)
from equilibrist.kernels.prefetch import prefetch_address
from equilibrist.kernels.tiles import (
    add_rows,
    divide_rows,
    fill_row,
    in_16_bits,
    larger_rows,
    largest,
    load_row,
    load_stored,
    multiply_rows,
    store_rounded,
    store_row,
    subtract_rows,
    where_equal,
    where_positive,
)

_TILE = np.uintp(TILE)
_TWO, _THREE = np.uintp(2), np.uintp(3)
_ZERO = np.float32(0.0)
_MOST = np.float32(32767.0)
_LEAST = np.float32(1e-30)
"""Numbers below are stored as 0: their reciprocals are near the end of what float32 holds."""


@inner_kernel
def scale_of(stored, scales, decision, like):
    """A row of what the numbers of a decision are multiplied by, as the number `like` is."""
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
    """The probability of an action with that number; total is the sum of all positive ones.

    A product with the reciprocal, but what a hand always does has probability 1 to the last bit,
    so that regrets which should be 0 are.
    """
    part = larger_rows(number, zero)
    found = where_equal(part, total, one, multiply_rows(part, inverse))
    return where_positive(total, found, alike)


@inner_kernel
def play(stored, scales, decision, place, actions, width, shares, reach, origin, at):
    """reach[at[n]:] = reach[origin:] times the probability of action n."""
    if actions == _TWO:
        _play(stored, scales, decision, place, _TWO, width, shares, reach, origin, at)
    elif actions == _THREE:
        _play(stored, scales, decision, place, _THREE, width, shares, reach, origin, at)
    else:
        _play(stored, scales, decision, place, actions, width, shares, reach, origin, at)


@inner_kernel
def _play(stored, scales, decision, place, actions, width, shares, reach, origin, at):
    unit = shares[1]
    factor = scale_of(stored, scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[actions])
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
    """value[goal:] = sum over the actions of their probability times value[at[n]:]."""
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
            found = load_row(value, np.uintp(at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, found))
        store_row(value, goal + h, worth)


@inner_kernel
def total_of(value, goal, at, actions, width):
    """value[goal:] = sum over the actions of value[at[n]:]."""
    if actions == _TWO:
        _total_of(value, goal, at, _TWO, width)
    elif actions == _THREE:
        _total_of(value, goal, at, _THREE, width)
    else:
        _total_of(value, goal, at, actions, width)


@inner_kernel
def _total_of(value, goal, at, actions, width):
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = load_row(value, np.uintp(at[np.uintp(0)]) + h)
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
            best = larger_rows(best, load_row(value, np.uintp(at[np.uintp(n)]) + h))
        store_row(value, goal + h, best)


@inner_kernel
def learn(
    played, played_scales, regrets, regret_scales, matched, match_scales, totals, total_scales,
    decision, place, actions, width, shares, row, reach, origin, value, goal, at, new, coming,
):  # fmt: skip
    """`mean`, and the update of regrets and strategy sums by the seven numbers of `row`.

    `played` is what is matched: `matched` if that has a length, for variants that predict, else
    `regrets`. With row[WEIGH] the sums are weighted by reach[origin:], the player's own. `new` is
    scratch of three times the numbers of a decision; only 16-bit numbers pass through it, since
    their scale is known when all of them are. `coming` is the address of as many numbers that are
    read soon: they are loaded meanwhile.
    """
    if actions == _TWO:
        _learn(
            played, played_scales, regrets, regret_scales, matched, match_scales, totals,
            total_scales, decision, place, _TWO, width, shares, row, reach, origin, value, goal, at,
            new, coming,
        )  # fmt: skip
    elif actions == _THREE:
        _learn(
            played, played_scales, regrets, regret_scales, matched, match_scales, totals,
            total_scales, decision, place, _THREE, width, shares, row, reach, origin, value, goal,
            at, new, coming,
        )  # fmt: skip
    else:
        _learn(
            played, played_scales, regrets, regret_scales, matched, match_scales, totals,
            total_scales, decision, place, actions, width, shares, row, reach, origin, value, goal,
            at, new, coming,
        )  # fmt: skip


@inner_kernel
def _learn(
    played, played_scales, regrets, regret_scales, matched, match_scales, totals, total_scales,
    decision, place, actions, width, shares, row, reach, origin, value, goal, at, new, coming,
):  # fmt: skip
    unit = shares[1]
    small = in_16_bits(regrets)
    predicts = matched.shape[0] != 0
    regret_factor = scale_of(regrets, regret_scales, decision, unit)
    played_factor = scale_of(played, played_scales, decision, unit)
    total_factor = scale_of(totals, total_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[actions])
    gain, loss, floor = fill_row(row[POSITIVE]), fill_row(row[NEGATIVE]), fill_row(row[FLOOR])
    ahead, foresee = fill_row(row[LOOKAHEAD]), fill_row(row[PREDICTION])
    decay, weight = fill_row(row[DECAY]), fill_row(row[WEIGHT])
    most_regret, most_match, most_total = zero, zero, zero
    size = actions * width
    step = _TILE * np.uintp(played.itemsize)
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = positive_sum(played, played_factor, place + h, actions, width, zero)
        inverse = divide_rows(one, total)
        counts = weight
        if row[WEIGH] != _ZERO:
            counts = multiply_rows(weight, load_row(reach, origin + h))
        worth = zero
        for n in range(actions):
            where = place + np.uintp(n) * width + h
            number = load_stored(played, where, played_factor)
            chance = share(number, total, inverse, one, alike, zero)
            found = load_row(value, np.uintp(at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, found))
            before = load_stored(totals, where, total_factor)
            after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
            prefetch_address(coming)
            coming += step
            if small:
                store_row(new, np.uintp(n) * width + h, after)
                most_total = larger_rows(most_total, after)
            else:
                store_row(totals, where, after)
        for n in range(actions):
            where = place + np.uintp(n) * width + h
            before = load_stored(regrets, where, regret_factor)
            found = load_row(value, np.uintp(at[np.uintp(n)]) + h)
            instant = subtract_rows(found, worth)
            kept = multiply_rows(where_positive(before, gain, loss), before)
            after = larger_rows(add_rows(kept, instant), floor)
            guess = after
            if predicts:
                guess = add_rows(multiply_rows(ahead, after), multiply_rows(foresee, instant))
            if small:
                here = size + np.uintp(n) * width + h
                store_row(new, here, after)
                most_regret = larger_rows(
                    most_regret, larger_rows(after, subtract_rows(zero, after))
                )
                if predicts:
                    store_row(new, here + size, guess)
                    most_match = larger_rows(
                        most_match, larger_rows(guess, subtract_rows(zero, guess))
                    )
            else:
                store_row(regrets, where, after)
                if predicts:
                    store_row(matched, where, guess)
        store_row(value, goal + h, worth)
    if small:
        none = np.uintp(0)
        write_small(totals, total_scales, decision, place, size, new, none, most_total)
        write_small(regrets, regret_scales, decision, place, size, new, size, most_regret)
        if predicts:
            write_small(matched, match_scales, decision, place, size, new, size + size, most_match)


@inner_kernel
def write_small(stored, scales, decision, place, size, numbers, start, most):
    """Store numbers[start:] in 16 bits; `most` has the largest magnitudes of sixteen columns."""
    if in_16_bits(stored):
        top = largest(most)
        if top < _LEAST:
            top = _ZERO * top
        scales[decision] = top / _MOST
        back = fill_row(_MOST / top if top > _ZERO else top)
        for i in range(np.uintp(0), size, _TILE):
            k = np.uintp(i)
            store_rounded(stored, place + k, multiply_rows(load_row(numbers, start + k), back))
