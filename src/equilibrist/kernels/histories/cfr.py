"""CFR over histories, for games whose infosets do not determine their owner's past.

Without perfect recall a player's own reach differs among the histories of an infoset, so that
sequences do not do. Regrets are those of Zinkevich et al., "Regret minimization in games with
incomplete information", NIPS 2007: sums over the histories of an infoset, each with the others'
reach. The average weighs a strategy with the sum of chance times own reach of these histories.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.local_update import update_group
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL


@inner_kernel
def reach_histories(node, chance_probability, player, behaviour, out_own, out_chance, out_others):
    """Products of probabilities down to each history: own, of chance alone, and of all but own."""
    out_own[0] = 1.0
    out_chance[0] = 1.0
    out_others[0] = 1.0
    for k in range(node.shape[0]):
        n = np.uintp(k)
        first = np.uintp(node[n, FIRST])
        base = np.uintp(max(node[n, BASE], 0))
        mover = node[n, PLAYER]
        for a in range(node[n, CHILDREN]):
            i = np.uintp(a)
            child = first + i
            own, chance, others = out_own[n], out_chance[n], out_others[n]
            if mover == CHANCE:
                chance *= chance_probability[base + i]
                others *= chance_probability[base + i]
            elif mover == player:
                own *= behaviour[base + i]
            else:
                others *= behaviour[base + i]
            out_own[child] = own
            out_chance[child] = chance
            out_others[child] = others


@inner_kernel
def value_histories(
    node,
    chance_probability,
    payoff,
    player,
    behaviour,
    own,
    chance,
    others,
    worth,
    out_value,
    out_reach,
):
    """Counterfactual values (out_value) and weights of the average (out_reach) per action.

    `worth`, float64[N], gets what `player` earns from each history on.
    """
    for s in range(out_value.shape[0]):
        out_value[s] = 0.0
        out_reach[s] = 0.0
    for back in range(node.shape[0]):
        n = np.uintp(node.shape[0] - 1 - back)
        first = np.uintp(node[n, FIRST])
        base = np.uintp(max(node[n, BASE], 0))
        mover = node[n, PLAYER]
        total = payoff[base, player] if mover == TERMINAL else 0.0
        for a in range(node[n, CHILDREN]):
            i = np.uintp(a)
            below = worth[first + i]
            probability = chance_probability[base + i] if mover == CHANCE else behaviour[base + i]
            total += probability * below
            if mover == player:
                out_value[base + i] += others[n] * below
                out_reach[base + i] += chance[n] * own[n] * probability
        worth[n] = total


@uncounted_kernel
def run(
    node,  # int32[N, 4] of `HistoryArrays`
    chance_probability,  # float64, of `HistoryArrays`
    payoff,  # float64[L, P]
    offset,  # int64[I + 1]: flat actions of each infoset, by player
    player_offset,  # int64[P + 1]: infosets of each player
    coefficients,  # float64[T, 7], one row per iteration
    alternating,  # whether players update in turn
    regret,  # float64[Q]
    behaviour,  # float64[Q], the current strategy
    strategy_sum,  # float64[Q]
    own,  # scratch, float64[N]
    chance,  # scratch, float64[N]
    others,  # scratch, float64[N]
    worth,  # scratch, float64[N]
    value,  # scratch, float64[P, Q]
    reach,  # scratch, float64[P, Q]
    scratch,  # scratch, float64[1]
    total,  # scratch, float64[1]
):
    """Run one iteration per row of `coefficients`; all float64[Q] arrays are in public order.

    Alternating: player 0 first, each update sees the ones before it. Simultaneous: all players'
    values come from one profile.
    """
    players = player_offset.shape[0] - 1
    for t in range(coefficients.shape[0]):
        for step in range(2 * players):
            # Simultaneous: all players are valued before the first is updated.
            player = step // 2 if alternating else step % players
            updates = step % 2 == 1 if alternating else step >= players
            if not updates:
                reach_histories(node, chance_probability, player, behaviour, own, chance, others)
                value_histories(
                    node,
                    chance_probability,
                    payoff,
                    player,
                    behaviour,
                    own,
                    chance,
                    others,
                    worth,
                    value[player],
                    reach[player],
                )
                continue
            for infoset in range(player_offset[player], player_offset[player + 1]):
                update_group(
                    np.uintp(offset[infoset]),
                    np.uintp(1),
                    np.uintp(offset[infoset + 1] - offset[infoset]),
                    coefficients[t],
                    regret,
                    behaviour,
                    strategy_sum,
                    reach[player],
                    value[player],
                    scratch,
                    total,
                )
