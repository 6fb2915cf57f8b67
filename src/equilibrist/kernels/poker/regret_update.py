"""The update of regrets and strategy sums at a decision, sixteen hands at a time.

As in `kernels.poker.decisions`, stored rows are consecutive from `place` on, and `at[n]` is the
start of the row of action n elsewhere. Two and three actions, which most decisions have, are kept
in registers: a loop over so few took 4 % of a pass, and loading numbers twice 11 %.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.decisions import positive_sum, scale_of, share
from equilibrist.kernels.poker.postflop_arrays import (
    DECAY,
    FLOOR,
    LOOKAHEAD,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    WEIGH,
    WEIGHT,
)
from equilibrist.kernels.poker.row_choices import (
    larger_rows,
    larger_size,
    largest,
    where_positive,
)
from equilibrist.kernels.poker.tiles import (
    add_rows,
    divide_rows,
    fill_row,
    in_16_bits,
    load_row,
    load_stored,
    multiply_rows,
    store_rounded,
    store_row,
    subtract_rows,
)
from equilibrist.kernels.primitives.prefetch import bytes_of_row, prefetch_address

_TILE = np.uintp(TILE)
_TWO, _THREE = np.uintp(2), np.uintp(3)
_FIRST, _SECOND, _THIRD = np.uintp(0), np.uintp(1), np.uintp(2)
_ZERO = np.float32(0.0)
_MOST = np.float32(32767.0)
_LEAST = np.float32(1e-30)
"""Smaller numbers are stored as 0: their reciprocals are near the limit of float32."""


@inner_kernel
def learn(
    played, played_scales, regrets, regret_scales, matched, match_scales, totals, total_scales,
    decision, place, actions, width, shares, row, reach, origin, value, goal, at, new, coming,
):  # fmt: skip
    """`mean`, and the update of regrets and strategy sums by the seven numbers of `row`.

    `played` are the numbers to match: `matched` for variants that predict (then it is not empty),
    else `regrets`. With row[WEIGH] the sums are weighted by the player's own reach[origin:]. `new`
    is scratch of three times the numbers of a decision; only 16-bit numbers pass through it, since
    their scale depends on all of them. `coming` is the address of numbers to prefetch.
    """
    if matched.shape[0] != 0 or actions < _TWO or actions > _THREE:
        _learn_many(
            played, played_scales, regrets, regret_scales, matched, match_scales, totals,
            total_scales, decision, place, actions, width, shares, row, reach, origin, value, goal,
            at, new, coming,
        )  # fmt: skip
    elif actions == _THREE:
        _learn_three(
            regrets, regret_scales, totals, total_scales, decision, place, width, shares, row,
            reach, origin, value, goal, at, new, coming,
        )  # fmt: skip
    else:
        _learn_two(
            regrets, regret_scales, totals, total_scales, decision, place, width, shares, row,
            reach, origin, value, goal, at, new, coming,
        )  # fmt: skip


@inner_kernel
def _add_up(totals, where, factor, decay, counts, chance, new, spot):
    """Update a strategy sum, stored in place or, for 16 bits, at new[spot:]."""
    before = load_stored(totals, where, factor)
    after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
    if in_16_bits(totals):
        store_row(new, spot, after)
    else:
        store_row(totals, where, after)
    return after


@inner_kernel
def _regret(regrets, where, before, instant, gain, loss, floor, new, spot):
    """Update a regret, stored likewise."""
    kept = multiply_rows(where_positive(before, gain, loss), before)
    after = larger_rows(add_rows(kept, instant), floor)
    if in_16_bits(regrets):
        store_row(new, spot, after)
    else:
        store_row(regrets, where, after)
    return after


@inner_kernel
def _write_both(
    regrets, regret_scales, totals, total_scales, decision, place, size, new, most_regret,
    most_total,
):  # fmt: skip
    """Store the numbers in the scratch `new` in 16 bits: sums first, then regrets."""
    none = np.uintp(0)
    write_small(totals, total_scales, decision, place, size, new, none, most_total)
    write_small(regrets, regret_scales, decision, place, size, new, size, most_regret)


@inner_kernel
def _learn_two(
    regrets, regret_scales, totals, total_scales, decision, place, width, shares, row, reach,
    origin, value, goal, at, new, coming,
):  # fmt: skip
    """`learn` for two actions whose regrets are matched."""
    unit = shares[1]
    factor = scale_of(regrets, regret_scales, decision, unit)
    of_total = scale_of(totals, total_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[_TWO])
    gain, loss, floor = fill_row(row[POSITIVE]), fill_row(row[NEGATIVE]), fill_row(row[FLOOR])
    decay, weight = fill_row(row[DECAY]), fill_row(row[WEIGHT])
    first, second = np.uintp(at[_FIRST]), np.uintp(at[_SECOND])
    step = bytes_of_row(regrets)
    size = width + width
    weighs = row[WEIGH] != _ZERO
    most_total, most_regret = zero, zero
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        at_a, at_b = place + h, place + width + h
        a, b = load_stored(regrets, at_a, factor), load_stored(regrets, at_b, factor)
        of_a, of_b = load_row(value, first + h), load_row(value, second + h)
        total = add_rows(larger_rows(a, zero), larger_rows(b, zero))
        inverse = divide_rows(one, total)
        counts = weight
        if weighs:
            counts = multiply_rows(weight, load_row(reach, origin + h))
        chance_a = share(a, total, inverse, one, alike, zero)
        chance_b = share(b, total, inverse, one, alike, zero)
        prefetch_address(coming)
        prefetch_address(coming + step)
        coming += step + step
        worth = add_rows(multiply_rows(chance_a, of_a), multiply_rows(chance_b, of_b))
        a_sum = _add_up(totals, at_a, of_total, decay, counts, chance_a, new, h)
        b_sum = _add_up(totals, at_b, of_total, decay, counts, chance_b, new, width + h)
        of_a, of_b = subtract_rows(of_a, worth), subtract_rows(of_b, worth)
        a = _regret(regrets, at_a, a, of_a, gain, loss, floor, new, size + h)
        b = _regret(regrets, at_b, b, of_b, gain, loss, floor, new, size + width + h)
        store_row(value, goal + h, worth)
        most_total = larger_size(larger_size(most_total, a_sum), b_sum)
        most_regret = larger_size(larger_size(most_regret, a), b)
    _write_both(
        regrets, regret_scales, totals, total_scales, decision, place, size, new, most_regret,
        most_total,
    )  # fmt: skip


@inner_kernel
def _learn_three(
    regrets, regret_scales, totals, total_scales, decision, place, width, shares, row, reach,
    origin, value, goal, at, new, coming,
):  # fmt: skip
    """`learn` for three actions whose regrets are matched."""
    unit = shares[1]
    factor = scale_of(regrets, regret_scales, decision, unit)
    of_total = scale_of(totals, total_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(shares[_THREE])
    gain, loss, floor = fill_row(row[POSITIVE]), fill_row(row[NEGATIVE]), fill_row(row[FLOOR])
    decay, weight = fill_row(row[DECAY]), fill_row(row[WEIGHT])
    first, second, third = np.uintp(at[_FIRST]), np.uintp(at[_SECOND]), np.uintp(at[_THIRD])
    step = bytes_of_row(regrets)
    twice, size = width + width, width + width + width
    weighs = row[WEIGH] != _ZERO
    most_total, most_regret = zero, zero
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        at_a, at_b, at_c = place + h, place + width + h, place + twice + h
        a, b = load_stored(regrets, at_a, factor), load_stored(regrets, at_b, factor)
        c = load_stored(regrets, at_c, factor)
        of_a, of_b = load_row(value, first + h), load_row(value, second + h)
        of_c = load_row(value, third + h)
        total = add_rows(add_rows(larger_rows(a, zero), larger_rows(b, zero)), larger_rows(c, zero))
        inverse = divide_rows(one, total)
        counts = weight
        if weighs:
            counts = multiply_rows(weight, load_row(reach, origin + h))
        chance_a = share(a, total, inverse, one, alike, zero)
        chance_b = share(b, total, inverse, one, alike, zero)
        chance_c = share(c, total, inverse, one, alike, zero)
        prefetch_address(coming)
        prefetch_address(coming + step)
        prefetch_address(coming + step + step)
        coming += step + step + step
        worth = add_rows(multiply_rows(chance_a, of_a), multiply_rows(chance_b, of_b))
        worth = add_rows(worth, multiply_rows(chance_c, of_c))
        a_sum = _add_up(totals, at_a, of_total, decay, counts, chance_a, new, h)
        b_sum = _add_up(totals, at_b, of_total, decay, counts, chance_b, new, width + h)
        c_sum = _add_up(totals, at_c, of_total, decay, counts, chance_c, new, twice + h)
        of_a, of_b = subtract_rows(of_a, worth), subtract_rows(of_b, worth)
        of_c = subtract_rows(of_c, worth)
        a = _regret(regrets, at_a, a, of_a, gain, loss, floor, new, size + h)
        b = _regret(regrets, at_b, b, of_b, gain, loss, floor, new, size + width + h)
        c = _regret(regrets, at_c, c, of_c, gain, loss, floor, new, size + twice + h)
        store_row(value, goal + h, worth)
        most_total = larger_size(larger_size(larger_size(most_total, a_sum), b_sum), c_sum)
        most_regret = larger_size(larger_size(larger_size(most_regret, a), b), c)
    _write_both(
        regrets, regret_scales, totals, total_scales, decision, place, size, new, most_regret,
        most_total,
    )  # fmt: skip


@inner_kernel
def _learn_many(
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
    ahead, prediction = fill_row(row[LOOKAHEAD]), fill_row(row[PREDICTION])
    decay, weight = fill_row(row[DECAY]), fill_row(row[WEIGHT])
    most_regret, most_match, most_total = zero, zero, zero
    size = actions * width
    step = bytes_of_row(played)
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
                most_total = larger_size(most_total, after)
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
                guess = add_rows(multiply_rows(ahead, after), multiply_rows(prediction, instant))
            if small:
                here = size + np.uintp(n) * width + h
                store_row(new, here, after)
                most_regret = larger_size(most_regret, after)
                if predicts:
                    store_row(new, here + size, guess)
                    most_match = larger_size(most_match, guess)
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
    """Store numbers[start:] in 16 bits; `most` has the largest magnitudes of sixteen columns.

    Where one is not finite, no integer stands for it, and the scale is NaN.
    """
    if in_16_bits(stored):
        top = largest(most)
        if top < _LEAST:
            top = _ZERO * top
        unusable = top - top  # 0, or NaN
        scales[decision] = top / _MOST + unusable
        if unusable == _ZERO:
            back = fill_row(_MOST / top if top > _ZERO else top)
            for i in range(np.uintp(0), size, _TILE):
                k = np.uintp(i)
                row = multiply_rows(load_row(numbers, start + k), back)
                store_rounded(stored, place + k, row)
        else:
            zero = fill_row(_ZERO * _MOST)
            for i in range(np.uintp(0), size, _TILE):
                store_rounded(stored, place + np.uintp(i), zero)
