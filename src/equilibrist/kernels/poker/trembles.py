"""Decisions at which every action has a least probability, sixteen hands at a time.

What is played is (1 - actions * least) * sigma + least, where sigma matches regrets. Regrets are
those of sigma against the values of what is played; values and strategy sums are those of what is
played, as in `kernels.sequence_form.mixed_play`. What is played stands in `Store.match`, so that
`decisions.play` and all readers of strategy sums need to know of no trembles. Numbers are not in 16
bits, whose steps are larger than small trembles.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.decisions import positive_sum, share
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
from equilibrist.kernels.poker.row_choices import larger_or_nan, larger_rows, where_positive
from equilibrist.kernels.poker.tiles import (
    add_rows,
    divide_rows,
    fill_row,
    load_row,
    load_stored,
    multiply_rows,
    store_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)


@inner_kernel
def update_trembling(
    regrets, played, strategy_sums, first_number, actions, width, uniform, least, coefficients,
    reach, own_reach_at, value, value_at, child_at,
):  # fmt: skip
    """Value, regrets, play and strategy sums of one decision, for all hands of its player.

    As `regret_update.update_decision`, for floats alone.

    played: float, what is played there, zeros for uniform; becomes what the next iteration plays.
    least: float[1], the least probability of an action, below 1 / actions.
    """
    unit = uniform[1]
    zero, one, alike = fill_row(_ZERO * unit), fill_row(unit), fill_row(uniform[actions])
    gain, loss = fill_row(coefficients[POSITIVE]), fill_row(coefficients[NEGATIVE])
    floor = fill_row(coefficients[FLOOR])
    ahead, prediction = fill_row(coefficients[LOOKAHEAD]), fill_row(coefficients[PREDICTION])
    decay, weight = fill_row(coefficients[DECAY]), fill_row(coefficients[WEIGHT])
    always, free = fill_row(least[0]), zero
    for _ in range(actions):
        free = add_rows(free, always)
    free = subtract_rows(one, free)
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        total = positive_sum(played, one, first_number + h, actions, width, zero)
        inverse = divide_rows(one, total)
        counts = weight
        if coefficients[WEIGH] != _ZERO:
            counts = multiply_rows(weight, load_row(reach, own_reach_at + h))
        worth, slips = zero, zero
        for n in range(actions):
            where = first_number + np.uintp(n) * width + h
            chance = share(load_stored(played, where, one), total, inverse, one, alike, zero)
            child_value = load_row(value, np.uintp(child_at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, child_value))
            slips = add_rows(slips, multiply_rows(always, child_value))
            before = load_stored(strategy_sums, where, one)
            after = add_rows(multiply_rows(decay, before), multiply_rows(counts, chance))
            store_row(strategy_sums, where, after)
        learnt = divide_rows(subtract_rows(worth, slips), free)  # what sigma is worth
        total = zero
        for n in range(actions):
            where = first_number + np.uintp(n) * width + h
            child_value = load_row(value, np.uintp(child_at[np.uintp(n)]) + h)
            instant = subtract_rows(child_value, learnt)
            before = load_stored(regrets, where, one)
            kept = multiply_rows(where_positive(before, gain, loss), before)
            after = larger_rows(add_rows(kept, instant), floor)
            store_row(regrets, where, after)
            guess = add_rows(multiply_rows(ahead, after), multiply_rows(prediction, instant))
            store_row(played, where, guess)
            total = add_rows(total, larger_rows(guess, zero))
        inverse = divide_rows(one, total)
        for n in range(actions):
            where = first_number + np.uintp(n) * width + h
            chance = share(load_stored(played, where, one), total, inverse, one, alike, zero)
            store_row(played, where, add_rows(multiply_rows(free, chance), always))
        store_row(value, value_at + h, worth)


@inner_kernel
def best_trembling(value, goal, at, actions, width, least):
    """value[goal:] = what the best action is worth if all others are played by mistake, too.

    least: float[1], the least probability of an action. Other arguments as in `decisions.best_of`.
    """
    one, always = fill_row(least[0] / least[0]), fill_row(least[0])
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        best = load_row(value, np.uintp(at[np.uintp(0)]) + h)
        slips, free = multiply_rows(always, best), subtract_rows(one, always)
        for n in range(np.uintp(1), actions):
            child_value = load_row(value, np.uintp(at[np.uintp(n)]) + h)
            best = larger_or_nan(best, child_value)
            slips = add_rows(slips, multiply_rows(always, child_value))
            free = subtract_rows(free, always)
        store_row(value, goal + h, add_rows(multiply_rows(free, best), slips))
