"""Partial pruning in sequence form: payoffs that the others' play does not reach are not read.

A payoff that is multiplied by a reach of zero adds a zero, so that skipping it changes no bit. For
Hedge, which gives every action some weight, play below a threshold may be cut to zero first.
`skipped` is the PartialArrays of `solvers.pruning.partial`.
"""

from __future__ import annotations

import math

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels import LANES
from equilibrist.kernels.primitives.simd import add_product, load_lanes, store_lanes, zero_lanes
from equilibrist.kernels.sequence_form.local_steps import ITERATION
from equilibrist.kernels.sequence_form.passes import half_of, player_reach
from equilibrist.kernels.sequence_form.shared import learn


@inner_kernel
def push_reached(arrays, outers, player, reach, value):
    """Push payoffs to a player's sequences, without the cells that the others do not reach.

    Numba leaves out the branch that cannot be taken, as it knows an argument's dimensions.
    """
    if outers.ndim == 1:
        push_from_one(arrays, player, reach, value)
    else:
        push_from_many(arrays, player, reach, value)


@inner_kernel
def reached_cells(arrays, run, reach):
    """A run of cells, weighted; those of sequences without reach are not read."""
    one = np.uintp(1)
    cells = arrays.cell
    half = half_of(cells)
    low = (one << half) - one
    total = zero_lanes()
    for c in range(np.uintp(arrays.outer_pointer[run]), np.uintp(arrays.outer_pointer[run + one])):
        cell = np.uintp(cells[np.uintp(c)])
        weight = reach[cell & low]
        if weight != 0.0:
            payoffs = load_lanes(arrays.shape_value, (cell >> half) * np.uintp(LANES))
            total = add_product(total, weight, payoffs)
    return total


@inner_kernel
def push_from_one(arrays, player, reach, value):
    """One other player: every tile has one run of cells."""
    scale = arrays.scale[player]
    for k in range(np.uintp(arrays.tile_offset[player]), np.uintp(arrays.tile_offset[player + 1])):
        tile = np.uintp(k)
        total = reached_cells(arrays, tile, reach)
        store_lanes(
            value, np.uintp(arrays.tile_first[tile]), add_product(zero_lanes(), scale, total)
        )


@inner_kernel
def push_from_many(arrays, player, reach, value):
    """More players: a run of cells for each tuple of the others but the last."""
    zero = np.uintp(0)
    one = np.uintp(1)
    outers = arrays.outer_index
    scale = arrays.scale[player]
    for k in range(np.uintp(arrays.tile_offset[player]), np.uintp(arrays.tile_offset[player + 1])):
        tile = np.uintp(k)
        total = zero_lanes()
        first = np.uintp(arrays.tile_pointer[tile])
        for m in range(first, np.uintp(arrays.tile_pointer[tile + one])):
            outer = np.uintp(m)
            weight = reach[outers[zero, outer]]
            for j in range(1, outers.shape[0]):
                weight *= reach[outers[np.uintp(j), outer]]
            if weight != 0.0:
                total = add_product(total, weight, reached_cells(arrays, outer, reach))
        store_lanes(
            value, np.uintp(arrays.tile_first[tile]), add_product(zero_lanes(), scale, total)
        )


@inner_kernel
def count(skipped, player, reach):
    """Add the histories and the terminals that the others' play reaches, as it is now."""
    others = skipped.other_sequence
    for k in range(skipped.tuple_offset[player], skipped.tuple_offset[player + 1]):
        n = np.uintp(k)
        reached = True
        for j in range(others.shape[0]):
            if reach[others[np.uintp(j), n]] == 0.0:
                reached = False
        if reached:
            skipped.visited[0] += skipped.histories[n]
            skipped.visited[1] += skipped.terminals[n]


@inner_kernel
def cut_group(cut, iteration, first, size, actions, behaviour):
    """Play less than cut / (actions sqrt(iteration)) becomes none; the rest is scaled up to 1."""
    least = cut / (actions * math.sqrt(iteration))
    for i in range(size):
        s = first + np.uintp(i)
        total = 0.0
        for a in range(actions):
            k = s + np.uintp(a) * size
            if behaviour[k] < least:
                behaviour[k] = 0.0
            total += behaviour[k]
        for a in range(actions):
            behaviour[s + np.uintp(a) * size] /= total


@inner_kernel
def update_player(
    skipped,
    player,
    row,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    infoset_value,
    total,
    memory,
):
    """Update a player's infosets, from the last group up; play below the threshold becomes none."""
    arrays = skipped.form
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        first = np.uintp(arrays.group_first_sequence[group])
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        actions = np.uintp(arrays.group_actions[group])
        learn(
            memory,
            arrays,
            group,
            row,
            regret,
            behaviour,
            strategy_sum,
            reach,
            value,
            infoset_value,
            total,
        )
        for i in range(size):
            k = np.uintp(i)
            value[arrays.parent_sequence[base + k]] += infoset_value[k]
        if skipped.cut[0] > 0.0:
            cut_group(skipped.cut[0], row[ITERATION] + 1.0, first, size, actions, behaviour)


@uncounted_kernel
def run(
    skipped,  # PartialArrays
    table,  # float64[T, columns], one row per iteration
    alternating,  # whether players update in turn
    regret,  # float64[S], engine order
    behaviour,  # float64[S], the current strategy
    strategy_sum,  # float64[S], engine order
    reach,  # must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]
    infoset_value,  # scratch, float64[largest group]
    total,  # scratch, float64[largest group]
    memory,  # None, or the NamedTuple of a local rule
):
    """Run one iteration per row of `table`, as `cfr.run` or `local_rules.run` does."""
    arrays = skipped.form
    players = arrays.sequence_offset.shape[0] - 1
    for t in range(table.shape[0]):
        row = table[t]
        skipped.visited[2] += 1
        for player in range(players):
            if alternating:
                low, high = player, player + 1
            else:
                low, high = 0, players
            if alternating or player == 0:
                for pushed in range(low, high):
                    push_reached(arrays, arrays.outer_index, pushed, reach, value)
                    count(skipped, pushed, reach)
            update_player(
                skipped,
                player,
                row,
                regret,
                behaviour,
                strategy_sum,
                reach,
                value,
                infoset_value,
                total,
                memory,
            )
            if alternating or player == players - 1:
                for reached in range(low, high):
                    player_reach(arrays, reached, behaviour, reach)
