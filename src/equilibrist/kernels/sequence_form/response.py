"""Expected values and best responses in sequence form, and averages from strategy sums."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.passes import player_reach, push


@kernel
def average_behaviour(arrays, strategy_sum, out_behaviour):
    """Normalise strategy sums per infoset; uniform where the sum is zero, NaN where one is.

    float64[S] each.
    """
    for s in range(out_behaviour.shape[0]):
        out_behaviour[s] = 1.0
    for group in range(arrays.group_first_sequence.shape[0]):
        first = np.uintp(arrays.group_first_sequence[group])
        size = np.uintp(arrays.group_size[group])
        actions = np.uintp(arrays.group_actions[group])
        for i in range(size):
            s = first + np.uintp(i)
            total = 0.0
            for a in range(actions):
                total += strategy_sum[s + np.uintp(a) * size]
            for a in range(actions):
                k = s + np.uintp(a) * size
                out_behaviour[k] = 1.0 / actions if total <= 0.0 else strategy_sum[k] / total


@inner_kernel
def best_action(arrays, group, i, value, out_response):
    """The sequence of the best action (the first of equals) of infoset i of a group.

    out_response becomes 1 there and 0 at the others.
    """
    size = np.uintp(arrays.group_size[group])
    s = np.uintp(arrays.group_first_sequence[group]) + np.uintp(i)
    best = s
    for a in range(np.uintp(arrays.group_actions[group])):
        k = s + np.uintp(a) * size
        out_response[k] = 0.0
        if value[k] > value[best]:
            best = k
    out_response[best] = 1.0
    return best


@inner_kernel
def respond(arrays, player, value, out_response):
    """Best-response value of `player`, given the payoffs that `push` left in `value`.

    Each infoset takes its best action, written to out_response.
    """
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        base = np.uintp(arrays.group_first_infoset[group])
        for i in range(np.uintp(arrays.group_size[group])):
            best = best_action(arrays, group, i, value, out_response)
            value[arrays.parent_sequence[base + np.uintp(i)]] += value[best]
    return value[arrays.sequence_offset[player]]


@inner_kernel
def expected_value(arrays, player, reach, value):
    """The payoff of `player`, whose sequences have this reach, from what `push` left."""
    expected = 0.0
    for s in range(arrays.sequence_offset[player], arrays.sequence_offset[player + 1]):
        expected += reach[s] * value[s]
    return expected


@uncounted_kernel
def evaluate(arrays, behaviour, reach, value, out_response, out_values, out_best):
    """Each player's value under `behaviour` and under a best response to the others.

    reach (float64[S]) and value (float64[S + LANES]) are scratch; out_response (float64[S]) gets
    every player's best response, out_values and out_best are float64[P].
    """
    players = arrays.sequence_offset.shape[0] - 1
    for s in range(behaviour.shape[0]):
        reach[s] = 0.0  # of sequences that belong to no infoset
    for player in range(players):
        player_reach(arrays, player, behaviour, reach)
    for player in range(players):
        push(arrays, player, reach, value)
        out_values[player] = expected_value(arrays, player, reach, value)
        out_best[player] = respond(arrays, player, value, out_response)
