"""Extensive-form regret minimisation: regrets of deviations, each times a memory probability.

Morrill et al., Efficient Deviation Types and Learning for Hindsight Rationality in Extensive-Form
Games, ICML 2021. Values go up as in CFR; then each player's infosets are taken from the top down,
because a strategy depends on the memory probabilities under the new strategies above it.

Arguments of the choices at one infoset, whose actions are sequences s, s + size, s + 2 * size, ...:
arrays: DeviationArrays. low, high: the infoset's entries. at: where its regrets begin in `regret`.
regret: float64[R], updated. gain: float64[S], value of each sequence less that of its infoset, per
unit of reach. behaviour: float64[S], in which the next strategy replaces the present one. before,
memory: float64[cells], memory probabilities under the present strategies and the next ones above.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.deviations.fixed_point import (
    HUGE,
    NEGLIGIBLE,
    TINY,
    fixed_point,
    without_rounding,
)
from equilibrist.kernels.sequence_form.local_steps import DECAY, WEIGHT
from equilibrist.kernels.sequence_form.passes import group_reach, push


@inner_kernel
def values_up(form, player, row, behaviour, strategy_sum, reach, value, infoset_value):
    """Values of the player's infosets, deepest first; `value` ends as instantaneous regrets."""
    for group in range(form.group_offset[player + 1] - 1, form.group_offset[player] - 1, -1):
        first = np.uintp(form.group_first_sequence[group])
        base = np.uintp(form.group_first_infoset[group])
        size = np.uintp(form.group_size[group])
        actions = np.uintp(form.group_actions[group])
        for i in range(size):
            infoset_value[np.uintp(i)] = 0.0
        for a in range(actions):
            column = first + np.uintp(a) * size
            for i in range(size):
                s = column + np.uintp(i)
                infoset_value[np.uintp(i)] += behaviour[s] * value[s]
        for a in range(actions):
            column = first + np.uintp(a) * size
            for i in range(size):
                s = column + np.uintp(i)
                strategy_sum[s] = row[DECAY] * strategy_sum[s] + row[WEIGHT] * reach[s]
                value[s] -= infoset_value[np.uintp(i)]
        for i in range(size):
            value[form.parent_sequence[base + np.uintp(i)]] += infoset_value[np.uintp(i)]


@inner_kernel
def external_regrets(arrays, low, high, at, s, size, actions, regret, gain, before, memory, into):
    """Add to the external regrets of the entries low .. high; into[b] gets the weights of b."""
    for b in range(actions):
        into[b] = 0.0
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        for b in range(actions):
            r = regret[k] + was * gain[s + np.uintp(b) * size]
            regret[k] = r
            into[b] += now * max(r, 0.0)
            k += np.uintp(1)


@inner_kernel
def play_fixed_point(actions, s, size, behaviour, scratch):
    """The next strategy of an infoset: the fixed point of scratch.rate."""
    fixed_point(actions, scratch)
    for a in range(actions):
        behaviour[s + np.uintp(a) * size] = scratch.point[a]


@inner_kernel
def choose_of_two(
    arrays, low, high, at, s, size, regret, gain, behaviour, before, memory, rate10, rate01
):
    """Internal regrets of two actions, and the next strategy; the rates so far are of externals."""
    one, two = np.uintp(1), np.uintp(2)
    difference = gain[s + size] - gain[s]
    gain01, gain10 = behaviour[s] * difference, behaviour[s + size] * -difference
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        r01, r10 = regret[k] + was * gain01, regret[k + one] + was * gain10
        regret[k], regret[k + one] = r01, r10
        rate01 += now * max(r01, 0.0)
        rate10 += now * max(r10, 0.0)
        k += two
    least = NEGLIGIBLE * (rate01 + rate10)
    rate01 = 0.0 if rate01 <= least else rate01
    rate10 = 0.0 if rate10 <= least else rate10
    total = rate01 + rate10
    if not total <= 0.0:
        behaviour[s], behaviour[s + size] = rate10 / total, rate01 / total
    else:
        behaviour[s], behaviour[s + size] = 0.5, 0.5


@inner_kernel
def choose_of_three(
    arrays, low, high, at, s, size, regret, gain, behaviour, before, memory, scratch
):
    """Internal regrets of three actions, and the next strategy.

    scratch.measure holds the rates so far, of externals alone.
    """
    one, two = np.uintp(1), np.uintp(2)
    three, four, five = np.uintp(3), np.uintp(4), np.uintp(5)
    p0, p1, p2 = behaviour[s], behaviour[s + size], behaviour[s + two * size]
    g0, g1, g2 = gain[s], gain[s + size], gain[s + two * size]
    gain01, gain02 = p0 * (g1 - g0), p0 * (g2 - g0)
    gain10, gain12 = p1 * (g0 - g1), p1 * (g2 - g1)
    gain20, gain21 = p2 * (g0 - g2), p2 * (g1 - g2)
    rate10 = rate20 = scratch.measure[0]
    rate01 = rate21 = scratch.measure[1]
    rate02 = rate12 = scratch.measure[2]
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        r01, r02 = regret[k] + was * gain01, regret[k + one] + was * gain02
        r10, r12 = regret[k + two] + was * gain10, regret[k + three] + was * gain12
        r20, r21 = regret[k + four] + was * gain20, regret[k + five] + was * gain21
        regret[k], regret[k + one], regret[k + two] = r01, r02, r10
        regret[k + three], regret[k + four], regret[k + five] = r12, r20, r21
        rate01 += now * max(r01, 0.0)
        rate02 += now * max(r02, 0.0)
        rate10 += now * max(r10, 0.0)
        rate12 += now * max(r12, 0.0)
        rate20 += now * max(r20, 0.0)
        rate21 += now * max(r21, 0.0)
        k += np.uintp(6)
    least = NEGLIGIBLE * (rate01 + rate02 + rate10 + rate12 + rate20 + rate21)
    rate01 = 0.0 if rate01 <= least else rate01
    rate02 = 0.0 if rate02 <= least else rate02
    rate10 = 0.0 if rate10 <= least else rate10
    rate12 = 0.0 if rate12 <= least else rate12
    rate20 = 0.0 if rate20 <= least else rate20
    rate21 = 0.0 if rate21 <= least else rate21
    # Of a chain that does not fall apart: the trees that lead to each action, without subtraction.
    tree0 = rate10 * (rate20 + rate21) + rate12 * rate20
    tree1 = rate01 * (rate20 + rate21) + rate02 * rate21
    tree2 = rate02 * (rate10 + rate12) + rate01 * rate12
    total = tree0 + tree1 + tree2
    if TINY < total < HUGE:
        share = 1.0 / total
        behaviour[s] = tree0 * share
        behaviour[s + size] = tree1 * share
        behaviour[s + two * size] = tree2 * share
    else:
        rate = scratch.rate
        rate[0, 1], rate[0, 2], rate[1, 0] = rate01, rate02, rate10
        rate[1, 2], rate[2, 0], rate[2, 1] = rate12, rate20, rate21
        play_fixed_point(3, s, size, behaviour, scratch)


@inner_kernel
def internal_regrets(
    arrays, low, high, at, s, size, actions, regret, gain, behaviour, before, memory, rate
):
    """Add to the internal regrets of any number of actions; the weights are added to `rate`."""
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        for a in range(actions):
            played = was * behaviour[s + np.uintp(a) * size]
            own = gain[s + np.uintp(a) * size]
            for b in range(actions):
                if a != b:
                    r = regret[k] + played * (gain[s + np.uintp(b) * size] - own)
                    regret[k] = r
                    rate[a, b] += now * max(r, 0.0)
                    k += np.uintp(1)


@inner_kernel
def choose(arrays, n, s, size, actions, regret, gain, behaviour, before, memory, scratch):
    """Add the iteration's regrets of infoset n, and find its next strategy."""
    low, high = arrays.entry_offset[n], arrays.entry_offset[n + np.uintp(1)]
    middle = low + np.int64(arrays.externals[n])
    at = arrays.regret_offset[n]
    rate, into = scratch.rate, scratch.measure
    external_regrets(arrays, low, middle, at, s, size, actions, regret, gain, before, memory, into)
    at += (middle - low) * actions
    if middle == high:
        total = 0.0
        for a in range(actions):
            total += into[a]
        for a in range(actions):
            share = 1.0 / actions if total <= 0.0 else into[a] / total
            behaviour[s + np.uintp(a) * size] = share
    elif actions == 2:
        choose_of_two(
            arrays, middle, high, at, s, size, regret, gain, behaviour, before, memory,
            into[0], into[1],
        )  # fmt: skip
    elif actions == 3:
        choose_of_three(
            arrays, middle, high, at, s, size, regret, gain, behaviour, before, memory, scratch
        )
    else:
        for a in range(actions):
            for b in range(actions):
                rate[a, b] = into[b]
        internal_regrets(
            arrays,
            middle,
            high,
            at,
            s,
            size,
            actions,
            regret,
            gain,
            behaviour,
            before,
            memory,
            rate,
        )
        without_rounding(actions, rate)
        play_fixed_point(actions, s, size, behaviour, scratch)


@inner_kernel
def grow_cells(arrays, group, behaviour, memory):
    """The products below one group, where cells are not sequences."""
    players = arrays.form.sequence_offset.shape[0] - 1
    for c in range(arrays.cell_offset[group], arrays.cell_offset[group + 1]):
        k = np.uintp(c)
        above = memory[arrays.cell_above[k]]
        memory[np.uintp(players) + k] = above * behaviour[arrays.cell_sequence[k]]


@inner_kernel
def strategies_down(arrays, player, regret, gain, behaviour, reach, before, memory, scratch):
    """Regrets and next strategies of a player, from the top down; `memory` becomes the new one."""
    form = arrays.form
    for group in range(form.group_offset[player], form.group_offset[player + 1]):
        first = np.uintp(form.group_first_sequence[group])
        base = np.uintp(form.group_first_infoset[group])
        size = np.uintp(form.group_size[group])
        actions = np.int64(form.group_actions[group])
        for i in range(size):
            n = base + np.uintp(i)
            if arrays.entry_offset[n] < arrays.entry_offset[n + np.uintp(1)]:
                s = first + np.uintp(i)
                choose(
                    arrays, n, s, size, actions, regret, gain, behaviour, before, memory, scratch
                )
        group_reach(form, group, behaviour, reach)
        grow_cells(arrays, group, behaviour, memory)


@uncounted_kernel
def run(
    arrays,  # DeviationArrays
    table,  # float64[T, 2], decay and weight of the average
    _alternating,  # the arguments are those of `full_traversals.run`; updates are simultaneous here
    regret,  # float64[R], as DeviationArrays says
    behaviour,  # float64[S], engine order
    strategy_sum,  # float64[S]
    reach,  # must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]: instantaneous regrets
    infoset_value,  # scratch, float64[largest group]
    _total,
):
    """Run one iteration per row of `table`; all arrays but `arrays` and `table` are updated."""
    form = arrays.form
    players = form.sequence_offset.shape[0] - 1
    memory, before, scratch = reach, arrays.before, arrays.scratch
    if arrays.memory.shape[0] > 0:
        memory = arrays.memory
        for group in range(form.group_actions.shape[0]):
            grow_cells(arrays, group, behaviour, memory)
    for t in range(table.shape[0]):
        for player in range(players):
            push(form, player, reach, value)
        for player in range(players):
            values_up(form, player, table[t], behaviour, strategy_sum, reach, value, infoset_value)
        for c in range(memory.shape[0]):
            before[c] = memory[c]
        for player in range(players):
            strategies_down(
                arrays, player, regret, value, behaviour, reach, before, memory, scratch
            )
