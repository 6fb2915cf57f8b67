"""Partial pruning in sequence form: payoffs that the others' play does not reach are not read.

A payoff that is multiplied by a reach of zero adds a zero, so that skipping it changes no bit. For
Hedge, which gives every action some weight, play below a threshold may be cut to zero first.
Arrays that are not in `PartialArrays` are those of `full_traversals.run`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.sequence_form.local_steps import ITERATION
from equilibrist.kernels.sequence_form.passes import gather
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
def push_reached(arrays, player, reach, value):
    """Push payoffs to a player's sequences, without the cells that the others do not reach."""
    first = np.uintp(arrays.tile_offset[player])
    end = np.uintp(arrays.tile_offset[player + 1])
    gather(arrays, arrays.outer_index, player, first, end, reach, value, True)


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
