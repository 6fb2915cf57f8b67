"""Locked decisions: one hand at a time, since they are few.

`locks.numbers[lock:]` are rows like those of the decision: a fixed probability, or NaN if free.
Free actions share the remaining probability by regret matching among themselves.

The frequencies of the range as a whole follow the rows, FREQUENCY_FIELDS numbers per action: the
target frequency, NaN if free; the incentive, which every hand that takes the action receives; the
frequency when last measured; and the damped incentive, which enters the updates. Incentives are
Lagrange multipliers of the constraints: they follow the gradient, the frequency errors. Every
action pays their mean, so that they sum to 0 when the frequencies are met. LOCK_STATE numbers end
the block: the reach of the whole range if it always came here, the reach when last measured, the
largest spread of values, the largest recent reach, and the number of corrections.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import FREQUENCY_FIELDS, TILE
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
from equilibrist.kernels.poker.row_choices import (
    larger_size,
)
from equilibrist.kernels.poker.tiles import (
    in_16_bits,
    load_row,
    subtract_rows,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_WANTED, INCENTIVE, TAKEN, DAMPED = (np.uintp(n) for n in range(4))
WHOLE, COME, _SPREAD, _MOST, _STEPS = (np.uintp(n) for n in range(5))
LEAST_REACH = np.float32(1e-3)
"""Frequencies of a smaller share of the range are not measured."""
_HEAD_START = np.float32(15.0)
"""An offset to the number of steps, which shortens the first ones."""
_PACE = np.float32(6.0)
_DAMPING = np.float32(3.0)
"""Steps by which the damped incentive extrapolates; without it frequencies oscillate."""
_LEAST_UNIT = np.float32(0.3)
"""The smallest unit of steps, as a fraction of the largest spread so far."""
_FADING = np.float32(0.98)
"""The decay of the largest recent reach per iteration."""


@inner_kernel
def lock_of(locks, decision):
    """The start of a decision's locks; -1 if it has none."""
    if locks.start.shape[0]:
        return locks.start[decision]
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
    """The numbers of a decision = numbers[start:]."""
    if in_16_bits(stored):
        first = load_row(numbers, start)
        most = subtract_rows(first, first)  # 0, never minus 0, which `larger_size` takes for large
        for i in range(np.uintp(0), size, _TILE):
            row = load_row(numbers, start + np.uintp(i))
            most = larger_size(most, row)
        write_small(stored, scales, decision, place, size, numbers, start, most)
    else:
        for i in range(size):
            k = np.uintp(i)
            stored[place + k] = numbers[start + k]


@inner_kernel
def _locked_strategy(locks, played, played_scales, decision, place, actions, width, lock, rows):
    """Write the strategy at a locked decision to rows[0 : actions * width], action by action."""
    size = actions * width
    none = np.uintp(0)
    _read(played, played_scales, decision, place, size, rows, none)
    numbers, start = locks.numbers, np.uintp(lock)
    for i in range(width):
        h = np.uintp(i)
        fixed, total, free = _ZERO, _ZERO, _ZERO
        for n in range(actions):
            k = np.uintp(n) * width + h
            locked_probability = numbers[start + k]
            if np.isnan(locked_probability):
                total += max(rows[k], _ZERO)
                free += _ONE
            else:
                fixed += locked_probability
        left = _ONE - fixed
        for n in range(actions):
            k = np.uintp(n) * width + h
            locked_probability = numbers[start + k]
            if not np.isnan(locked_probability):
                rows[k] = locked_probability
            elif total <= _ZERO:
                rows[k] = left / free
            else:  # a total that is NaN is kept
                rows[k] = left * (max(rows[k], _ZERO) / total)


@inner_kernel
def play_locked(
    locks, played, played_scales, scratch, decision, place, actions, width, lock, reach, origin
):
    """Carry a player's reach below a decision with locked hands.

    reach[at[n] + h] = reach[origin + h] * sigma(n, h). Locked actions keep their probability, free
    ones share the rest by regret matching. lock: where the decision's block begins in
    `locks.numbers`, as `lock_of` returns it.
    """
    rows, at = scratch.rows, scratch.at
    _locked_strategy(locks, played, played_scales, decision, place, actions, width, lock, rows)
    for n in range(actions):
        goal = np.uintp(at[np.uintp(n)])
        row = np.uintp(n) * width
        for i in range(width):
            h = np.uintp(i)
            reach[goal + h] = reach[origin + h] * rows[row + h]


@inner_kernel
def leave_locked(
    locks, store, played, played_scales, scratch, decision, place, actions, width, lock, mode, row,
    reach, origin, value, goal,
):  # fmt: skip
    """Value a decision with locked hands, and with UPDATE update its regrets and sums.

    value[goal + h] becomes the mean over the actions, or with BEST that of the locked part and the
    best free action. `row` are the coefficients of the variant, see `postflop_arrays`.
    Incentives are included, except in values of averages with row[WEIGHT] = 0.

    locks: Locks. store: Store. played, played_scales: what is matched. scratch: Scratch. place:
    where the decision's numbers begin. width: hands, filled up to a multiple of TILE. lock: where
    its block begins in `locks.numbers`. mode: UPDATE, VALUE, BEST or UNLOCKED. reach: own reach
    from `origin` on. value: float, child n's from scratch.at[n] on, in payoff units.
    """
    rows, at, numbers = scratch.rows, scratch.at, locks.numbers
    start, size, none = np.uintp(lock), actions * width, np.uintp(0)
    _locked_strategy(locks, played, played_scales, decision, place, actions, width, lock, rows)
    targets = start + size
    if has_target(numbers, targets, actions) and (mode != VALUE or row[WEIGHT] != _ZERO):
        spread = _spread(actions, width, at, value)
        kind = DAMPED if mode == UPDATE else INCENTIVE
        _pay(numbers, targets, kind, actions, width, at, value)
        if mode != BEST:
            come = _measure(numbers, targets, actions, width, rows, reach, origin)
            if mode == UPDATE:
                correct_incentives(numbers, targets, actions, spread, come)
    for i in range(width if mode != UPDATE else none):
        h = np.uintp(i)
        worth, fixed, best, any_free = _ZERO, _ZERO, _ZERO, False
        for n in range(actions):
            k = np.uintp(n) * width + h
            child_value = value[np.uintp(at[np.uintp(n)]) + h]
            if mode != BEST:
                worth += rows[k] * child_value
            elif not np.isnan(numbers[start + k]):
                worth += rows[k] * child_value
                fixed += rows[k]
            elif not any_free or child_value > best or np.isnan(child_value):
                best, any_free = child_value, True
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
            _learn_hand(h, actions, width, size, start, numbers, rows, at, value, goal + h, row)
        _write(store.regret, store.regret_scale, decision, place, size, rows, size)
        if store.match.shape[0]:
            _write(store.match, store.match_scale, decision, place, size, rows, none)


@inner_kernel
def _learn_hand(h, actions, width, size, start, locks, rows, at, value, goal, row):
    """Set value[goal] and the regrets of the free actions relative to their mean value.

    Writes predictions to rows[0:].
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
def has_target(locks, targets, actions):
    """Whether a decision has locked frequencies."""
    found = False
    for n in range(actions):
        found |= not np.isnan(locks[targets + np.uintp(n)])
    return found


@inner_kernel
def _spread(actions, width, at, value):
    """The mean range of the values of a hand's actions, over hands with nonzero values."""
    spread, hands = _ZERO, _ZERO
    for i in range(width):
        h = np.uintp(i)
        low = high = value[np.uintp(at[np.uintp(0)]) + h]
        for n in range(actions):
            child_value = value[np.uintp(at[np.uintp(n)]) + h]
            low, high = min(low, child_value), max(high, child_value)
        spread += high - low
        hands += _ONE if low != _ZERO or high != _ZERO else _ZERO
    return spread / max(hands, _ONE)


@inner_kernel
def _pay(locks, targets, kind, actions, width, at, value):
    """Add incentives to the values of actions, minus their mean, which all actions pay."""
    incentives, mean = targets + kind * actions, _ZERO
    for n in range(actions):
        k = np.uintp(n)
        if not np.isnan(locks[targets + k]):
            mean += locks[targets + k] * locks[incentives + k]
    for n in range(actions):
        k = np.uintp(n)
        more, goal = locks[incentives + k] - mean, np.uintp(at[k])
        for i in range(width):
            value[goal + np.uintp(i)] += more


@inner_kernel
def _measure(locks, targets, actions, width, rows, reach, origin):
    """Measure the frequencies of actions with a target; NaN if almost no hand reaches the node.

    Returns and stores the total reach.
    """
    taken, state = targets + TAKEN * actions, targets + np.uintp(FREQUENCY_FIELDS) * actions
    come = _ZERO
    for i in range(width):
        come += reach[origin + np.uintp(i)]
    locks[state + COME] = come
    for n in range(actions):
        k = np.uintp(n)
        if not np.isnan(locks[targets + k]):
            taking = _ZERO
            for i in range(width):
                h = np.uintp(i)
                taking += reach[origin + h] * rows[k * width + h]
            some = come > LEAST_REACH * locks[state + WHOLE]
            locks[taken + k] = taking / come if some else np.float32(np.nan)
    return come


@inner_kernel
def correct_incentives(locks, targets, actions, spread, come):
    """A gradient step of the incentives along the frequency errors, over the root of the count.

    Its unit is the spread of values, or a fraction of the largest so far, so that frequencies are
    met where all values are equal, too. It is weighted by reach relative to the largest recent one.
    """
    state = targets + np.uintp(FREQUENCY_FIELDS) * actions
    locks[state + _SPREAD] = max(locks[state + _SPREAD], spread)
    locks[state + _MOST] = max(_FADING * locks[state + _MOST], come)
    locks[state + _STEPS] += _ONE
    unit = _PACE * max(spread, _LEAST_UNIT * locks[state + _SPREAD])
    if unit <= _ZERO:  # the opponent never reaches this: play here costs nothing
        unit = _ONE
    length = unit / np.sqrt(_HEAD_START + locks[state + _STEPS])
    for n in range(actions):
        k = targets + np.uintp(n)
        error = locks[k] - locks[k + TAKEN * actions]
        step = _ZERO
        if not np.isnan(error):
            step = length * error * (come / locks[state + _MOST])
            locks[k + INCENTIVE * actions] += step
        locks[k + DAMPED * actions] = locks[k + INCENTIVE * actions] + _DAMPING * step
