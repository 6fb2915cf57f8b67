"""The decisions of one of three seats: reach on the way down, values and regrets on the way up.

A seat's actions are rows (see `poker.three_players.game`): R rows of H hands, first those that are
entered from the street before; D decisions, whose parents' rows come before their own. All float
arrays of a call have one type, float32 or float64, where nothing else is said. Regrets, strategy
sums and weights may lack the rows that are entered, in which they have nothing.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import FREQUENCY_FIELDS
from equilibrist.kernels.poker.locks import (
    COME,
    DAMPED,
    INCENTIVE,
    LEAST_REACH,
    TAKEN,
    WHOLE,
    correct_incentives,
    has_target,
    lock_of,
)

LEAST = 1e-30
"""Less regret than this in all counts as none: one over it would leave the range of float32."""


@kernel
def pass_reach(parent, first, strategy, reach):
    """How often a seat brings its hands to each of its rows.

    Args:
        parent: int32[D]; the row that leads to each decision.
        first: int32[D + 1]; the row of each decision's first action, then R.
        strategy: float[R, H]; the probability of each row's action, those of entries unused.
        reach: float[R, H]; that of the rows that are entered is read, the others are written.
    """
    hands = strategy.shape[1]
    for d in range(parent.shape[0]):
        before = parent[d]
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                reach[row, h] = reach[before, h] * strategy[row, h]


@kernel
def average(first, weights, uniform, total, out_strategy):
    """The strategy whose probabilities are in proportion to weights, as strategy sums are.

    Args:
        first: int32[D + 1].
        weights: float[R, H], or without the rows that are entered; may be less precise than the
            strategy.
        uniform: float[D]; one over the number of actions of each decision, which is played where
            there are no weights.
        total: float[H]; scratch.
        out_strategy: float[R, H]; written, but for entries.
    """
    hands, lacking = weights.shape[1], out_strategy.shape[0] - weights.shape[0]
    for d in range(first.shape[0] - 1):
        for h in range(hands):
            total[h] = 0.0
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                total[h] += weights[row - lacking, h]
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                share = weights[row - lacking, h] / total[h]
                out_strategy[row, h] = share if total[h] > LEAST else uniform[d]


@kernel
def match(first, regrets, uniform, tremble, total, out_strategy):
    """The strategy whose probabilities are in proportion to positive regrets, but for trembles.

    Args:
        first: int32[D + 1].
        regrets: float[R, H], or without the rows that are entered.
        uniform: float[D]; one over the number of actions of each decision, which is played where
            no regret is positive.
        tremble: float; the least probability of an action.
        total: float[H]; scratch.
        out_strategy: float[R, H]; written, but for entries.
    """
    hands, lacking = regrets.shape[1], out_strategy.shape[0] - regrets.shape[0]
    zero, one, least = np.float32(0.0), np.float32(1.0), np.float32(LEAST)
    for d in range(first.shape[0] - 1):
        for h in range(hands):
            total[h] = zero
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                total[h] += max(regrets[row - lacking, h], zero)
        for h in range(hands):
            total[h] = one / total[h] if total[h] > least else zero
        free = one
        for _ in range(first[d], first[d + 1]):
            free -= tremble
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                share = max(regrets[row - lacking, h], zero) * total[h]
                share = share if total[h] > zero else uniform[d]
                out_strategy[row, h] = free * share + tremble


@kernel
def add_forms(start, form, coefficient, forms, out_worth):
    """What each row is worth by itself: the sum of its terms.

    Args:
        start: int32[R + 1]; where the terms of each row begin.
        form: int32[E]; the form of each term.
        coefficient: float[E]; what it is multiplied by.
        forms: float[F, H]; their values.
        out_worth: float[R, H]; written.
    """
    hands = forms.shape[1]
    for row in range(start.shape[0] - 1):
        for h in range(hands):
            out_worth[row, h] = 0.0
        for term in range(start[row], start[row + 1]):
            factor, f = coefficient[term], form[term]
            for h in range(hands):
                out_worth[row, h] += factor * forms[f, h]


@kernel
def add_played(parent, first, strategy, locks, reach, worth):
    """Add to the worth of rows what the decisions behind them are worth as they are played.

    Where frequencies are locked, the incentives are paid, and the frequencies are measured.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        strategy: float[R, H].
        locks: Locks, see `kernels.poker.locks`, their rows as wide as these.
        reach: float[R, H] of the seat; read where frequencies are locked.
        worth: float[R, H] of `add_forms`; in the end row 0 is the value of the whole.
    """
    hands = worth.shape[1]
    for d in range(parent.shape[0] - 1, -1, -1):
        before = parent[d]
        lock = lock_of(locks, d)
        if lock >= 0:
            actions = first[d + 1] - first[d]
            targets = np.uintp(lock + actions * hands)
            if has_target(locks.numbers, targets, np.uintp(actions)):
                _pay(locks.numbers, targets, INCENTIVE, first[d], first[d + 1], worth)
                _measure(locks.numbers, targets, first[d], first[d + 1], before, strategy, reach)
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                worth[before, h] += strategy[row, h] * worth[row, h]


@kernel
def add_best(parent, first, locks, worth):
    """Add to the worth of rows the best that the decisions behind them can be worth.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        locks: Locks, by which the seat is bound.
        worth: float[R, H] of `add_forms`; in the end row 0 is the value of a best response.
    """
    hands = worth.shape[1]
    for d in range(parent.shape[0] - 1, -1, -1):
        before, begin = parent[d], first[d]
        lock = lock_of(locks, d)
        if lock >= 0:
            _add_best_locked(locks.numbers, lock, begin, first[d + 1], before, worth)
            continue
        for h in range(hands):
            best = worth[begin, h]
            for row in range(begin + 1, first[d + 1]):
                best = max(best, worth[row, h])
            worth[before, h] += best


@kernel
def learn(parent, first, uniform, factors, locks, reach, worth, regrets, sums, strategy, mean):
    """One update of a seat: regrets, strategy sums, and the strategy of the next iteration.

    With trembles sigma, which matches regrets, is played but for the least probability of every
    action: regrets are those of sigma, values and strategy sums those of what is played.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        uniform: float[D]; one over the number of actions of each decision.
        factors: float[8]; the columns of `Variant.table`, and the least probability of an action.
        locks: Locks, see `kernels.poker.locks`, their rows as wide as these.
        reach: float[R, H]; of the seat itself, with the strategy that is played.
        worth: float[R, H] of `add_forms`; values are added to it.
        regrets: float[R, H], or without locks perhaps without the rows that are entered; updated
            in place.
        sums: float[R, H], likewise; strategy sums, updated in place.
        strategy: float[R, H]; what is played, replaced by what will be.
        mean: float[2, H]; scratch.
    """
    hands, lacking = worth.shape[1], worth.shape[0] - regrets.shape[0]
    positive, negative, floor, lookahead = factors[0], factors[1], factors[2], factors[3]
    prediction, decay, weight, tremble = factors[4], factors[5], factors[6], factors[7]
    zero = positive * np.float32(0.0)
    least = zero + np.float32(LEAST)
    for d in range(parent.shape[0] - 1, -1, -1):
        begin, end, before = first[d], first[d + 1], parent[d]
        lock = lock_of(locks, d)
        if lock >= 0:
            _learn_locked(
                locks.numbers, lock, begin, end, before, factors, reach, worth, regrets, sums,
                strategy,
            )  # fmt: skip
            continue
        free = zero + np.float32(1.0)
        for _ in range(begin, end):
            free -= tremble
        for h in range(hands):
            mean[0, h] = zero
            mean[1, h] = zero
        for row in range(begin, end):
            for h in range(hands):
                mean[0, h] += strategy[row, h] * worth[row, h]
                at = row - lacking
                sums[at, h] = decay * sums[at, h] + weight * reach[row, h]
        for h in range(hands):
            worth[before, h] += mean[0, h]
        if tremble > zero:
            for row in range(begin, end):
                for h in range(hands):
                    mean[0, h] -= tremble * worth[row, h]
            for h in range(hands):
                mean[0, h] /= free
        for row in range(begin, end):
            for h in range(hands):
                gained = worth[row, h] - mean[0, h]
                regret = regrets[row - lacking, h]
                regret = (positive if regret > zero else negative) * regret + gained
                regret = max(regret, floor)
                regrets[row - lacking, h] = regret
                matched = max(lookahead * regret + prediction * gained, zero)
                strategy[row, h] = matched
                mean[1, h] += matched
        for row in range(begin, end):
            for h in range(hands):
                total = mean[1, h]
                share = strategy[row, h] / total if total > least else uniform[d]
                strategy[row, h] = free * share + tremble


@inner_kernel
def _learn_locked(
    locks, lock, begin, end, before, factors, reach, worth, regrets, sums, strategy
):  # fmt: skip
    """`learn` at a decision with locks: free actions learn among themselves what is left to them.

    locks: float64[K], numbers of `kernels.poker.locks`, those of the decision from `lock` on.
    begin, end: its rows. before: the row that leads to it.
    """
    hands, actions = worth.shape[1], end - begin
    zero = factors[0] * np.float32(0.0)
    least = zero + np.float32(LEAST)
    targets = np.uintp(lock + actions * hands)
    if has_target(locks, targets, np.uintp(actions)):
        spread = _spread(begin, end, worth)
        _pay(locks, targets, DAMPED, begin, end, worth)
        come = _measure(locks, targets, begin, end, before, strategy, reach)
        correct_incentives(locks, targets, np.uintp(actions), spread, come)
    for h in range(hands):
        value, mean, share = zero, zero, zero
        for row in range(begin, end):
            played = strategy[row, h] * worth[row, h]
            sums[row, h] = factors[5] * sums[row, h] + factors[6] * reach[row, h]
            value += played
            if np.isnan(locks[lock + (row - begin) * hands + h]):
                share += strategy[row, h]
                mean += played
        worth[before, h] += value
        if share > zero:
            mean /= share
        total, left, free = zero, zero + np.float32(1.0), zero
        for row in range(begin, end):
            locked_probability = locks[lock + (row - begin) * hands + h]
            if np.isnan(locked_probability):
                gained = worth[row, h] - mean if share > zero else zero
                regret = regrets[row, h]
                regret = (factors[0] if regret > zero else factors[1]) * regret + gained
                regret = max(regret, factors[2])
                regrets[row, h] = regret
                strategy[row, h] = max(factors[3] * regret + factors[4] * gained, zero)
                total += strategy[row, h]
                free += np.float32(1.0)
            else:
                strategy[row, h] = locked_probability
                left -= strategy[row, h]
        for row in range(begin, end):
            if np.isnan(locks[lock + (row - begin) * hands + h]):
                strategy[row, h] = (
                    left * (strategy[row, h] / total) if total > least else left / free
                )


@inner_kernel
def _add_best_locked(locks, lock, begin, end, before, worth):
    """`add_best` at a decision with locks: the best of the free actions takes what is left."""
    hands, actions = worth.shape[1], end - begin
    targets = np.uintp(lock + actions * hands)
    if has_target(locks, targets, np.uintp(actions)):
        _pay(locks, targets, INCENTIVE, begin, end, worth)
    for h in range(hands):
        value, left, best = 0.0, 1.0, -np.inf
        for row in range(begin, end):
            locked_probability = locks[lock + (row - begin) * hands + h]
            if np.isnan(locked_probability):
                best = max(best, worth[row, h])
            else:
                value += locked_probability * worth[row, h]
                left -= locked_probability
        worth[before, h] += value + (left * best if best > -np.inf else 0.0)


@inner_kernel
def _spread(begin, end, worth):
    """The mean range of the worth of a hand's actions, over hands for which it is not 0."""
    spread, hands = 0.0, 0
    for h in range(worth.shape[1]):
        low = high = worth[begin, h]
        for row in range(begin, end):
            low, high = min(low, worth[row, h]), max(high, worth[row, h])
        spread += high - low
        hands += 1 if low != 0.0 or high != 0.0 else 0
    return spread / max(hands, 1)


@inner_kernel
def _pay(locks, targets, kind, begin, end, worth):
    """Add incentives to the worth of actions, minus their mean, which all actions pay."""
    actions, mean = np.uintp(end - begin), 0.0
    incentives = targets + kind * actions
    for n in range(end - begin):
        k = np.uintp(n)
        if not np.isnan(locks[targets + k]):
            mean += locks[targets + k] * locks[incentives + k]
    for n in range(end - begin):
        more = locks[incentives + np.uintp(n)] - mean
        for h in range(worth.shape[1]):
            worth[begin + n, h] += more


@inner_kernel
def _measure(locks, targets, begin, end, before, strategy, reach):
    """Measure the frequencies of actions with a target; NaN if almost no hand comes.

    Returns and stores the reach of all hands.
    """
    actions, come = np.uintp(end - begin), 0.0
    taken, state = targets + TAKEN * actions, targets + np.uintp(FREQUENCY_FIELDS) * actions
    for h in range(reach.shape[1]):
        come += reach[before, h]
    locks[state + COME] = come
    for n in range(end - begin):
        k = np.uintp(n)
        if not np.isnan(locks[targets + k]):
            taking = 0.0
            for h in range(reach.shape[1]):
                taking += reach[before, h] * strategy[begin + n, h]
            is_measured = come > LEAST_REACH * locks[state + WHOLE]
            locks[taken + k] = taking / come if is_measured else np.nan
    return come
