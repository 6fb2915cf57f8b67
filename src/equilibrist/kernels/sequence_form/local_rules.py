"""The update of a group of infosets, chosen by what its rule remembers; passes for Python.

Arrays are those of `full_traversals.run`; `out_value` is float64[largest group].
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import chosen_by_type, kernel
from equilibrist.kernels.sequence_form.bottom_up import (
    BottomUpMemory,
    gather_lifts,
    learn_bottom_up,
    lift_parents,
    no_gathered_lifts,
    no_lifts,
)
from equilibrist.kernels.sequence_form.local_steps import (
    DECAY,
    WEIGHT,
    AdaptiveMemory,
    HedgeMemory,
    learn_adaptively,
    learn_by_weights,
)
from equilibrist.kernels.sequence_form.local_update import learn_by_coefficients
from equilibrist.kernels.sequence_form.magnetic_descent import MagneticMemory, learn_by_magnet
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


def learn_by_rule(
    memory, arrays, group, row, regret, behaviour, strategy_sum, reach, value, out_value, _total
):
    """Averages of one group, and what a local rule learns; out_value[i] is infoset i's value."""
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


learn_group = chosen_by_type(
    {
        type(None): learn_by_coefficients,
        AdaptiveMemory: learn_by_rule,
        HedgeMemory: learn_by_rule,
        MirrorMemory: learn_by_rule,
        MagneticMemory: learn_by_magnet,
        BottomUpMemory: learn_bottom_up,
    }
)
"""The update of one group, by what its rule remembers besides regrets: variants nothing."""

_LOCAL = (type(None), AdaptiveMemory, HedgeMemory, MirrorMemory, MagneticMemory)

predict_above = chosen_by_type({**dict.fromkeys(_LOCAL, no_lifts), BottomUpMemory: lift_parents})
"""What is handed up after a group besides values: predict_above(memory, arrays, group, empty)."""

predict_from_below = chosen_by_type(
    {**dict.fromkeys(_LOCAL, no_gathered_lifts), BottomUpMemory: gather_lifts}
)
"""The same before a group, for several threads: predict_from_below(memory, shares, group)."""


@kernel
def push_values(arrays, player, reach, value):
    """Push values to a player's sequences, for rules whose update is Python."""
    push(arrays, player, reach, value)


@kernel
def reach_down(arrays, player, behaviour, reach):
    """Carry a player's own reach down, for rules whose update is Python."""
    player_reach(arrays, player, behaviour, reach)
