"""CFR in sequence form by full traversals: all variants, any number of players, both orders."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.local_update import (
    update_group,
    update_pair_group,
    update_triple_group,
)
from equilibrist.kernels.sequence_form.passes import player_reach, push


@inner_kernel
def learn_group(
    arrays,
    group,
    coefficients,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    out_value,
    total,
):
    """Regrets, averages and next behaviour of one group; out_value[i] is infoset i's value."""
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    if actions == 2:
        update_pair_group(
            first, size, coefficients, regret, behaviour, strategy_sum, reach, value, out_value
        )
    elif actions == 3:
        update_triple_group(
            first, size, coefficients, regret, behaviour, strategy_sum, reach, value, out_value
        )
    else:
        update_group(
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
        )


@inner_kernel
def update_player(
    arrays,
    player,
    coefficients,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    infoset_value,
    total,
):
    """Deepest infosets first: regrets, averages and next behaviour; values go up as they come."""
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        learn_group(
            arrays,
            group,
            coefficients,
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


@uncounted_kernel
def run(
    arrays,  # SequenceArrays
    coefficients,  # float64[T, 7], one row per iteration
    alternating,  # whether players update in turn
    regret,  # float64[S], engine order
    behaviour,  # float64[S], the current strategy
    strategy_sum,  # float64[S], engine order
    reach,  # must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]: a vector may spill past the last sequence
    infoset_value,  # scratch, float64[largest group]
    total,  # scratch, float64[largest group]
):
    """Run one iteration per row of `coefficients`; all float64[S] arrays are updated in place.

    Alternating: player 0 first, each update sees the ones before it (Burch, Moravcik, Schmid,
    Revisiting CFR+ and alternating updates, JAIR 2019). Simultaneous: all players' values come
    from one profile.
    """
    players = arrays.sequence_offset.shape[0] - 1
    for t in range(coefficients.shape[0]):
        row = coefficients[t]
        for player in range(players):
            # One call of each pass stands here for both orders: all are inlined, and every
            # further copy costs the first run a second of compiling.
            if alternating:
                low, high = player, player + 1
            else:
                low, high = 0, players
            if alternating or player == 0:
                for pushed in range(low, high):
                    push(arrays, pushed, reach, value)
            update_player(
                arrays,
                player,
                row,
                regret,
                behaviour,
                strategy_sum,
                reach,
                value,
                infoset_value,
                total,
            )
            if alternating or player == players - 1:
                for reached in range(low, high):
                    player_reach(arrays, reached, behaviour, reach)
