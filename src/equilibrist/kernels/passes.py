"""The passes over a game in sequence form: reach down, payoffs across, values up.

Shapes as in `SequenceArrays`; reach, behaviour and value are float64[S] in engine order.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel


@kernel
def player_reach(arrays, player, behaviour, reach):
    """Own reach of a player's sequences: parent's reach times the action's probability."""
    reach[arrays.sequence_offset[player]] = 1.0
    for group in range(arrays.group_offset[player], arrays.group_offset[player + 1]):
        first = np.uintp(arrays.group_first_sequence[group])
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        for a in range(np.uintp(arrays.group_actions[group])):
            column = first + np.uintp(a) * size
            for i in range(size):
                k = np.uintp(i)
                above = reach[arrays.parent_sequence[base + k]]
                reach[column + k] = above * behaviour[column + k]


@kernel
def all_reach(arrays, behaviour, reach):
    """`player_reach` for every player."""
    for player in range(arrays.sequence_offset.shape[0] - 1):
        player_reach(arrays, player, behaviour, reach)


@kernel
def push(arrays, player, reach, value):
    """Counterfactual payoff of each own sequence: value[s] = sum of w * payoff into s.

    w is the product of the other players' reaches; tuples that nobody reaches are skipped,
    which is most of them once strategies sharpen.
    """
    for s in range(arrays.sequence_offset[player], arrays.sequence_offset[player + 1]):
        value[s] = 0.0
    columns = arrays.tuple_columns
    pointer = arrays.tuple_pointer
    row = arrays.entry_row
    entry = arrays.entry_value
    others = columns.shape[0]
    low = np.uintp(arrays.tuple_offset[player])
    high = np.uintp(arrays.tuple_offset[player + 1])
    zero = np.uintp(0)
    one = np.uintp(1)
    for t in range(low, high):
        c = np.uintp(t)
        if others == 1:
            w = reach[columns[zero, c]]
        elif others == 2:
            w = reach[columns[zero, c]] * reach[columns[one, c]]
        else:
            w = 1.0
            for j in range(others):
                w *= reach[columns[j, c]]
        if w != 0.0:
            for k in range(np.uintp(pointer[c]), np.uintp(pointer[c + one])):
                value[row[np.uintp(k)]] += w * entry[np.uintp(k)]
