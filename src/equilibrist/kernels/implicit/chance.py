"""Chance sampling on rules without a tree."""

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
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform


def chance_sampling(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a visit adds to the strategy sum, times own reach; 0 adds nothing
    states,  # int64[moves + 1, state size], scratch: the state at each decision on the path
    moves,  # int64[moves + 1], scratch: actions tried there
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    own_reach,  # float64[moves + 1], scratch
    others_reach,  # float64[moves + 1], scratch
    strategy,  # float64[(moves + 1) * width], scratch
    utility,  # float64[(moves + 1) * width], scratch
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4], as `external_sampling` has it
):
    """`chance_sampling` of the tree, by the rules: the same draws, the same sums.

    Returns a status. The log holds a traversal's changes at all own decisions after one deal; rows
    are added for all players. Where the table is closed and the log full, changes are entered
    before the end, and an infoset that is met again in the same traversal is played by them.
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
            own = 1.0
            others = 1.0
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
                    if own == 0.0 and others == 0.0:
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
                    row = depth * width
                    match_regrets(
                        table.pool[0], np.uintp(place), np.uintp(actions), strategy, np.uintp(row)
                    )
                    states[depth, :] = s
                    moves[depth] = 0
                    places[depth] = place
                    counts[depth] = actions
                    own_reach[depth] = own
                    others_reach[depth] = others
                    if player == traverser:
                        own *= strategy[row]
                    else:
                        others *= strategy[row]
                    depth += 1
                    rule_apply(g, s, 0)
                unfinished = False
                while depth > 0:
                    level = depth - 1
                    row = level * width
                    own = own_reach[level]
                    others = others_reach[level]
                    mine = rule_player(g, states[level]) == traverser
                    utility[row + moves[level]] = value
                    moves[level] += 1
                    if moves[level] < counts[level]:
                        if mine:
                            own *= strategy[row + moves[level]]
                        else:
                            others *= strategy[row + moves[level]]
                        s[:] = states[level]
                        rule_apply(g, s, moves[level])
                        unfinished = True
                        break
                    value = 0.0
                    for a in range(counts[level]):
                        value += strategy[row + a] * utility[row + a]
                    depth = level
                    if not mine:
                        continue
                    if places[level] == UNSEEN:
                        add_unstored(table, utility, row, counts[level], value, others)
                        continue
                    logged = room(table, counts[level], log_place, log_change, logged)
                    if logged < 0:
                        return LOG_FULL
                    for a in range(counts[level]):
                        log_place[logged] = places[level] + a
                        log_change[logged] = others * (utility[row + a] - value)
                        logged += 1
                    if weight == 0.0:
                        continue
                    logged = room(table, counts[level], log_place, log_change, logged)
                    if logged < 0:
                        return LOG_FULL
                    for a in range(counts[level]):
                        log_place[logged] = -1 - (places[level] + a)
                        log_change[logged] = weight * own * strategy[row + a]
                        logged += 1
                if not unfinished:
                    break
            enter(table, log_place, log_change, logged)
            progress[TOUCHED] += touched
            progress[TRAVERSER] += 1
            progress[STREAM] = np.int64(state)
        progress[TRAVERSER] = 0
        progress[ITERATION] += 1
    return DONE
