"""Full traversals for local rules: the loop of `cfr.run` around an update chosen by its memory."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel, kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.local_steps import (
    DECAY,
    WEIGHT,
    AdaptiveMemory,
    HedgeMemory,
    learn_adaptively,
    learn_by_weights,
)
from equilibrist.kernels.sequence_form.mirror_descent import MirrorMemory, learn_by_descent
from equilibrist.kernels.sequence_form.passes import player_reach, push

learn = chosen_by_type(
    {
        AdaptiveMemory: learn_adaptively,
        HedgeMemory: learn_by_weights,
        MirrorMemory: learn_by_descent,
    }
)
"""The update of one infoset: learn(memory, s, size, actions, row, regret, instant, behaviour)."""


@inner_kernel
def learn_group(
    memory, arrays, group, row, regret, behaviour, strategy_sum, reach, value, out_value
):
    """Averages of one group, and what the rule learns; out_value[i] is infoset i's value."""
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    for i in range(size):
        s = first + np.uintp(i)
        expected = 0.0
        for a in range(actions):
            k = s + np.uintp(a) * size
            expected += behaviour[k] * value[k]
        out_value[np.uintp(i)] = expected
        for a in range(actions):
            k = s + np.uintp(a) * size
            strategy_sum[k] = row[DECAY] * strategy_sum[k] + row[WEIGHT] * reach[k]
            value[k] -= expected  # the instantaneous regret from here on
        learn(memory, s, size, actions, row, regret, value, behaviour)


@inner_kernel
def update_player(
    arrays, player, row, regret, behaviour, strategy_sum, reach, value, infoset_value, memory
):
    """Deepest infosets first: averages, what the rule learns, and values on their way up."""
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        learn_group(
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
        )
        for i in range(size):
            k = np.uintp(i)
            value[arrays.parent_sequence[base + k]] += infoset_value[k]


@uncounted_kernel
def run(
    arrays,  # SequenceArrays
    table,  # float64[T, 3 + numbers], one row per iteration
    alternating,  # whether players update in turn
    regret,  # float64[S], engine order
    behaviour,  # float64[S], the current strategy
    strategy_sum,  # float64[S], engine order
    reach,  # must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]
    infoset_value,  # scratch, float64[largest group]
    _total,  # the arguments are those of `cfr.run`
    memory,  # a NamedTuple of float64[S], whose type says which rule learns
):
    """Run one iteration per row of `table`, as `cfr.run` does."""
    players = arrays.sequence_offset.shape[0] - 1
    for t in range(table.shape[0]):
        row = table[t]
        for player in range(players):
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
                memory,
            )
            if alternating or player == players - 1:
                for reached in range(low, high):
                    player_reach(arrays, reached, behaviour, reach)


@kernel
def push_values(arrays, player, reach, value):
    """Push values to a player's sequences, for rules whose update is Python."""
    push(arrays, player, reach, value)


@kernel
def reach_down(arrays, player, behaviour, reach):
    """Carry a player's own reach down, for rules whose update is Python."""
    player_reach(arrays, player, behaviour, reach)
