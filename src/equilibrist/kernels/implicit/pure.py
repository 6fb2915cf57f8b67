"""Pure CFR on rules without a tree: whole numbers, held in the table's float64."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.implicit.external import (
    DONE,
    ENDLESS,
    ITERATION,
    LOG_FULL,
    NO_NUMBER,
    NOT_WHOLE,
    STREAM,
    TABLE_FULL,
    TOUCHED,
    TRAVERSER,
    WRONG_COUNT,
    enter,
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
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, stream, uniform

UNIT, TOLERANCE, MOST, MET = 0, 1, 2, 3
"""Fields of `units`: the unit, how far a payoff may be off, how many units it may have, and the
payoff that was no such number of them."""


@inner_kernel
def count_units(payoff, units):
    """The units in a payoff, and whether they are a whole number that is not too large."""
    count = np.rint(payoff / units[UNIT])
    off = abs(count * units[UNIT] - payoff)
    fits = abs(count) <= units[MOST] and off <= units[TOLERANCE]
    return np.int64(count) if fits else np.int64(0), fits


def pure_sampling(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a drawn action adds to the strategy sum: 1 or 0
    units,  # float64[4]: in what payoffs are counted
    states,  # int64[moves + 1, state size], scratch: the state at each own decision on the path
    moves,  # int64[moves + 1], scratch: actions tried there
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    drawn,  # int64[moves + 1], scratch: the action drawn there
    utility,  # int64[(moves + 1) * width], scratch
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4], as `external_sampling` has it
):
    """`pure_sampling` of the tree, by the rules: the same draws, the same sums.

    Returns a status; tables and logs that are full are dealt with as in `external_sampling`. A
    payoff that is no whole number of units is left in `units`: as soon as it is one, with all
    regrets counted anew, the traversal can be run again.
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
            rule_start(g, s)
            while True:
                # Down to a terminal: everyone draws, own decisions are noted.
                line = depth
                while True:
                    touched += 1
                    player = rule_player(g, s)
                    if player == TERMINAL:
                        break
                    line += 1
                    if line > longest:
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
                    a = np.int64(draw_action(table.pool[0], np.uintp(place), np.uintp(actions), u))
                    if player == traverser:
                        states[depth, :] = s
                        moves[depth] = 0
                        places[depth] = place
                        counts[depth] = actions
                        drawn[depth] = a
                        depth += 1
                        rule_apply(g, s, 0)
                        continue
                    if weight != 0.0 and place != UNSEEN:
                        logged = room(table, 1, log_place, log_change, logged)
                        if logged < 0:
                            return LOG_FULL
                        log_place[logged] = -1 - (place + a)
                        log_change[logged] = weight
                        logged += 1
                    rule_apply(g, s, a)
                payoff = rule_payoff(g, s, traverser)
                if not np.isfinite(payoff):
                    return NO_NUMBER
                value, fits = count_units(payoff, units)
                if not fits:
                    units[MET] = payoff
                    return NOT_WHOLE
                # Up to the next own action that was not tried.
                unfinished = False
                while depth > 0:
                    level = depth - 1
                    row = level * width
                    utility[row + moves[level]] = value
                    moves[level] += 1
                    if moves[level] < counts[level]:
                        s[:] = states[level]
                        rule_apply(g, s, moves[level])
                        unfinished = True
                        break
                    value = utility[row + drawn[level]]
                    depth = level
                    if places[level] == UNSEEN:
                        # In the log, since the traversal may run again in other units.
                        logged = room(table, 1, log_place, log_change, logged)
                        log_place[logged] = UNSTORED[1]
                        log_change[logged] = utility[row : row + counts[level]].max() - value
                        logged += 1
                        continue
                    logged = room(table, counts[level], log_place, log_change, logged)
                    if logged < 0:
                        return LOG_FULL
                    for a in range(counts[level]):
                        log_place[logged] = places[level] + a
                        log_change[logged] = utility[row + a] - value
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
