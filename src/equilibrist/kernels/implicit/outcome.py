"""Outcome sampling on rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.implicit.external import (
    DONE,
    ENDLESS,
    ITERATION,
    LOG_FULL,
    NO_NUMBER,
    STREAM,
    TABLE_FULL,
    TOUCHED,
    TRAVERSER,
    WRONG_COUNT,
    enter,
    log_strategy,
    room,
)
from equilibrist.kernels.implicit.infoset_table import CONTRADICTED, UNSEEN, UNSTORED, find_or_add
from equilibrist.kernels.implicit.rule_calls import (
    CHANCE,
    TERMINAL,
    rule_apply,
    rule_key,
    rule_num_actions,
    rule_outcome,
    rule_payoff,
    rule_player,
    rule_start,
)
from equilibrist.kernels.outcome_sampling.exploring import INVERSE, WEIGHT, explore, update_regrets
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, stream, uniform


def outcome_sampling(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    epsilon,
    chosen,  # int64[moves + 1], scratch: what the traverser drew at each own decision
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    path,  # float64[moves + 1, 3], scratch, as `explore` has it
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4], as `external_sampling` has it
):
    """`outcome_sampling` of the tree, by the rules: the same draws, the same sums.

    Returns a status. The average is the one that is divided by the traverser's part of the
    sampling. Nothing is entered before the end of a trajectory, so that one that finds the table
    or the log full is run again, with the same draws, by the next call. From there on all rows
    exist, and regrets need no log.
    """
    longest = path.shape[0] - 1
    while progress[ITERATION] <= last:
        t = progress[ITERATION]
        while progress[TRAVERSER] < players:
            traverser = progress[TRAVERSER]
            state = stream(key, np.uint64(t)) if traverser == 0 else np.uint64(progress[STREAM])
            touched = 0
            logged = np.int64(0)
            depth = 0
            inverse = 1.0
            rule_start(g, s)
            while True:
                touched += 1
                player = rule_player(g, s)
                if player == TERMINAL:
                    break
                if touched > longest:
                    return ENDLESS
                state = advance(state)
                u = uniform(state)
                if player == CHANCE:
                    rule_apply(g, s, rule_outcome(g, s, u))
                    continue
                actions = np.int64(rule_num_actions(g, s))
                if actions < 1 or actions > width:
                    return WRONG_COUNT
                rule_key(g, s, packed)
                place = find_or_add(table, packed[0], packed[1], actions)
                if place < 0:
                    return WRONG_COUNT if place == CONTRADICTED else TABLE_FULL
                base = np.uintp(place)
                n = np.uintp(actions)
                if player == traverser:
                    level = np.uintp(depth)
                    a = explore(table.pool[0], base, n, epsilon, u, path, level, inverse)
                    chosen[depth] = a
                    places[depth] = place
                    counts[depth] = actions
                    inverse *= path[level, INVERSE]
                    depth += 1
                    rule_apply(g, s, np.int64(a))
                    continue
                if weight != 0.0 and place != UNSEEN:
                    logged = room(table, actions, log_place, log_change, logged)
                    if logged < 0:
                        return LOG_FULL
                    log_strategy(
                        table.pool[0], base, n, weight * inverse, place,
                        log_place, log_change, logged,
                    )  # fmt: skip
                    logged += actions
                rule_apply(g, s, np.int64(draw_action(table.pool[0], base, n, u)))
            value = rule_payoff(g, s, traverser)
            if not np.isfinite(value):
                return NO_NUMBER
            enter(table, log_place, log_change, logged)
            while depth > 0:
                depth -= 1
                level = np.uintp(depth)
                if places[depth] == UNSEEN:
                    # Drawn with what it is played with: the value stays as it is.
                    if counts[depth] > 1:
                        best = max(value * (path[level, INVERSE] - 1.0), -value)
                        table.pool[UNSTORED] += path[level, WEIGHT] * best
                    continue
                base, n = np.uintp(places[depth]), np.uintp(counts[depth])
                a = np.uintp(chosen[depth])
                value = update_regrets(table.pool[0], base, n, a, path, level, value)
            progress[TOUCHED] += touched
            progress[TRAVERSER] += 1
            progress[STREAM] = np.int64(state)
        progress[TRAVERSER] = 0
        progress[ITERATION] += 1
    return DONE
