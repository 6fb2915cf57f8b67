"""Extensive-form regret minimisation: regrets of deviations, each times a memory probability.

Morrill et al., Efficient Deviation Types and Learning for Hindsight Rationality in Extensive-Form
Games, ICML 2021. Values go up as in CFR; then each player's infosets are taken from the top down,
because a strategy depends on the memory probabilities under the new strategies above it.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.fixed_point import HUGE, fixed_point
from equilibrist.kernels.sequence_form.passes import group_reach, push


@inner_kernel
def values_up(form, player, weight, behaviour, strategy_sum, reach, value, infoset_value):
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
                strategy_sum[s] += weight * reach[s]
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
def choose_of_two(
    arrays, low, high, at, s, size, regret, gain, behaviour, before, memory, flow10, flow01
):
    """Internal regrets of two actions, and the next strategy; the flows are from externals."""
    one, two = np.uintp(1), np.uintp(2)
    difference = gain[s + size] - gain[s]
    gain01, gain10 = behaviour[s] * difference, behaviour[s + size] * -difference
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        r01, r10 = regret[k] + was * gain01, regret[k + one] + was * gain10
        regret[k], regret[k + one] = r01, r10
        flow01 += now * max(r01, 0.0)
        flow10 += now * max(r10, 0.0)
        k += two
    total = flow01 + flow10
    if total > 0.0:
        behaviour[s], behaviour[s + size] = flow10 / total, flow01 / total
    else:
        behaviour[s], behaviour[s + size] = 0.5, 0.5


@inner_kernel
def internal_triple(arrays, low, high, at, s, size, regret, gain, behaviour, before, memory, flow):
    """Add to the internal regrets of three actions; the weights are added to `flow`."""
    one, two = np.uintp(1), np.uintp(2)
    three, four, five = np.uintp(3), np.uintp(4), np.uintp(5)
    p0, p1, p2 = behaviour[s], behaviour[s + size], behaviour[s + two * size]
    g0, g1, g2 = gain[s], gain[s + size], gain[s + two * size]
    gain01, gain02 = p0 * (g1 - g0), p0 * (g2 - g0)
    gain10, gain12 = p1 * (g0 - g1), p1 * (g2 - g1)
    gain20, gain21 = p2 * (g0 - g2), p2 * (g1 - g2)
    flow01, flow02, flow10 = flow[0, 1], flow[0, 2], flow[1, 0]
    flow12, flow20, flow21 = flow[1, 2], flow[2, 0], flow[2, 1]
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        r01, r02 = regret[k] + was * gain01, regret[k + one] + was * gain02
        r10, r12 = regret[k + two] + was * gain10, regret[k + three] + was * gain12
        r20, r21 = regret[k + four] + was * gain20, regret[k + five] + was * gain21
        regret[k], regret[k + one], regret[k + two] = r01, r02, r10
        regret[k + three], regret[k + four], regret[k + five] = r12, r20, r21
        flow01 += now * max(r01, 0.0)
        flow02 += now * max(r02, 0.0)
        flow10 += now * max(r10, 0.0)
        flow12 += now * max(r12, 0.0)
        flow20 += now * max(r20, 0.0)
        flow21 += now * max(r21, 0.0)
        k += np.uintp(6)
    flow[0, 1], flow[0, 2], flow[1, 0] = flow01, flow02, flow10
    flow[1, 2], flow[2, 0], flow[2, 1] = flow12, flow20, flow21


@inner_kernel
def internal_regrets(
    arrays, low, high, at, s, size, actions, regret, gain, behaviour, before, memory, flow
):
    """Add to the internal regrets of any number of actions; the weights are added to `flow`."""
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
                    flow[a, b] += now * max(r, 0.0)
                    k += np.uintp(1)


@inner_kernel
def apply_flows(actions, s, size, behaviour, scratch):
    """The next strategy of an infoset: the flows' fixed point, uniform where there are none."""
    flow = scratch.flow
    total = 0.0
    for a in range(actions):
        for b in range(actions):
            if a != b:
                total += flow[a, b]
    if not total > 0.0:
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] = 1.0 / actions
    elif actions != 3 or not fixed_point_of_three(s, size, behaviour, flow):
        for a in range(actions):
            scratch.arrives[a] = behaviour[s + np.uintp(a) * size]
        fixed_point(actions, scratch)
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] = scratch.found[a]


@inner_kernel
def fixed_point_of_three(s, size, behaviour, flow):
    """The same for three actions without loops; False where not all of them lead to the first."""
    leaves2 = flow[2, 0] + flow[2, 1]
    if not leaves2 > 0.0:
        return False
    flow01 = flow[0, 1] + flow[0, 2] * (flow[2, 1] / leaves2)
    flow10 = flow[1, 0] + flow[1, 2] * (flow[2, 0] / leaves2)
    if not flow10 > 0.0:
        return False
    measure1 = flow01 / flow10
    measure2 = (flow[0, 2] + measure1 * flow[1, 2]) / leaves2
    total = 1.0 + measure1 + measure2
    if not total < HUGE:
        return False
    behaviour[s] = 1.0 / total
    behaviour[s + size] = measure1 / total
    behaviour[s + np.uintp(2) * size] = measure2 / total
    return True


@inner_kernel
def choose(arrays, n, s, size, actions, regret, gain, behaviour, before, memory, scratch):
    """Add the iteration's regrets of infoset n, and find its next strategy."""
    low, high = arrays.entry_offset[n], arrays.entry_offset[n + np.uintp(1)]
    middle = low + np.int64(arrays.externals[n])
    at = arrays.regret_offset[n]
    flow, into = scratch.flow, scratch.measure
    external_regrets(arrays, low, middle, at, s, size, actions, regret, gain, before, memory, into)
    at += (middle - low) * actions
    if middle == high:
        total = 0.0
        for a in range(actions):
            total += into[a]
        for a in range(actions):
            share = into[a] / total if total > 0.0 else 1.0 / actions
            behaviour[s + np.uintp(a) * size] = share
    elif actions == 2:
        choose_of_two(
            arrays, middle, high, at, s, size, regret, gain, behaviour, before, memory,
            into[0], into[1],
        )  # fmt: skip
    else:
        for a in range(actions):
            for b in range(actions):
                flow[a, b] = into[b]
        if actions == 3:
            internal_triple(
                arrays, middle, high, at, s, size, regret, gain, behaviour, before, memory, flow
            )
        else:
            internal_regrets(
                arrays, middle, high, at, s, size, actions, regret, gain, behaviour, before,
                memory, flow,
            )  # fmt: skip
        apply_flows(actions, s, size, behaviour, scratch)


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
    table,  # float64[T, 1], the weight of each iteration in the average
    _alternating,  # the arguments are those of `cfr.run`; updates are simultaneous here
    regret,  # float64[R], as DeviationArrays says
    behaviour,
    strategy_sum,
    reach,  # must be the reach of `behaviour`
    value,
    infoset_value,
    _total,
):
    """Run one iteration per row of `table`; all arrays but `arrays` and `table` are updated."""
    form = arrays.form
    players = form.sequence_offset.shape[0] - 1
    memory, before, scratch = reach, arrays.before, arrays.scratch
    if arrays.cell_above.shape[0] > 0:
        memory = arrays.memory
        for group in range(form.group_actions.shape[0]):
            grow_cells(arrays, group, behaviour, memory)
    for t in range(table.shape[0]):
        for player in range(players):
            push(form, player, reach, value)
        for player in range(players):
            values_up(
                form, player, table[t, 0], behaviour, strategy_sum, reach, value, infoset_value
            )
        for c in range(memory.shape[0]):
            before[c] = memory[c]
        for player in range(players):
            strategies_down(
                arrays, player, regret, value, behaviour, reach, before, memory, scratch
            )
