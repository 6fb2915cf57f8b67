"""The update of regrets and strategy sums at a decision, sixteen hands at a time.

As in `kernels.poker.decisions`, stored rows are consecutive, from `first_number` on, and
`child_at[n]` is the start of the row of action n elsewhere. Two and three actions, which most
decisions have, are kept in registers: a loop over so few took 4 % of a pass, and loading numbers
twice 11 %.
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
def update_decision(
    played, played_scales, regrets, regret_scales, predicted, predicted_scales, strategy_sums,
    sum_scales, decision, first_number, actions, width, uniform, coefficients, reach, own_reach_at,
    value, value_at, child_at, scratch, next_address,
):  # fmt: skip
    """Value, regrets and strategy sums of one decision, for all hands of its player on a board.

    value[value_at + h] becomes sum_n sigma(n, h) * value[child_at[n] + h], h < width; regrets and
    sums change as in `sequence_form.local_update`. Stored arrays are float32, float64, or int16
    with a scale per decision: [actions][width] numbers from `first_number` on.

    played, played_scales: What is matched: `predicted` if it is not empty, else `regrets`.
    regrets, predicted, strategy_sums, and their scales: Updated in place.
    decision: Index in the scales.
    first_number: Where the decision's numbers begin in the stored arrays.
    actions: Number of actions.
    width: Hands on the board, filled up to a multiple of TILE.
    uniform: float[n + 1], 1 / n at n; its dtype is that of all arithmetic.
    coefficients: float[8], POSITIVE ... WEIGHT, then WEIGH: whether own reach weighs the sums.
    reach: float; own reach of the hands from `own_reach_at` on, read if WEIGH.
    value: float; counterfactual values in payoff units, child n's from child_at[n] on.
    scratch: float[3 * actions * width], for int16 only, as a scale needs the whole decision.
    next_address: Address of what is read next; prefetched.
    """
    if predicted.shape[0] != 0 or actions < _TWO or actions > _THREE:
        _update_many(
            played, played_scales, regrets, regret_scales, predicted, predicted_scales,
            strategy_sums, sum_scales, decision, first_number, actions, width, uniform,
            coefficients, reach, own_reach_at, value, value_at, child_at, scratch, next_address,
        )  # fmt: skip
    elif actions == _THREE:
        _update_three(
            regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, width,
            uniform, coefficients, reach, own_reach_at, value, value_at, child_at, scratch,
            next_address,
        )  # fmt: skip
    else:
        _update_two(
            regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, width,
            uniform, coefficients, reach, own_reach_at, value, value_at, child_at, scratch,
            next_address,
        )  # fmt: skip


@inner_kernel
def _add_up(strategy_sums, where, factor, decay, counts, chance, scratch, scratch_at):
    """Update a strategy sum, stored in place or, for 16 bits, at scratch[scratch_at:]."""
    before = load_stored(strategy_sums, where, factor)
    after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
    if in_16_bits(strategy_sums):
        store_row(scratch, scratch_at, after)
    else:
        store_row(strategy_sums, where, after)
    return after


@inner_kernel
def _regret(regrets, where, before, instant, gain, loss, floor, scratch, scratch_at):
    """Update a regret, stored in place or, for 16 bits, at scratch[scratch_at:]."""
    kept = multiply_rows(where_positive(before, gain, loss), before)
    after = larger_rows(add_rows(kept, instant), floor)
    if in_16_bits(regrets):
        store_row(scratch, scratch_at, after)
    else:
        store_row(regrets, where, after)
    return after


@inner_kernel
def _write_both(
    regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, size, scratch,
    most_regret, most_total,
):  # fmt: skip
    """Store the numbers in `scratch` in 16 bits: sums first, then regrets."""
    none = np.uintp(0)
    write_small(strategy_sums, sum_scales, decision, first_number, size, scratch, none, most_total)
    write_small(regrets, regret_scales, decision, first_number, size, scratch, size, most_regret)


@inner_kernel
def _update_two(
    regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, width, uniform,
    coefficients, reach, own_reach_at, value, value_at, child_at, scratch, next_address,
):  # fmt: skip
    """Update a decision with two actions whose regrets are matched; see `update_decision`."""
    unit = uniform[1]
    factor = scale_of(regrets, regret_scales, decision, unit)
    of_total = scale_of(strategy_sums, sum_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(uniform[_TWO])
    gain, loss = fill_row(coefficients[POSITIVE]), fill_row(coefficients[NEGATIVE])
    floor = fill_row(coefficients[FLOOR])
    decay, weight = fill_row(coefficients[DECAY]), fill_row(coefficients[WEIGHT])
    first, second = np.uintp(child_at[_FIRST]), np.uintp(child_at[_SECOND])
    step = bytes_of_row(regrets)
    size = width + width
    weighs = coefficients[WEIGH] != _ZERO
    most_total, most_regret = zero, zero
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        at_a, at_b = first_number + h, first_number + width + h
        a, b = load_stored(regrets, at_a, factor), load_stored(regrets, at_b, factor)
        of_a, of_b = load_row(value, first + h), load_row(value, second + h)
        total = add_rows(larger_rows(a, zero), larger_rows(b, zero))
        inverse = divide_rows(one, total)
        counts = weight
        if weighs:
            counts = multiply_rows(weight, load_row(reach, own_reach_at + h))
        chance_a = share(a, total, inverse, one, alike, zero)
        chance_b = share(b, total, inverse, one, alike, zero)
        prefetch_address(next_address)
        prefetch_address(next_address + step)
        next_address += step + step
        worth = add_rows(multiply_rows(chance_a, of_a), multiply_rows(chance_b, of_b))
        a_sum = _add_up(strategy_sums, at_a, of_total, decay, counts, chance_a, scratch, h)
        b_sum = _add_up(strategy_sums, at_b, of_total, decay, counts, chance_b, scratch, width + h)
        of_a, of_b = subtract_rows(of_a, worth), subtract_rows(of_b, worth)
        a = _regret(regrets, at_a, a, of_a, gain, loss, floor, scratch, size + h)
        b = _regret(regrets, at_b, b, of_b, gain, loss, floor, scratch, size + width + h)
        store_row(value, value_at + h, worth)
        most_total = larger_size(larger_size(most_total, a_sum), b_sum)
        most_regret = larger_size(larger_size(most_regret, a), b)
    _write_both(
        regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, size, scratch,
        most_regret, most_total,
    )  # fmt: skip


@inner_kernel
def _update_three(
    regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, width, uniform,
    coefficients, reach, own_reach_at, value, value_at, child_at, scratch, next_address,
):  # fmt: skip
    """Update a decision with three actions whose regrets are matched; see `update_decision`."""
    unit = uniform[1]
    factor = scale_of(regrets, regret_scales, decision, unit)
    of_total = scale_of(strategy_sums, sum_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(uniform[_THREE])
    gain, loss = fill_row(coefficients[POSITIVE]), fill_row(coefficients[NEGATIVE])
    floor = fill_row(coefficients[FLOOR])
    decay, weight = fill_row(coefficients[DECAY]), fill_row(coefficients[WEIGHT])
    first, second = np.uintp(child_at[_FIRST]), np.uintp(child_at[_SECOND])
    third = np.uintp(child_at[_THIRD])
    step = bytes_of_row(regrets)
    twice, size = width + width, width + width + width
    weighs = coefficients[WEIGH] != _ZERO
    most_total, most_regret = zero, zero
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        at_a, at_b, at_c = first_number + h, first_number + width + h, first_number + twice + h
        a, b = load_stored(regrets, at_a, factor), load_stored(regrets, at_b, factor)
        c = load_stored(regrets, at_c, factor)
        of_a, of_b = load_row(value, first + h), load_row(value, second + h)
        of_c = load_row(value, third + h)
        total = add_rows(add_rows(larger_rows(a, zero), larger_rows(b, zero)), larger_rows(c, zero))
        inverse = divide_rows(one, total)
        counts = weight
        if weighs:
            counts = multiply_rows(weight, load_row(reach, own_reach_at + h))
        chance_a = share(a, total, inverse, one, alike, zero)
        chance_b = share(b, total, inverse, one, alike, zero)
        chance_c = share(c, total, inverse, one, alike, zero)
        prefetch_address(next_address)
        prefetch_address(next_address + step)
        prefetch_address(next_address + step + step)
        next_address += step + step + step
        worth = add_rows(multiply_rows(chance_a, of_a), multiply_rows(chance_b, of_b))
        worth = add_rows(worth, multiply_rows(chance_c, of_c))
        a_sum = _add_up(strategy_sums, at_a, of_total, decay, counts, chance_a, scratch, h)
        b_sum = _add_up(strategy_sums, at_b, of_total, decay, counts, chance_b, scratch, width + h)
        c_sum = _add_up(strategy_sums, at_c, of_total, decay, counts, chance_c, scratch, twice + h)
        of_a, of_b = subtract_rows(of_a, worth), subtract_rows(of_b, worth)
        of_c = subtract_rows(of_c, worth)
        a = _regret(regrets, at_a, a, of_a, gain, loss, floor, scratch, size + h)
        b = _regret(regrets, at_b, b, of_b, gain, loss, floor, scratch, size + width + h)
        c = _regret(regrets, at_c, c, of_c, gain, loss, floor, scratch, size + twice + h)
        store_row(value, value_at + h, worth)
        most_total = larger_size(larger_size(larger_size(most_total, a_sum), b_sum), c_sum)
        most_regret = larger_size(larger_size(larger_size(most_regret, a), b), c)
    _write_both(
        regrets, regret_scales, strategy_sums, sum_scales, decision, first_number, size, scratch,
        most_regret, most_total,
    )  # fmt: skip


@inner_kernel
def _update_many(
    played, played_scales, regrets, regret_scales, predicted, predicted_scales, strategy_sums,
    sum_scales, decision, first_number, actions, width, uniform, coefficients, reach, own_reach_at,
    value, value_at, child_at, scratch, next_address,
):  # fmt: skip
    """Update a decision with any number of actions; see `update_decision`."""
    unit = uniform[1]
    small = in_16_bits(regrets)
    predicts = predicted.shape[0] != 0
    regret_factor = scale_of(regrets, regret_scales, decision, unit)
    played_factor = scale_of(played, played_scales, decision, unit)
    total_factor = scale_of(strategy_sums, sum_scales, decision, unit)
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(uniform[actions])
    gain, loss = fill_row(coefficients[POSITIVE]), fill_row(coefficients[NEGATIVE])
    floor = fill_row(coefficients[FLOOR])
    ahead, prediction = fill_row(coefficients[LOOKAHEAD]), fill_row(coefficients[PREDICTION])
    decay, weight = fill_row(coefficients[DECAY]), fill_row(coefficients[WEIGHT])
    most_regret, most_match, most_total = zero, zero, zero
    size = actions * width
    step = bytes_of_row(played)
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = positive_sum(played, played_factor, first_number + h, actions, width, zero)
        inverse = divide_rows(one, total)
        counts = weight
        if coefficients[WEIGH] != _ZERO:
            counts = multiply_rows(weight, load_row(reach, own_reach_at + h))
        worth = zero
        for n in range(actions):
            where = first_number + np.uintp(n) * width + h
            number = load_stored(played, where, played_factor)
            chance = share(number, total, inverse, one, alike, zero)
            child_value = load_row(value, np.uintp(child_at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, child_value))
            before = load_stored(strategy_sums, where, total_factor)
            after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
            prefetch_address(next_address)
            next_address += step
            if small:
                store_row(scratch, np.uintp(n) * width + h, after)
                most_total = larger_size(most_total, after)
            else:
                store_row(strategy_sums, where, after)
        for n in range(actions):
            where = first_number + np.uintp(n) * width + h
            before = load_stored(regrets, where, regret_factor)
            child_value = load_row(value, np.uintp(child_at[np.uintp(n)]) + h)
            instant = subtract_rows(child_value, worth)
            kept = multiply_rows(where_positive(before, gain, loss), before)
            after = larger_rows(add_rows(kept, instant), floor)
            guess = after
            if predicts:
                guess = add_rows(multiply_rows(ahead, after), multiply_rows(prediction, instant))
            if small:
                here = size + np.uintp(n) * width + h
                store_row(scratch, here, after)
                most_regret = larger_size(most_regret, after)
                if predicts:
                    store_row(scratch, here + size, guess)
                    most_match = larger_size(most_match, guess)
            else:
                store_row(regrets, where, after)
                if predicts:
                    store_row(predicted, where, guess)
        store_row(value, value_at + h, worth)
    if small:
        none = np.uintp(0)
        write_small(
            strategy_sums, sum_scales, decision, first_number, size, scratch, none, most_total
        )
        write_small(
            regrets, regret_scales, decision, first_number, size, scratch, size, most_regret
        )
        if predicts:
            write_small(
                predicted,
                predicted_scales,
                decision,
                first_number,
                size,
                scratch,
                size + size,
                most_match,
            )


@inner_kernel
def write_small(stored, scales, decision, first_number, size, numbers, start, largest_sizes):
    """Store numbers[start:] in 16 bits; `largest_sizes` are those of its sixteen columns.

    Where one is not finite, no integer stands for it, and the scale is NaN.
    """
    if in_16_bits(stored):
        top = largest(largest_sizes)
        if top < _LEAST:
            # Not 0.0: keeps the float type. Scale 0 marks a decision of numbers all stored as 0.
            top = _ZERO * top
        unusable = top - top  # 0, or NaN
        scales[decision] = top / _MOST + unusable
        if unusable == _ZERO:
            back = fill_row(_MOST / top if top > _ZERO else top)
            for i in range(np.uintp(0), size, _TILE):
                k = np.uintp(i)
                row = multiply_rows(load_row(numbers, start + k), back)
                store_rounded(stored, first_number + k, row)
        else:
            zero = fill_row(_ZERO * _MOST)
            for i in range(np.uintp(0), size, _TILE):
                store_rounded(stored, first_number + np.uintp(i), zero)
