"""One random line of play by compiled rules, to compare with the same rules run by Python."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.implicit.rule_calls import (
    CHANCE,
    TERMINAL,
    rule_apply,
    rule_key,
    rule_num_actions,
    rule_outcome,
    rule_payoff,
    rule_player,
    rule_public_state,
    rule_start,
)


def playout(
    g,
    draws,  # float64[moves + 1] in [0, 1): one per move
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    out_state,  # int64[moves + 1, state size]: the states on the way
    out_move,  # int64[moves + 1, 3]: player, number of actions, the action taken
    out_key,  # uint64[moves + 1, 2]: keys of the players' states
    out_public,  # uint64[moves + 1, 2]: what is public, zeros where the rules do not say it
    out_payoff,  # float64[players]
):
    """Play to the end and return the number of moves; -1 if there is none."""
    rule_start(g, s)
    for n in range(draws.shape[0]):
        player = rule_player(g, s)
        out_state[n, :] = s
        rule_public_state(g, s, packed)
        out_public[n, :] = packed
        out_move[n, 0] = player
        if player == TERMINAL:
            for p in range(out_payoff.shape[0]):
                out_payoff[p] = rule_payoff(g, s, p)
            return n
        count = np.int64(rule_num_actions(g, s))
        if player == CHANCE:
            a = np.int64(rule_outcome(g, s, draws[n]))
        else:
            rule_key(g, s, packed)
            out_key[n, :] = packed
            a = min(np.int64(draws[n] * count), count - 1)
        out_move[n, 1] = count
        out_move[n, 2] = a
        rule_apply(g, s, a)
    return -1
