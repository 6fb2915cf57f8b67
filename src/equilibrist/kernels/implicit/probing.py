"""Probing on rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.implicit.external import (
    DONE,
    ITERATION,
    LOG_FULL,
    NO_NUMBER,
    STREAM,
    TOUCHED,
    TRAVERSER,
    enter,
)
from equilibrist.kernels.implicit.rule_calls import rule_apply, rule_payoff, rule_start
from equilibrist.kernels.implicit.steps import ENDED, log_settled, probe, to_own_decision
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform


def probing_sampling(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    k,  # own actions that are tried, at least 1
    states,  # int64[moves + 1, state size], scratch: the state at each own decision on the path
    moves,  # int64[moves + 1], scratch: the action to be decided on next
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    wanted,  # int64[moves + 1], scratch: actions still to be drawn
    inverses,  # float64[moves + 1], scratch: `inverse` at each own decision
    below,  # float64[moves + 1], scratch: what it is below
    strategy,  # float64[(moves + 1) * width], scratch
    utility,  # float64[(moves + 1) * width], scratch
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4], as `external_sampling` has it
):
    """`probing_sampling` of the tree, by the rules: the same draws, the same sums.

    Returns a status; tables and logs that are full are dealt with as in `external_sampling`.
    """
    longest = states.shape[0] - 1
    while progress[ITERATION] <= last:
        t = progress[ITERATION]
        while progress[TRAVERSER] < players:
            traverser = progress[TRAVERSER]
            state = stream(key, np.uint64(t)) if traverser == 0 else np.uint64(progress[STREAM])
            touched = 0
            logged = np.int64(0)
            depth = 0
            inverse = 1.0  # 1 / probability of the own draws so far
            rule_start(g, s)
            while True:
                status, place, actions, state, steps, logged = to_own_decision(
                    g, table, traverser, width, longest - depth, weight * inverse,
                    s, packed, state, log_place, log_change, logged,
                )  # fmt: skip
                if status != DONE:
                    return status
                touched += steps
                if place == ENDED:
                    payoff = rule_payoff(g, s, traverser)
                    if not np.isfinite(payoff):
                        return NO_NUMBER
                    if depth > 0:
                        utility[(depth - 1) * width + moves[depth - 1] - 1] = payoff
                else:
                    at = np.uintp(depth * width)
                    match_regrets(table.pool[0], np.uintp(place), np.uintp(actions), strategy, at)
                    states[depth, :] = s
                    moves[depth] = 0
                    places[depth] = place
                    counts[depth] = actions
                    inverses[depth] = inverse
                    wanted[depth] = min(k, actions)
                    below[depth] = inverse * (actions / wanted[depth])
                    depth += 1
                # Up to the next own action that is tried.
                unfinished = False
                while depth > 0:
                    level = depth - 1
                    row = level * width
                    a = moves[level]
                    while a < counts[level] and not unfinished:
                        left = counts[level] - a
                        unfinished = wanted[level] == left
                        if 0 < wanted[level] < left:
                            state = advance(state)
                            unfinished = uniform(state) < wanted[level] / left
                        if not unfinished:
                            s[:] = states[level]
                            rule_apply(g, s, a)
                            status, state, steps = probe(
                                g, table, width, longest - depth, s, packed, state
                            )
                            if status != DONE:
                                return status
                            touched += steps
                            payoff = rule_payoff(g, s, traverser)
                            if not np.isfinite(payoff):
                                return NO_NUMBER
                            utility[row + a] = payoff
                        a += 1
                    if unfinished:
                        moves[level] = a
                        wanted[level] -= 1
                        inverse = below[level]
                        s[:] = states[level]
                        rule_apply(g, s, a - 1)
                        break
                    value, logged = log_settled(
                        table, places[level], counts[level], strategy, utility, row,
                        inverses[level], log_place, log_change, logged,
                    )  # fmt: skip
                    if logged < 0:
                        return LOG_FULL
                    depth = level
                    if depth > 0:
                        utility[(depth - 1) * width + moves[depth - 1] - 1] = value
                if not unfinished:
                    break
            enter(table, log_place, log_change, logged)
            progress[TOUCHED] += touched
            progress[TRAVERSER] += 1
            progress[STREAM] = np.int64(state)
        progress[TRAVERSER] = 0
        progress[ITERATION] += 1
    return DONE
