"""The decisions of one of three seats: reach on the way down, values and regrets on the way up.

A seat's actions are rows (see `poker.three_players.game`): R rows of H hands, first those that are
entered from the street before; D decisions, whose parents' rows come before their own. All float
arrays of a call have one type, float32 or float64, where nothing else is said.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel

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
        weights: float[R, H]; may be less precise than the strategy.
        uniform: float[D]; one over the number of actions of each decision, which is played where
            there are no weights.
        total: float[H]; scratch.
        out_strategy: float[R, H]; written, but for entries.
    """
    hands = weights.shape[1]
    for d in range(first.shape[0] - 1):
        for h in range(hands):
            total[h] = 0.0
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                total[h] += weights[row, h]
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                share = weights[row, h] / total[h]
                out_strategy[row, h] = share if total[h] > LEAST else uniform[d]


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
def add_played(parent, first, strategy, worth):
    """Add to the worth of rows what the decisions behind them are worth as they are played.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        strategy: float[R, H].
        worth: float[R, H] of `add_forms`; in the end row 0 is the value of the whole.
    """
    hands = worth.shape[1]
    for d in range(parent.shape[0] - 1, -1, -1):
        before = parent[d]
        for row in range(first[d], first[d + 1]):
            for h in range(hands):
                worth[before, h] += strategy[row, h] * worth[row, h]


@kernel
def add_best(parent, first, worth):
    """Add to the worth of rows the best that the decisions behind them can be worth.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        worth: float[R, H] of `add_forms`; in the end row 0 is the value of a best response.
    """
    hands = worth.shape[1]
    for d in range(parent.shape[0] - 1, -1, -1):
        before, begin = parent[d], first[d]
        for h in range(hands):
            best = worth[begin, h]
            for row in range(begin + 1, first[d + 1]):
                best = max(best, worth[row, h])
            worth[before, h] += best


@kernel
def learn(parent, first, uniform, factors, reach, worth, regrets, sums, strategy, mean):
    """One update of a seat: regrets, strategy sums, and the strategy of the next iteration.

    Args:
        parent: int32[D].
        first: int32[D + 1].
        uniform: float[D]; one over the number of actions of each decision.
        factors: float[7]; the columns of `Variant.table`.
        reach: float[R, H]; of the seat itself, with the strategy that is played.
        worth: float[R, H] of `add_forms`; values are added to it.
        regrets: float[R, H]; updated in place.
        sums: float[R, H]; strategy sums, updated in place.
        strategy: float[R, H]; what is played, replaced by what will be.
        mean: float[2, H]; scratch.
    """
    hands = worth.shape[1]
    positive, negative, floor, lookahead = factors[0], factors[1], factors[2], factors[3]
    prediction, decay, weight = factors[4], factors[5], factors[6]
    zero = positive * np.float32(0.0)
    least = zero + np.float32(LEAST)
    for d in range(parent.shape[0] - 1, -1, -1):
        begin, end, before = first[d], first[d + 1], parent[d]
        for h in range(hands):
            mean[0, h] = zero
            mean[1, h] = zero
        for row in range(begin, end):
            for h in range(hands):
                mean[0, h] += strategy[row, h] * worth[row, h]
                sums[row, h] = decay * sums[row, h] + weight * reach[row, h]
        for h in range(hands):
            worth[before, h] += mean[0, h]
        for row in range(begin, end):
            for h in range(hands):
                gained = worth[row, h] - mean[0, h]
                regret = regrets[row, h]
                regret = (positive if regret > zero else negative) * regret + gained
                regret = max(regret, floor)
                regrets[row, h] = regret
                matched = max(lookahead * regret + prediction * gained, zero)
                strategy[row, h] = matched
                mean[1, h] += matched
        for row in range(begin, end):
            for h in range(hands):
                total = mean[1, h]
                strategy[row, h] = strategy[row, h] / total if total > least else uniform[d]
