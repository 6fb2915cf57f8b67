"""Regret matching and the local update: seven numbers per iteration say which variant it is.

R <- max(where(R > 0, positive, negative) * R + r, floor)
S <- decay * S + weight * own_reach * sigma      (the sigma that was just played)
sigma <- normalise(max(lookahead * R + prediction * r, 0)), uniform where the row is zero

Arrays are those of `full_traversals.run`: float64[S] in engine order, in which action a of infoset
i of a group stands at first + a * size + i. `row` and `coefficients` are float64[7], see below.

Numbers that are NaN stay so: a bound is the second argument of `max`, which drops it there, and a
row counts as zero where its total is at most 0, not where it is not above 0.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel

POSITIVE, NEGATIVE, FLOOR, LOOKAHEAD, PREDICTION, DECAY, WEIGHT = range(7)
"""Columns of a coefficient table."""


@inner_kernel
def update_pair_group(
    first, size, coefficients, regret, behaviour, strategy_sum, reach, value, out_value
):
    """Update one group of infosets with two actions; out_value[i] is infoset i's value."""
    positive, negative = coefficients[POSITIVE], coefficients[NEGATIVE]
    floor, lookahead = coefficients[FLOOR], coefficients[LOOKAHEAD]
    prediction = coefficients[PREDICTION]
    decay, weight = coefficients[DECAY], coefficients[WEIGHT]
    for i in range(size):
        s0 = first + np.uintp(i)
        s1 = s0 + size
        g0, g1 = value[s0], value[s1]
        v = behaviour[s0] * g0 + behaviour[s1] * g1
        out_value[np.uintp(i)] = v
        strategy_sum[s0] = decay * strategy_sum[s0] + weight * reach[s0]
        strategy_sum[s1] = decay * strategy_sum[s1] + weight * reach[s1]
        r0 = g0 - v
        r1 = g1 - v
        q0 = regret[s0]
        q1 = regret[s1]
        q0 = max((positive if q0 > 0.0 else negative) * q0 + r0, floor)
        q1 = max((positive if q1 > 0.0 else negative) * q1 + r1, floor)
        regret[s0] = q0
        regret[s1] = q1
        p0 = max(lookahead * q0 + prediction * r0, 0.0)
        p1 = max(lookahead * q1 + prediction * r1, 0.0)
        total = p0 + p1
        divisor = 1.0 if total <= 0.0 else total
        behaviour[s0] = 0.5 if total <= 0.0 else p0 / divisor
        behaviour[s1] = 0.5 if total <= 0.0 else p1 / divisor


@inner_kernel
def update_triple_group(
    first, size, coefficients, regret, behaviour, strategy_sum, reach, value, out_value
):
    """Update a group of infosets with three actions."""
    positive, negative = coefficients[POSITIVE], coefficients[NEGATIVE]
    floor, lookahead = coefficients[FLOOR], coefficients[LOOKAHEAD]
    prediction = coefficients[PREDICTION]
    decay, weight = coefficients[DECAY], coefficients[WEIGHT]
    third = 1.0 / 3.0
    for i in range(size):
        s0 = first + np.uintp(i)
        s1 = s0 + size
        s2 = s1 + size
        g0, g1, g2 = value[s0], value[s1], value[s2]
        v = behaviour[s0] * g0 + behaviour[s1] * g1 + behaviour[s2] * g2
        out_value[np.uintp(i)] = v
        strategy_sum[s0] = decay * strategy_sum[s0] + weight * reach[s0]
        strategy_sum[s1] = decay * strategy_sum[s1] + weight * reach[s1]
        strategy_sum[s2] = decay * strategy_sum[s2] + weight * reach[s2]
        r0 = g0 - v
        r1 = g1 - v
        r2 = g2 - v
        q0 = regret[s0]
        q1 = regret[s1]
        q2 = regret[s2]
        q0 = max((positive if q0 > 0.0 else negative) * q0 + r0, floor)
        q1 = max((positive if q1 > 0.0 else negative) * q1 + r1, floor)
        q2 = max((positive if q2 > 0.0 else negative) * q2 + r2, floor)
        regret[s0] = q0
        regret[s1] = q1
        regret[s2] = q2
        p0 = max(lookahead * q0 + prediction * r0, 0.0)
        p1 = max(lookahead * q1 + prediction * r1, 0.0)
        p2 = max(lookahead * q2 + prediction * r2, 0.0)
        total = p0 + p1 + p2
        divisor = 1.0 if total <= 0.0 else total
        behaviour[s0] = third if total <= 0.0 else p0 / divisor
        behaviour[s1] = third if total <= 0.0 else p1 / divisor
        behaviour[s2] = third if total <= 0.0 else p2 / divisor


@inner_kernel
def update_group(
    first,
    size,
    actions,
    coefficients,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    out_value,
    total,
):
    """Update one group of infosets with any number of actions; `total` is scratch."""
    positive, negative = coefficients[POSITIVE], coefficients[NEGATIVE]
    floor, lookahead = coefficients[FLOOR], coefficients[LOOKAHEAD]
    prediction = coefficients[PREDICTION]
    decay, weight = coefficients[DECAY], coefficients[WEIGHT]
    for i in range(size):
        out_value[np.uintp(i)] = 0.0
        total[np.uintp(i)] = 0.0
    for a in range(actions):
        column = first + np.uintp(a) * size
        for i in range(size):
            k = np.uintp(i)
            out_value[k] += behaviour[column + k] * value[column + k]
    for a in range(actions):
        column = first + np.uintp(a) * size
        for i in range(size):
            k = np.uintp(i)
            s = column + k
            strategy_sum[s] = decay * strategy_sum[s] + weight * reach[s]
            r = value[s] - out_value[k]
            q = regret[s]
            q = max((positive if q > 0.0 else negative) * q + r, floor)
            regret[s] = q
            p = max(lookahead * q + prediction * r, 0.0)
            behaviour[s] = p
            total[k] += p
    uniform = 1.0 / actions
    for a in range(actions):
        column = first + np.uintp(a) * size
        for i in range(size):
            k = np.uintp(i)
            t = total[k]
            divisor = 1.0 if t <= 0.0 else t
            share = behaviour[column + k] / divisor
            behaviour[column + k] = uniform if t <= 0.0 else share


def learn_by_coefficients(
    _memory, arrays, group, row, regret, behaviour, strategy_sum, reach, value, out_value, total
):
    """Update one group by the coefficients of a variant; out_value[i] is infoset i's value."""
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    if actions == 2:
        update_pair_group(
            first, size, row, regret, behaviour, strategy_sum, reach, value, out_value
        )
    elif actions == 3:
        update_triple_group(
            first, size, row, regret, behaviour, strategy_sum, reach, value, out_value
        )
    else:
        update_group(
            first,
            size,
            actions,
            row,
            regret,
            behaviour,
            strategy_sum,
            reach,
            value,
            out_value,
            total,
        )
