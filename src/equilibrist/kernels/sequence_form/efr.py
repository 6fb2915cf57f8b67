"""Extensive-form regret minimisation: regrets of deviations, each times a memory probability.

Morrill et al., Efficient Deviation Types and Learning for Hindsight Rationality in Extensive-Form
Games, ICML 2021. Values go up as in CFR; then each player's infosets are taken from the top down,
because a strategy depends on the memory probabilities under the new strategies above it.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.sequence_form.fixed_point import ChainScratch, fixed_point
from equilibrist.kernels.sequence_form.passes import group_reach, push


@inner_kernel
def values_up(form, player, weight, behaviour, strategy_sum, reach, value):
    """Values of the player's infosets, deepest first; `value` ends as instantaneous regrets."""
    for group in range(form.group_offset[player + 1] - 1, form.group_offset[player] - 1, -1):
        first = np.uintp(form.group_first_sequence[group])
        base = np.uintp(form.group_first_infoset[group])
        size = np.uintp(form.group_size[group])
        actions = np.uintp(form.group_actions[group])
        for i in range(size):
            expected = 0.0
            for a in range(actions):
                s = first + np.uintp(i) + np.uintp(a) * size
                expected += behaviour[s] * value[s]
            for a in range(actions):
                s = first + np.uintp(i) + np.uintp(a) * size
                strategy_sum[s] += weight * reach[s]
                value[s] -= expected
            value[form.parent_sequence[base + np.uintp(i)]] += expected


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
def internal_pair(arrays, low, high, at, s, size, regret, gain, behaviour, before, memory, flow):
    """Add to the internal regrets of two actions; the weights are added to `flow`."""
    two, one = np.uintp(2), np.uintp(1)
    difference = gain[s + size] - gain[s]
    gain01, gain10 = behaviour[s] * difference, behaviour[s + size] * -difference
    weight01 = weight10 = 0.0
    k = np.uintp(at)
    for e in range(low, high):
        cell = arrays.entry_cell[np.uintp(e)]
        was, now = before[cell], memory[cell]
        r01, r10 = regret[k] + was * gain01, regret[k + one] + was * gain10
        regret[k], regret[k + one] = r01, r10
        weight01 += now * max(r01, 0.0)
        weight10 += now * max(r10, 0.0)
        k += two
    flow[0, 1] += weight01
    flow[1, 0] += weight10


@inner_kernel
def internal_row(
    arrays, low, high, at, source, s, size, actions, regret, gain, behaviour, before, memory, flow
):
    """Add to the regrets of the deviations from one action; the weights are added to `flow`.

    Entries are taken anew for each source and target, so that a sum stays in a register.
    """
    played = behaviour[s + np.uintp(source) * size]
    own = gain[s + np.uintp(source) * size]
    stride = np.uintp(actions) * np.uintp(actions - 1)
    k0 = np.uintp(at) + np.uintp(source) * np.uintp(actions - 1)
    for b in range(actions):
        if b == source:
            continue
        step = played * (gain[s + np.uintp(b) * size] - own)
        weight = 0.0
        k = k0
        for e in range(low, high):
            cell = arrays.entry_cell[np.uintp(e)]
            r = regret[k] + before[cell] * step
            regret[k] = r
            weight += memory[cell] * max(r, 0.0)
            k += stride
        flow[source, b] += weight
        k0 += np.uintp(1)


@inner_kernel
def choose(arrays, n, s, size, actions, regret, gain, behaviour, before, memory, scratch):
    """Add the iteration's regrets of infoset n, and find its next strategy."""
    low, high = arrays.entry_offset[n], arrays.entry_offset[n + 1]
    middle = low + np.int64(arrays.externals[n])
    at = arrays.regret_offset[n]
    flow, into = scratch.flow, scratch.measure
    external_regrets(arrays, low, middle, at, s, size, actions, regret, gain, before, memory, into)
    total = 0.0
    for a in range(actions):
        total += into[a]
        for b in range(actions):
            flow[a, b] = into[b]
    if middle < high:
        at += (middle - low) * actions
        if actions == 2:
            internal_pair(
                arrays, middle, high, at, s, size, regret, gain, behaviour, before, memory, flow
            )
        else:
            for a in range(actions):
                internal_row(
                    arrays, middle, high, at, a, s, size, actions, regret, gain, behaviour,
                    before, memory, flow,
                )  # fmt: skip
        total = 0.0
        for a in range(actions):
            for b in range(actions):
                if a != b:
                    total += flow[a, b]
    if not total > 0.0:
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] = 1.0 / actions
    elif middle == high:
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] = into[a] / total
    elif actions == 2:
        total = flow[0, 1] + flow[1, 0]
        behaviour[s] = flow[1, 0] / total
        behaviour[s + size] = flow[0, 1] / total
    else:
        for a in range(actions):
            scratch.arrives[a] = behaviour[s + np.uintp(a) * size]
        fixed_point(actions, scratch)
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] = scratch.found[a]


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


@kernel
def run(
    arrays,  # DeviationArrays
    table,  # float64[T, 1], the weight of each iteration in the average
    _alternating,  # the arguments are those of `cfr.run`; updates are simultaneous here
    regret,  # float64[R], as DeviationArrays says
    behaviour,
    strategy_sum,
    reach,  # must be the reach of `behaviour`
    value,
    _infoset_value,
    _total,
):
    """Run one iteration per row of `table`; all arrays but `arrays` and `table` are updated."""
    form = arrays.form
    players = form.sequence_offset.shape[0] - 1
    most = np.int64(2)
    for group in range(form.group_actions.shape[0]):
        most = max(most, np.int64(form.group_actions[group]))
    vectors = np.empty((4, most))
    scratch = ChainScratch(np.empty((most, most)), vectors[0], vectors[1], vectors[2], vectors[3])
    memory = reach
    if arrays.cell_above.shape[0] > 0:
        memory = np.ones(players + arrays.cell_above.shape[0])
        for group in range(form.group_actions.shape[0]):
            grow_cells(arrays, group, behaviour, memory)
    before = np.empty(memory.shape[0])
    for t in range(table.shape[0]):
        for player in range(players):
            push(form, player, reach, value)
        for player in range(players):
            values_up(form, player, table[t, 0], behaviour, strategy_sum, reach, value)
        before[:] = memory
        for player in range(players):
            strategies_down(
                arrays, player, regret, value, behaviour, reach, before, memory, scratch
            )
