"""CFR-BR in an abstraction: merged infosets learn against best responses of the full game.

Johanson, Bard, Burch and Bowling, Finding Optimal Abstract Strategies in Extensive-Form Games,
AAAI 2012. The full game has perfect recall and stands in sequence form; abstract infosets stand in
public order, and may forget. The regrets of an abstract infoset are sums over the infosets that it
stands for, and the average weighs a strategy with the sum of chance times own reach there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.local_update import update_group
from equilibrist.kernels.sequence_form.passes import player_reach, push
from equilibrist.kernels.sequence_form.response import respond
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL
from equilibrist.typing import FloatArray, Int64Array


class AbstractResponseArrays(NamedTuple):
    """A full game with S sequences, and an abstraction with A infosets and Q pairs with actions."""

    form: Any  # SequenceArrays of the full game
    slot: Int64Array  # [S]: the abstract pair of each sequence; 0 of those that no infoset has
    chance: FloatArray  # [S]: chance's reach of the sequence's infoset, summed over its histories
    offset: Int64Array  # [A + 1]: pairs of each abstract infoset, by player
    player_offset: Int64Array  # [P + 1]: abstract infosets of each player


class ResponseScratch(NamedTuple):
    """Working memory: the profile that is met, in the full game and in the abstract one."""

    behaviour: FloatArray  # [S]
    reach: FloatArray  # [S], of the strategies that learn
    reply: FloatArray  # [S], best responses: 1 for what they play
    reply_reach: FloatArray  # [S]
    value: FloatArray  # [S + LANES]
    infoset_value: FloatArray  # [largest group]
    merged_value: FloatArray  # [Q], counterfactual values
    merged_reach: FloatArray  # [Q], weights in the average
    alone: FloatArray  # [2]


@kernel
def chance_of_infosets(node, chance_probability, reach, out_chance):
    """Sum chance's reach over the histories of each infoset: float64[Q], at its first action.

    node: int32[N, 4] of `HistoryArrays`. reach: scratch, float64[N].
    """
    reach[0] = 1.0
    for n in range(node.shape[0]):
        mover = node[n, PLAYER]
        if mover not in (CHANCE, TERMINAL):
            out_chance[node[n, BASE]] += reach[n]
        for a in range(node[n, CHILDREN]):
            by_chance = chance_probability[node[n, BASE] + a] if mover == CHANCE else 1.0
            reach[node[n, FIRST] + a] = reach[n] * by_chance


@inner_kernel
def value_merged(arrays, player, scratch):
    """Counterfactual values and weights of a player's abstract pairs against the replies."""
    form, slot, value = arrays.form, arrays.slot, scratch.value
    push(form, player, scratch.reply_reach, value)
    low, high = form.group_offset[player], form.group_offset[player + 1]
    for group in range(high - 1, low - 1, -1):
        first = np.uintp(form.group_first_sequence[group])
        size = np.uintp(form.group_size[group])
        base = np.uintp(form.group_first_infoset[group])
        for i in range(size):
            scratch.infoset_value[np.uintp(i)] = 0.0
        for a in range(np.uintp(form.group_actions[group])):
            column = first + np.uintp(a) * size
            for i in range(size):
                k = column + np.uintp(i)
                pair = np.uintp(slot[k])
                scratch.merged_value[pair] += value[k]
                scratch.merged_reach[pair] += arrays.chance[k] * scratch.reach[k]
                scratch.infoset_value[np.uintp(i)] += scratch.behaviour[k] * value[k]
        for i in range(size):
            k = np.uintp(i)
            value[form.parent_sequence[base + k]] += scratch.infoset_value[k]


@uncounted_kernel
def run(
    arrays,  # AbstractResponseArrays
    coefficients,  # float64[T, 7], one row per iteration
    regret,  # float64[Q], public order of the abstract infosets
    behaviour,  # float64[Q], the current strategy
    strategy_sum,  # float64[Q]
    scratch,  # ResponseScratch
):
    """Run one iteration per row of `coefficients`; regrets and sums are updated in place.

    All players' best responses answer the profile that the iteration began with.
    """
    form, slot = arrays.form, arrays.slot
    players = form.sequence_offset.shape[0] - 1
    for t in range(coefficients.shape[0]):
        for group in range(form.group_size.shape[0]):
            low = form.group_first_sequence[group]
            count = form.group_size[group] * form.group_actions[group]
            for s in range(low, low + count):
                k = np.uintp(s)
                scratch.behaviour[k] = behaviour[np.uintp(slot[k])]
        for player in range(players):
            player_reach(form, player, scratch.behaviour, scratch.reach)
        for player in range(players):
            push(form, player, scratch.reach, scratch.value)
            respond(form, player, scratch.value, scratch.reply)
        for player in range(players):
            player_reach(form, player, scratch.reply, scratch.reply_reach)
        for player in range(players):
            for pair in range(regret.shape[0]):
                scratch.merged_value[np.uintp(pair)] = 0.0
                scratch.merged_reach[np.uintp(pair)] = 0.0
            value_merged(arrays, player, scratch)
            for infoset in range(arrays.player_offset[player], arrays.player_offset[player + 1]):
                update_group(
                    np.uintp(arrays.offset[infoset]),
                    np.uintp(1),
                    np.uintp(arrays.offset[infoset + 1] - arrays.offset[infoset]),
                    coefficients[t],
                    regret,
                    behaviour,
                    strategy_sum,
                    scratch.merged_reach,
                    scratch.merged_value,
                    scratch.alone[:1],
                    scratch.alone[1:],
                )
