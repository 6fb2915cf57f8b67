"""External sampling on rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.implicit.infoset_table import (
    CLOSED,
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
from equilibrist.kernels.primitives.regret_matching import (
    LEAST,
    draw_action,
    match_regrets,
    positive_total,
)
from equilibrist.kernels.primitives.rng import advance, stream, uniform

DONE = 0
"""Status: all iterations have run."""
TABLE_FULL = 1
"""Status: a traversal needed a new row; nothing of it has been entered. Grow and call again."""
LOG_FULL = 2
"""Status: as TABLE_FULL, for the log of changes."""
ENDLESS = 3
"""Status: a line of play has more moves than the rules say."""
WRONG_COUNT = 4
"""Status: a state has no action, more than the rules say, or others than its infoset had before."""
NO_NUMBER = 5
"""Status: a payoff is infinite or not a number."""
NOT_WHOLE = 6
"""Status: a payoff is no whole number of units; nothing has been entered. Take a finer one."""
ITERATION, TRAVERSER, STREAM, TOUCHED = 0, 1, 2, 3
"""Fields of `progress`."""


@inner_kernel
def enter(table, log_place, log_change, logged, floor=-np.inf):
    """Add all logged changes to the table; regrets fall no lower than `floor`."""
    for k in range(logged):
        place = log_place[k]
        if place >= 0:
            table.pool[0, place] = max(table.pool[0, place] + log_change[k], floor)
        else:
            table.pool[1, -1 - place] += log_change[k]


@inner_kernel
def room(table, actions, log_place, log_change, logged, floor=-np.inf):
    """Where the log has room for so many entries; -1 if it is full and the table is open.

    Where the table is closed, what the full log holds is entered.
    """
    if logged + actions <= log_place.shape[0]:
        return logged
    if table.used[CLOSED] == 0:
        return np.int64(-1)
    enter(table, log_place, log_change, logged, floor)
    return np.int64(0)


@inner_kernel
def log_strategy(regret, base, actions, weight, place, log_place, log_change, logged):
    """Log what a visit adds to the strategy sums."""
    total = positive_total(regret, base, actions)
    scale = weight / total if total >= LEAST else weight / actions
    for a in range(actions):
        share = max(regret[base + np.uintp(a)], 0.0) if total >= LEAST else 1.0
        log_place[logged + a] = -1 - (place + np.int64(a))
        log_change[logged + a] = scale * share


def external_sampling(
    g,
    table,
    last,  # number of the last iteration to run
    players,
    width,
    key,
    weight,  # what a visit adds to the strategy sum
    states,  # int64[moves + 1, state size], scratch: the state at each own decision on the path
    moves,  # int64[moves + 1], scratch: actions tried there
    places,  # int64[moves + 1], scratch: places of its infosets
    counts,  # int64[moves + 1], scratch: numbers of actions
    strategy,  # float64[(moves + 1) * width], scratch
    utility,  # float64[(moves + 1) * width], scratch
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    log_place,  # int64[log]: places in the pool; strategy sums are entered as -1 - place
    log_change,  # float64[log]; log is at least width
    progress,  # int64[4]: next iteration and traverser, state of the stream, states visited
):
    """Run iterations from where `progress` stands to `last`; returns a status.

    A traversal enters its changes when it is over. One that finds the table or the log full leaves
    nothing behind but new rows of zeros, and is run again, with the same draws, by the next call.
    A closed table is never full: what does not fit into the log is entered before the end.
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
                    base = np.uintp(place)
                    if player == traverser:
                        at = np.uintp(depth * width)
                        match_regrets(table.pool[0], base, np.uintp(actions), strategy, at)
                        states[depth, :] = s
                        moves[depth] = 0
                        places[depth] = place
                        counts[depth] = actions
                        depth += 1
                        rule_apply(g, s, 0)
                        continue
                    if weight != 0.0 and place != UNSEEN:
                        logged = room(table, actions, log_place, log_change, logged)
                        if logged < 0:
                            return LOG_FULL
                        log_strategy(
                            table.pool[0], base, np.uintp(actions), weight, place,
                            log_place, log_change, logged,
                        )  # fmt: skip
                        logged += actions
                    state = advance(state)
                    a = draw_action(table.pool[0], base, np.uintp(actions), uniform(state))
                    rule_apply(g, s, np.int64(a))
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
                    value = 0.0
                    for a in range(counts[level]):
                        value += strategy[row + a] * utility[row + a]
                    depth = level
                    if places[level] == UNSEEN:
                        add_unstored(table, utility, row, counts[level], value, 1)
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
