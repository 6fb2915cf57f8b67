"""Partial pruning in sequence form: payoffs that the others' play does not reach are not read.

A payoff that is multiplied by a reach of zero adds a zero, so that skipping it changes no bit. For
Hedge, which gives every action some weight, play below a threshold may be cut to zero first.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import LANES
from equilibrist.kernels.primitives.simd import add_product, load_lanes, store_lanes, zero_lanes
from equilibrist.kernels.sequence_form.local_steps import ITERATION
from equilibrist.kernels.sequence_form.passes import half_of
from equilibrist.typing import FloatArray, Int64Array


class PartialArrays(NamedTuple):
    """A game in sequence form, and its histories by the last sequences of the others.

    Tuples of the others' sequences, in engine order, of the traversals for player p stand from
    tuple_offset[p] to tuple_offset[p + 1].
    """

    form: Any  # SequenceArrays
    tuple_offset: Int64Array  # [P + 1]
    other_sequence: Int64Array  # [P - 1, tuples]
    histories: Int64Array  # [tuples]
    terminals: Int64Array  # [tuples]
    cut: FloatArray  # [1]: c of the threshold, or 0
    visited: Int64Array  # [3]: histories and terminals visited so far, and iterations


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
def cut_group(skipped, group, row, behaviour):
    """Play less than cut / (actions sqrt(t + 1)) becomes none, with t from `row`.

    The rest is scaled up to 1.
    """
    arrays = skipped.form
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    least = skipped.cut[0] / (actions * math.sqrt(row[ITERATION] + 1.0))
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
