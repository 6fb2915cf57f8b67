"""Predictive CFR+ whose predictions go from the bottom up.

Farina, Kroer and Sandholm, Faster Game Solving via Predictive Blackwell Approachability, AAAI 2021.
What is predicted is how the others play: as they just did. The predicted value of an action at
infoset I then follows from the *next* strategies at the infosets below I, which are known before
that at I is chosen, while local prediction repeats the value under the strategies just played:

    g(a) = value(a) + sum over infosets J below a of lift(J),
    sigma' <- RM(R + g - <sigma, g>),    lift(I) = <sigma', g> - <sigma, value>

with R already updated. Arrays are those of `full_traversals.run`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels.sequence_form.local_steps import DECAY, WEIGHT
from equilibrist.typing import FloatArray


class BottomUpMemory(NamedTuple):
    """float64[S] each, in payoff units: the working memory of one iteration."""

    lift: FloatArray  # by infoset: predicted minus present value; the numbers from I on are unused
    lift_below: FloatArray  # by sequence: `lift` of the infosets below, summed; 0 once it is used


def learn_bottom_up(
    memory, arrays, group, row, regret, behaviour, strategy_sum, reach, value, out_value, _total
):
    """One group: R <- max(R + r, 0), averages, and the strategy that answers the prediction.

    out_value[i] is infoset i's value under the strategy that was just played.
    """
    lift, lift_below = memory.lift, memory.lift_below
    first = np.uintp(arrays.group_first_sequence[group])
    base = np.uintp(arrays.group_first_infoset[group])
    size = np.uintp(arrays.group_size[group])
    actions = np.uintp(arrays.group_actions[group])
    for i in range(size):
        s = first + np.uintp(i)
        expected, raised = 0.0, 0.0
        for a in range(actions):
            k = s + np.uintp(a) * size
            expected += behaviour[k] * value[k]
            raised += behaviour[k] * lift_below[k]
        out_value[np.uintp(i)] = expected
        total = 0.0
        for a in range(actions):
            k = s + np.uintp(a) * size
            strategy_sum[k] = row[DECAY] * strategy_sum[k] + row[WEIGHT] * reach[k]
            value[k] -= expected  # the instantaneous regret from here on
            regret[k] = max(regret[k] + value[k], 0.0)
            behaviour[k] = max(regret[k] + value[k] + (lift_below[k] - raised), 0.0)
            total += behaviour[k]
        above = 0.0
        for a in range(actions):
            k = s + np.uintp(a) * size
            behaviour[k] = 1.0 / actions if total <= 0.0 else behaviour[k] / total
            above += behaviour[k] * (value[k] + lift_below[k])
            lift_below[k] = 0.0
        lift[base + np.uintp(i)] = above


def lift_parents(memory, arrays, group, empty):
    """Add the lifts of a group's infosets to the sequences above; `empty` is their player's first.

    Nobody chooses at the empty sequence, so that no lift is added there.
    """
    base = np.uintp(arrays.group_first_infoset[group])
    for i in range(np.uintp(arrays.group_size[group])):
        infoset = base + np.uintp(i)
        above = np.uintp(arrays.parent_sequence[infoset])
        if above != np.uintp(empty):
            memory.lift_below[above] += memory.lift[infoset]


def gather_lifts(memory, shares, group):
    """Add the lifts of the infosets below a group to its sequences, for several threads."""
    for e in range(shares.rising_offset[group], shares.rising_offset[group + 1]):
        k = np.uintp(e)
        memory.lift_below[shares.rising_parent[k]] += memory.lift[shares.rising_infoset[k]]


def no_lifts(_memory, _arrays, _group, _empty):
    """Of rules that predict locally or not at all."""


def no_gathered_lifts(_memory, _shares, _group):
    """Of rules that predict locally or not at all."""
