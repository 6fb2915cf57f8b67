"""External sampling with pruning on rules without a tree."""

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
from equilibrist.kernels.implicit.infoset_table import (
    CONTRADICTED,
    UNSEEN,
    add_unstored,
    find_or_add,
)
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
from equilibrist.kernels.primitives.regret_matching import draw_action, match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.pruning import FULL, LIFT, LOWEST, next_walked


def external_pruned(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a visit adds to the strategy sum
    bound,  # regrets below it are pruned
    states,  # int64[moves + 1, state size], scratch: the state at each own decision on the path
    moves,  # int64[moves + 1], scratch: actions tried there
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    lifts,  # float64[moves + 1], scratch
    poor,  # bool[(moves + 1) * width], scratch
    strategy,  # float64[(moves + 1) * width], scratch
    utility,  # float64[(moves + 1) * width], scratch
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4], as `external_sampling` has it
):
    """`external_pruned` of the tree, by the rules: the same draws, the same sums.

    Returns a status, as `external_sampling` does. Whether an action goes on is asked of the state
    at hand: the tree asks it of all histories of the infoset. Where an action ends the game in some
    of them only, both are right on average, but not alike.
    """
    longest = states.shape[0] - 1
    floor = LOWEST * bound
    while progress[ITERATION] <= last:
        t = progress[ITERATION]
        while progress[TRAVERSER] < players:
            traverser = progress[TRAVERSER]
            state = stream(key, np.uint64(t)) if traverser == 0 else np.uint64(progress[STREAM])
            state = advance(state)
            skipping = uniform(state) >= FULL
            touched = 0
            logged = np.int64(0)
            depth = 0
            lift = 1.0
            rule_start(g, s)
            while True:
                value = 0.0
                line = depth
                while True:
                    touched += 1
                    player = rule_player(g, s)
                    if player == TERMINAL:
                        value = rule_payoff(g, s, traverser)
                        if not np.isfinite(value):
                            return NO_NUMBER
                        break
                    line += 1
                    if line > longest:
                        return ENDLESS
                    if player == CHANCE:
                        state = advance(state)
                        rule_apply(g, s, rule_outcome(g, s, uniform(state)))
                        continue
                    actions = np.int64(rule_num_actions(g, s))
                    if actions < 1 or actions > width:
                        return WRONG_COUNT
                    rule_key(g, s, packed)
                    place = find_or_add(table, packed[0], packed[1], actions)
                    if place < 0:
                        return WRONG_COUNT if place == CONTRADICTED else TABLE_FULL
                    base, n = np.uintp(place), np.uintp(actions)
                    if player != traverser:
                        share = weight * lift
                        if share != 0.0 and place != UNSEEN:
                            logged = room(table, actions, log_place, log_change, logged, floor)
                            if logged < 0:
                                return LOG_FULL
                            log_strategy(
                                table.pool[0], base, n, share, place,
                                log_place, log_change, logged,
                            )  # fmt: skip
                            logged += actions
                        state = advance(state)
                        a = draw_action(table.pool[0], base, n, uniform(state))
                        rule_apply(g, s, np.int64(a))
                        continue
                    row = np.uintp(depth * width)
                    match_regrets(table.pool[0], base, n, strategy, row)
                    states[depth, :] = s
                    for k in range(actions):
                        at = row + np.uintp(k)
                        poor[at] = table.pool[0, place + k] < bound and strategy[at] == 0.0
                        if poor[at]:
                            rule_apply(g, s, k)
                            poor[at] = rule_player(g, s) != TERMINAL
                            s[:] = states[depth]
                    a = next_walked(poor, row, n, np.uintp(0), skipping)
                    moves[depth] = a
                    places[depth] = place
                    counts[depth] = actions
                    lifts[depth] = lift
                    if poor[row + a]:
                        lift = LIFT
                    depth += 1
                    rule_apply(g, s, np.int64(a))
                unfinished = False
                while depth > 0:
                    level = depth - 1
                    row = np.uintp(level * width)
                    n = np.uintp(counts[level])
                    a = np.uintp(moves[level])
                    utility[row + a] = value
                    a = next_walked(poor, row, n, a + np.uintp(1), skipping)
                    if a < n:
                        moves[level] = a
                        lift = LIFT if poor[row + a] else lifts[level]
                        s[:] = states[level]
                        rule_apply(g, s, np.int64(a))
                        unfinished = True
                        break
                    value = 0.0
                    for k in range(n):
                        at = row + np.uintp(k)
                        if not (skipping and poor[at]):
                            value += strategy[at] * utility[at]
                    lift = lifts[level]
                    depth = level
                    if places[level] == UNSEEN:  # never poor: all actions were walked
                        add_unstored(table, utility, np.int64(row), counts[level], value, lift)
                        continue
                    logged = room(table, counts[level], log_place, log_change, logged, floor)
                    if logged < 0:
                        return LOG_FULL
                    for k in range(counts[level]):
                        at = row + np.uintp(k)
                        if not (skipping and poor[at]):
                            scale = LIFT if poor[at] else lift
                            log_place[logged] = places[level] + k
                            log_change[logged] = scale * (utility[at] - value)
                            logged += 1
                if not unfinished:
                    break
            enter(table, log_place, log_change, logged, floor)
            progress[TOUCHED] += touched
            progress[TRAVERSER] += 1
            progress[STREAM] = np.int64(state)
        progress[TRAVERSER] = 0
        progress[ITERATION] += 1
    return DONE
