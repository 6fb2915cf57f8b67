"""Extensive-form fictitious play: best responses to the averages, and averages of them.

Heinrich, Lanctot and Silver, Fictitious Self-Play in Extensive-Form Games, ICML 2015, Algorithm 1.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.sequence_form.passes import player_reach
from equilibrist.kernels.sequence_form.replies import reply


@inner_kernel
def move_towards(form, step, replies, reply_reach, average, average_reach):
    """Move every infoset's average towards the replies, by what `step` is in whole plans."""
    for group in range(form.group_first_sequence.shape[0]):
        first = np.uintp(form.group_first_sequence[group])
        size = np.uintp(form.group_size[group])
        base = np.uintp(form.group_first_infoset[group])
        for i in range(size):
            above = form.parent_sequence[base + np.uintp(i)]
            gained = step * reply_reach[above]
            whole = (1.0 - step) * average_reach[above] + gained
            if whole > 0.0:  # not so at infosets that only fill up a group
                for a in range(form.group_actions[group]):
                    s = first + np.uintp(i) + np.uintp(a) * size
                    average[s] += gained * (replies[s] - average[s]) / whole


@kernel
def run(
    arrays,  # ReplyArrays
    table,  # float64[T, 1], the number of each iteration
    _alternating,  # the arguments are those of `full_traversals.run`; updates are simultaneous here
    _regret,
    behaviour,  # float64[S], engine order
    strategy_sum,  # float64[S], the average behaviour
    reach,  # float64[S], own reach of `behaviour`
    worth,  # scratch, float64[S + LANES]
    _infoset_value,
    _total,
):
    """Run one iteration per row of `table`; `behaviour` becomes the best responses.

    `strategy_sum` holds the average behaviour itself, which begins as the uniform strategy.
    """
    form = arrays.form
    players = form.sequence_offset.shape[0] - 1
    nodes = arrays.node.shape[0]
    move, value = np.empty(nodes), np.empty(nodes)
    reply_reach = np.zeros(behaviour.shape[0])
    for row in range(table.shape[0]):
        t = table[row, 0]
        if t == 1.0:
            for s in range(behaviour.shape[0]):
                strategy_sum[s] = behaviour[s]
        for player in range(players):
            reply(arrays, player, strategy_sum, worth, move, value, behaviour)
        for player in range(players):
            player_reach(form, player, behaviour, reply_reach)
            player_reach(form, player, strategy_sum, reach)
        move_towards(form, 1.0 / (t + 1.0), behaviour, reply_reach, strategy_sum, reach)
