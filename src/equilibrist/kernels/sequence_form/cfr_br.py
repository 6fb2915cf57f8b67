"""CFR-BR: every player learns against best responses.

Johanson, Bard, Burch and Bowling, Finding Optimal Abstract Strategies in Extensive-Form Games,
AAAI 2012. Regrets are added history by history, in the order of a depth-first walk: see `replies`.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.sequence_form.local_update import (
    DECAY,
    FLOOR,
    LOOKAHEAD,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    WEIGHT,
)
from equilibrist.kernels.sequence_form.passes import player_reach
from equilibrist.kernels.sequence_form.replies import moves_of, node_value, reply
from equilibrist.kernels.tree.nodes import CHILDREN, FIRST


@inner_kernel
def add_regrets(arrays, player, move, weight, value, regret, instant):
    """Add each history's regrets to those of its infoset: `instant` and `regret`, float64[S].

    weight (float64[N]) gets the counterfactual reach, value (float64[N]) the value of each node
    that the others reach.
    """
    weight[0] = 1.0
    for n in range(1, weight.shape[0]):
        weight[n] = weight[np.uintp(arrays.parent[n])]
        if arrays.mover[n] != player:
            weight[n] *= move[n]
    for n in range(weight.shape[0] - 1, -1, -1):
        reached = weight[n] != 0.0
        value[n] = node_value(arrays, n, player, move, value) if reached else 0.0
    start = 0
    for layer in range(arrays.stop.shape[1]):
        for i in range(start, arrays.stop[player, layer, 0]):
            n = np.uintp(arrays.order[player, i])
            if weight[n] != 0.0:
                first = np.uintp(arrays.node[n, FIRST])
                for k in range(arrays.node[n, CHILDREN]):
                    child = first + np.uintp(k)
                    r = weight[n] * (value[child] - value[n])
                    regret[arrays.sequence[child]] += r
                    instant[arrays.sequence[child]] += r
        start = arrays.stop[player, layer, 1]


@inner_kernel
def match(form, player, coefficients, regret, instant, behaviour, strategy_sum, reach):
    """Averages and next behaviour of a player, whose regrets are up to date but for the floor."""
    for group in range(form.group_offset[player], form.group_offset[player + 1]):
        first = np.uintp(form.group_first_sequence[group])
        size = np.uintp(form.group_size[group])
        actions = np.uintp(form.group_actions[group])
        for i in range(size):
            total = 0.0
            for a in range(actions):
                s = first + np.uintp(i) + np.uintp(a) * size
                strategy_sum[s] = coefficients[DECAY] * strategy_sum[s]
                strategy_sum[s] += coefficients[WEIGHT] * reach[s]
                regret[s] = max(regret[s], coefficients[FLOOR])
                ahead = coefficients[PREDICTION] * instant[s]
                behaviour[s] = max(coefficients[LOOKAHEAD] * regret[s] + ahead, 0.0)
                total += behaviour[s]
            for a in range(actions):
                s = first + np.uintp(i) + np.uintp(a) * size
                behaviour[s] = 1.0 / actions if total <= 0.0 else behaviour[s] / total


@kernel
def run(
    arrays,  # ReplyArrays
    coefficients,  # float64[T, 7], one row per iteration
    _alternating,  # the arguments are those of `full_traversals.run`; updates are simultaneous here
    regret,  # float64[S], engine order
    behaviour,  # float64[S], the current strategy
    strategy_sum,  # float64[S], engine order
    reach,  # must be the reach of `behaviour`
    instant,  # scratch, float64[S + LANES]: instantaneous regrets
    _infoset_value,
    _total,
):
    """Run one iteration per row of `coefficients`; the arrays are those of `full_traversals.run`.

    All players' best responses answer the profile that the iteration began with.
    """
    form = arrays.form
    players = form.sequence_offset.shape[0] - 1
    nodes = arrays.node.shape[0]
    move, weight, value = np.empty(nodes), np.empty(nodes), np.empty(nodes)
    replies = np.ones(behaviour.shape[0])
    for t in range(coefficients.shape[0]):
        row = coefficients[t]
        for player in range(players):
            reply(arrays, player, behaviour, instant, move, value, replies)
        for player in range(players):
            for s in range(form.sequence_offset[player], form.sequence_offset[player + 1]):
                instant[s] = 0.0
                regret[s] *= row[POSITIVE] if regret[s] > 0.0 else row[NEGATIVE]
            moves_of(arrays, player, behaviour, replies, move)
            add_regrets(arrays, player, move, weight, value, regret, instant)
            match(form, player, row, regret, instant, behaviour, strategy_sum, reach)
        for player in range(players):
            player_reach(form, player, behaviour, reach)
