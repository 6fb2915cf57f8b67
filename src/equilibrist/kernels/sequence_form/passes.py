"""The passes over a game in sequence form: reach down, payoffs across, values up.

Shapes as in `SequenceArrays`; reach, behaviour and value are float64[S] in engine order.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import LANES
from equilibrist.kernels.primitives.simd import add_product, load_lanes, store_lanes, zero_lanes


@inner_kernel
def half_of(cells):
    """Bits of half a cell, which holds its shape above and the other's sequence below."""
    return np.uintp(4 * cells.itemsize)  # known when compiled: 16 or 32


@inner_kernel
def player_reach(arrays, player, behaviour, reach):
    """Own reach of a player's sequences: parent's reach times the action's probability."""
    reach[arrays.sequence_offset[player]] = 1.0
    for group in range(arrays.group_offset[player], arrays.group_offset[player + 1]):
        group_reach(arrays, group, behaviour, reach)


@inner_kernel
def group_reach(arrays, group, behaviour, reach):
    """Own reach of the sequences of one group."""
    zero = np.uintp(0)
    one = np.uintp(1)
    two = np.uintp(2)
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    base = np.uintp(arrays.group_first_infoset[group])
    actions = np.uintp(arrays.group_actions[group])
    for a in range(zero, actions, two):
        # Two actions at a time share the look at the parent; a last odd one is written twice.
        column = first + np.uintp(a) * size
        next_column = column + size if np.uintp(a) + one < actions else column
        for i in range(size):
            k = np.uintp(i)
            above = reach[arrays.parent_sequence[base + k]]
            reach[column + k] = above * behaviour[column + k]
            reach[next_column + k] = above * behaviour[next_column + k]


@inner_kernel
def push(arrays, player, reach, value):
    """Counterfactual payoff of each own sequence, summed over the terminals where it ends.

    Payoffs stand as vectors of eight neighbouring own sequences: each tile of eight gathers over
    the others' sequences in registers and is stored once. A store may spill zeros past its tile;
    tiles come in ascending order and cover every sequence, so that the next one overwrites them.
    `value` is float64[S + LANES].
    """
    first = np.uintp(arrays.tile_offset[player])
    end = np.uintp(arrays.tile_offset[player + 1])
    gather(arrays, arrays.outer_index, player, first, end, reach, value, None)


@inner_kernel
def gather(arrays, outers, player, first_tile, end_tile, reach, value, skips):
    """Compiled for the game's own case only: with both in one kernel each pass is slower.

    Numba leaves out the branch that cannot be taken, as it knows an argument's dimensions. With
    `skips`, None otherwise, cells that the others do not reach are not read: no bit changes.
    """
    if outers.ndim == 1:
        gather_from_one(arrays, player, first_tile, end_tile, reach, value, skips)
    else:
        gather_from_many(arrays, player, first_tile, end_tile, reach, value, skips)


@inner_kernel
def gather_from_one(arrays, player, first_tile, end_tile, reach, value, skips):
    """One other player: every tile has one run of cells."""
    one = np.uintp(1)
    lanes = np.uintp(LANES)
    pointer = arrays.outer_pointer
    cells = arrays.cell
    half = half_of(cells)
    low = (one << half) - one
    values = arrays.shape_value
    first = arrays.tile_first
    scale = arrays.scale[player]
    for k in range(first_tile, end_tile):
        tile = np.uintp(k)
        total = zero_lanes()
        for c in range(np.uintp(pointer[tile]), np.uintp(pointer[tile + one])):
            cell = np.uintp(cells[np.uintp(c)])
            if skips is not None and reach[cell & low] == 0.0:
                continue
            payoffs = load_lanes(values, (cell >> half) * lanes)
            total = add_product(total, reach[cell & low], payoffs)
        store_lanes(value, np.uintp(first[tile]), add_product(zero_lanes(), scale, total))


@inner_kernel
def gather_from_many(arrays, player, first_tile, end_tile, reach, value, skips):
    """More players: runs of cells whose other sequences but the last are not reached are skipped.

    That is most of them once strategies sharpen.
    """
    zero = np.uintp(0)
    one = np.uintp(1)
    lanes = np.uintp(LANES)
    outers = arrays.outer_index
    pointer = arrays.outer_pointer
    cells = arrays.cell
    half = half_of(cells)
    low = (one << half) - one
    values = arrays.shape_value
    first = arrays.tile_first
    scale = arrays.scale[player]
    for k in range(first_tile, end_tile):
        tile = np.uintp(k)
        total = zero_lanes()
        for m in range(
            np.uintp(arrays.tile_pointer[tile]), np.uintp(arrays.tile_pointer[tile + one])
        ):
            outer = np.uintp(m)
            weight = reach[outers[zero, outer]]
            for j in range(1, outers.shape[0]):
                weight *= reach[outers[np.uintp(j), outer]]
            if weight != 0.0:
                inner = zero_lanes()
                for c in range(np.uintp(pointer[outer]), np.uintp(pointer[outer + one])):
                    cell = np.uintp(cells[np.uintp(c)])
                    if skips is not None and reach[cell & low] == 0.0:
                        continue
                    payoffs = load_lanes(values, (cell >> half) * lanes)
                    inner = add_product(inner, reach[cell & low], payoffs)
                total = add_product(total, weight, inner)
        store_lanes(value, np.uintp(first[tile]), add_product(zero_lanes(), scale, total))
