"""Decisions at which some probabilities are fixed: one hand after the other, as they are few.

`store.locks[lock:]` are rows like those of the decision: a probability that is fixed, or NaN for
one that is free. Free actions share what the fixed ones leave, by regret matching among themselves.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.learning import write_small
from equilibrist.kernels.postflop_arrays import (
    BEST,
    DECAY,
    FLOOR,
    LOOKAHEAD,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    UPDATE,
    WEIGH,
    WEIGHT,
)
from equilibrist.kernels.tiles import (
    fill_row,
    in_16_bits,
    larger_rows,
    load_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


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
    """As `decisions.mean`, `best_of` or `learn`, by the mode."""
    rows, at, locks = scratch.rows, scratch.at, store.locks
    start, size, none = np.uintp(lock), actions * width, np.uintp(0)
    _strategy(store, played, played_scales, decision, place, actions, width, lock, rows)
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
