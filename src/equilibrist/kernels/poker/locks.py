"""Decisions at which some probabilities are fixed: one hand after the other, as they are few.

`store.locks[lock:]` are rows like those of the decision: a probability that is fixed, or NaN for
one that is free. Free actions share what the fixed ones leave, by regret matching among themselves.

Frequencies of the range as a whole come behind the rows, AIMS numbers per action: how often it is
to be taken, NaN where that is free; its incentive, which every hand gets that takes it; how often
it was taken when that was last measured; the incentive with what damps it, which is learnt from.
Incentives are the multipliers of the constraints: they follow the gradient, by how much frequencies
are missed. Every way from the decision pays their mean, so that they sum to 0 where the frequencies
are met. LOCK_STATE numbers end the block: the reach of the whole range if it always came here, what
came when that was last measured, the largest spread of values, the most reach that came lately, and
how often incentives were corrected.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import AIMS, TILE
from equilibrist.kernels.poker.postflop_arrays import (
    BEST,
    DECAY,
    FLOOR,
    LOOKAHEAD,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    UPDATE,
    VALUE,
    WEIGH,
    WEIGHT,
)
from equilibrist.kernels.poker.regret_update import write_small
from equilibrist.kernels.poker.tiles import (
    fill_row,
    in_16_bits,
    larger_rows,
    load_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_WANTED, _INCENTIVE, _TAKEN, _DAMPED = (np.uintp(n) for n in range(4))
_WHOLE, _COME, _SPREAD, _MOST, _STEPS = (np.uintp(n) for n in range(5))
_LEAST = np.float32(1e-3)
"""Frequencies of less than this share of the range mean nothing."""
_HEAD_START = np.float32(15.0)
"""Steps that count as made before the first, which would be too long."""
_PACE = np.float32(6.0)
_DAMPING = np.float32(3.0)
"""Steps by which the incentive that is learnt from goes ahead, without which frequencies swing."""
_LEAST_UNIT = np.float32(0.3)
"""Of the largest spread so far, the least that steps are measured by."""
_FADING = np.float32(0.98)
"""What is left of the most reach after an iteration, unless more comes."""


@inner_kernel
def lock_of(lock, decision):
    """Where the locks of a decision begin; -1 if it has none."""
    if lock.shape[0]:
        return lock[decision]
    return np.int64(-1)


@inner_kernel
def _read(stored, scales, decision, place, size, into, start):
    """into[start:] = the numbers of a decision."""
    for i in range(size):
        k = np.uintp(i)
        if in_16_bits(stored):
            into[start + k] = stored[place + k] * scales[decision]
        else:
            into[start + k] = stored[place + k]


@inner_kernel
def _write(stored, scales, decision, place, size, numbers, start):
    """The opposite."""
    if in_16_bits(stored):
        zero = fill_row(_ZERO * numbers[start])
        most = zero
        for i in range(np.uintp(0), size, _TILE):
            row = load_row(numbers, start + np.uintp(i))
            most = larger_rows(most, larger_rows(row, subtract_rows(zero, row)))
        write_small(stored, scales, decision, place, size, numbers, start, most)
    else:
        for i in range(size):
            k = np.uintp(i)
            stored[place + k] = numbers[start + k]


@inner_kernel
def _strategy(store, played, played_scales, decision, place, actions, width, lock, rows):
    """The strategy at a decision with locks, to `rows`."""
    size = actions * width
    none = np.uintp(0)
    _read(played, played_scales, decision, place, size, rows, none)
    locks, start = store.locks, np.uintp(lock)
    for i in range(width):
        h = np.uintp(i)
        fixed, total, free = _ZERO, _ZERO, _ZERO
        for n in range(actions):
            k = np.uintp(n) * width + h
            given = locks[start + k]
            if np.isnan(given):
                total += max(rows[k], _ZERO)
                free += _ONE
            else:
                fixed += given
        left = _ONE - fixed
        for n in range(actions):
            k = np.uintp(n) * width + h
            given = locks[start + k]
            if not np.isnan(given):
                rows[k] = given
            elif total > _ZERO:
                rows[k] = left * (max(rows[k], _ZERO) / total)
            else:
                rows[k] = left / free


@inner_kernel
def play_locked(
    store, played, played_scales, scratch, decision, place, actions, width, lock, reach, origin
):
    """As `decisions.play`."""
    rows, at = scratch.rows, scratch.at
    _strategy(store, played, played_scales, decision, place, actions, width, lock, rows)
    for n in range(actions):
        goal = np.uintp(at[np.uintp(n)])
        row = np.uintp(n) * width
        for i in range(width):
            h = np.uintp(i)
            reach[goal + h] = reach[origin + h] * rows[row + h]


@inner_kernel
def leave_locked(
    store, played, played_scales, scratch, decision, place, actions, width, lock, mode, row,
    reach, origin, value, goal,
):  # fmt: skip
    """As `decisions.mean`, `best_of` or `learn`, by the mode.

    Incentives count, but for values of averages where row[WEIGHT] is 0.
    """
    rows, at, locks = scratch.rows, scratch.at, store.locks
    start, size, none = np.uintp(lock), actions * width, np.uintp(0)
    _strategy(store, played, played_scales, decision, place, actions, width, lock, rows)
    aims = start + size
    if _any_aim(locks, aims, actions) and (mode != VALUE or row[WEIGHT] != _ZERO):
        spread = _spread(actions, width, at, value)
        kind = _DAMPED if mode == UPDATE else _INCENTIVE
        _pay(locks, aims, kind, actions, width, at, value)
        if mode != BEST:
            come = _measure(locks, aims, actions, width, rows, reach, origin)
            if mode == UPDATE:
                _correct(locks, aims, actions, spread, come)
    for i in range(width if mode != UPDATE else none):
        h = np.uintp(i)
        worth, fixed, best, any_free = _ZERO, _ZERO, _ZERO, False
        for n in range(actions):
            k = np.uintp(n) * width + h
            found = value[np.uintp(at[np.uintp(n)]) + h]
            if mode != BEST:
                worth += rows[k] * found
            elif not np.isnan(locks[start + k]):
                worth += rows[k] * found
                fixed += rows[k]
            elif not any_free or found > best:
                best, any_free = found, True
        if mode == BEST and any_free:
            worth += (_ONE - fixed) * best
        value[goal + h] = worth
    if mode == UPDATE:
        _read(store.total, store.total_scale, decision, place, size, rows, size)
        for n in range(actions):
            for i in range(width):
                h = np.uintp(i)
                k = np.uintp(n) * width + h
                counts = row[WEIGHT] * reach[origin + h] if row[WEIGH] != _ZERO else row[WEIGHT]
                rows[size + k] = row[DECAY] * rows[size + k] + counts * rows[k]
        _write(store.total, store.total_scale, decision, place, size, rows, size)
        _read(store.regret, store.regret_scale, decision, place, size, rows, size)
        for i in range(width):
            h = np.uintp(i)
            _learn_hand(h, actions, width, size, start, locks, rows, at, value, goal + h, row)
        _write(store.regret, store.regret_scale, decision, place, size, rows, size)
        if store.match.shape[0]:
            _write(store.match, store.match_scale, decision, place, size, rows, none)


@inner_kernel
def _learn_hand(h, actions, width, size, start, locks, rows, at, value, goal, row):
    """value[goal], and regrets of the free actions, measured against their mean.

    Predictions go to rows[0:].
    """
    worth, mean, share = _ZERO, _ZERO, _ZERO
    for n in range(actions):
        k = np.uintp(n) * width + h
        worth += rows[k] * value[np.uintp(at[np.uintp(n)]) + h]
        if np.isnan(locks[start + k]):
            share += rows[k]
    if share > _ZERO:
        for n in range(actions):
            k = np.uintp(n) * width + h
            if np.isnan(locks[start + k]):
                mean += rows[k] / share * value[np.uintp(at[np.uintp(n)]) + h]
    for n in range(actions):
        k = np.uintp(n) * width + h
        instant = value[np.uintp(at[np.uintp(n)]) + h] - mean
        if share <= _ZERO or not np.isnan(locks[start + k]):
            instant = _ZERO * instant
        regret = rows[size + k]
        kept = (row[POSITIVE] if regret > _ZERO else row[NEGATIVE]) * regret
        rows[size + k] = max(kept + instant, row[FLOOR])
        rows[k] = row[LOOKAHEAD] * rows[size + k] + row[PREDICTION] * instant
    value[goal] = worth


@inner_kernel
def _any_aim(locks, aims, actions):
    """Whether a decision has frequencies."""
    given = False
    for n in range(actions):
        given |= not np.isnan(locks[aims + np.uintp(n)])
    return given


@inner_kernel
def _spread(actions, width, at, value):
    """How far what a hand's actions are worth lies apart, the mean of those worth anything."""
    spread, hands = _ZERO, _ZERO
    for i in range(width):
        h = np.uintp(i)
        low = high = value[np.uintp(at[np.uintp(0)]) + h]
        for n in range(actions):
            found = value[np.uintp(at[np.uintp(n)]) + h]
            low, high = min(low, found), max(high, found)
        spread += high - low
        hands += _ONE if low != _ZERO or high != _ZERO else _ZERO
    return spread / max(hands, _ONE)


@inner_kernel
def _pay(locks, aims, kind, actions, width, at, value):
    """Add incentives to the values of actions, less the mean that all of them pay."""
    incentives, mean = aims + kind * actions, _ZERO
    for n in range(actions):
        k = np.uintp(n)
        if not np.isnan(locks[aims + k]):
            mean += locks[aims + k] * locks[incentives + k]
    for n in range(actions):
        k = np.uintp(n)
        more, goal = locks[incentives + k] - mean, np.uintp(at[k])
        for i in range(width):
            value[goal + np.uintp(i)] += more


@inner_kernel
def _measure(locks, aims, actions, width, rows, reach, origin):
    """How often those who come here take the actions with a frequency; NaN if hardly any come.

    Returns the reach of all who come, and keeps it.
    """
    taken, state = aims + _TAKEN * actions, aims + np.uintp(AIMS) * actions
    come = _ZERO
    for i in range(width):
        come += reach[origin + np.uintp(i)]
    locks[state + _COME] = come
    for n in range(actions):
        k = np.uintp(n)
        if not np.isnan(locks[aims + k]):
            found = _ZERO
            for i in range(width):
                h = np.uintp(i)
                found += reach[origin + h] * rows[k * width + h]
            some = come > _LEAST * locks[state + _WHOLE]
            locks[taken + k] = found / come if some else np.float32(np.nan)
    return come


@inner_kernel
def _correct(locks, aims, actions, spread, come):
    """A step of the incentives along what is missed, over the root of the steps so far.

    Its unit is the spread of values, or a part of the largest so far: where nothing is at stake
    frequencies are to be met, too. It counts as much as hands come, measured by the most that came
    lately.
    """
    state = aims + np.uintp(AIMS) * actions
    locks[state + _SPREAD] = max(locks[state + _SPREAD], spread)
    locks[state + _MOST] = max(_FADING * locks[state + _MOST], come)
    locks[state + _STEPS] += _ONE
    unit = _PACE * max(spread, _LEAST_UNIT * locks[state + _SPREAD])
    if unit <= _ZERO:  # the other player has never come: what is played here costs nothing
        unit = _ONE
    length = unit / np.sqrt(_HEAD_START + locks[state + _STEPS])
    for n in range(actions):
        k = aims + np.uintp(n)
        missed = locks[k] - locks[k + _TAKEN * actions]
        step = _ZERO
        if not np.isnan(missed):
            step = length * missed * (come / locks[state + _MOST])
            locks[k + _INCENTIVE * actions] += step
        locks[k + _DAMPED * actions] = locks[k + _INCENTIVE * actions] + _DAMPING * step
