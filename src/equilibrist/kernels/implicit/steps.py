"""The steps of samplers on rules without a tree; `traversal.steps` describes each.

The current state is in `RulesPlay.s`, and nodes are zeros. Infosets have rows in a table, which
are added when they are first met. The changes of a traversal are logged, and entered when it is
over: one that finds the table or the log full leaves nothing behind but new rows of zeros.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.implicit.change_log import (
    enter,
    has_room,
    in_units,
    log,
    log_strategy,
    note_unstored,
)
from equilibrist.kernels.implicit.infoset_table import (
    CONTRADICTED,
    UNSEEN,
    UNSTORED,
    find,
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
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.exploring import INVERSE, WEIGHT, update_regrets
from equilibrist.kernels.traversal.pruning import LIFT, Pruning
from equilibrist.kernels.traversal.status import (
    DECISION,
    DONE,
    LOG_FULL,
    NO_NUMBER,
    OVER,
    TABLE_FULL,
    TOO_MANY_MOVES,
    WRONG_COUNT,
)
from equilibrist.kernels.traversal.steps import Arrival, mark_none
from equilibrist.kernels.traversal.visits import (
    Counting,
    Evenly,
    EveryDecision,
    Stochastic,
    Unnoticed,
    draw_evenly,
    stops,
)


class RulesPlay(NamedTuple):
    """A game as compiled rules, and its solver state. D is the longest line of play plus 1."""

    g: Any  # the rules' parameters
    table: Any  # InfosetTable
    traversals: int  # per iteration: one per player, as a rule
    regret: Any  # table.pool[0]
    strategy_sum: Any  # table.pool[1]
    units: Any  # Units, or None
    floor: float  # regrets fall no lower
    width: int  # A, the largest number of actions
    longest: int  # moves in a line of play
    s: Any  # int64[S], scratch: the current state
    packed: Any  # uint64[2], scratch
    states: Any  # int64[D, S], scratch: the states at saved decisions; None if none is restored
    places: Any  # int64[D], scratch: places of their infosets
    counts: Any  # int64[D], scratch: their numbers of actions
    log_place: Any  # int64[L], see `change_log`; L is at least A
    log_change: Any  # float64[L]
    logged: Any  # int64[1]


@inner_kernel
def find_row(visits, play, actions, own):
    """The place of the current infoset, which gets a row if it has none."""
    rule_key(play.g, play.s, play.packed)
    return find_or_add(play.table, play.packed[0], play.packed[1], actions)


@inner_kernel
def find_known_row(visits, play, actions, own):
    """The place of the current infoset; UNSEEN if it has no row."""
    rule_key(play.g, play.s, play.packed)
    return find(play.table, play.packed[0], play.packed[1], actions)


@inner_kernel
def find_own_row(visits, play, actions, own):
    """The place of the traverser's infoset; those of others are not needed."""
    return find_row(visits, play, actions, own) if own else np.int64(UNSEEN)


row_of = chosen_by_type(
    {
        Stochastic: find_row,
        Counting: find_row,
        EveryDecision: find_row,
        Unnoticed: find_known_row,
        Evenly: find_own_row,
    }
)


@inner_kernel
def draw_and_add(visits, play, place, actions, u, share):
    """Draw from a strategy, and log `share` times it: a status, and the action."""
    if share != 0.0 and place != UNSEEN:
        if not has_room(play, actions):
            return LOG_FULL, np.uintp(0)
        log_strategy(play, place, actions, share)
    return DONE, draw_action(play.regret, np.uintp(place), np.uintp(actions), u)


@inner_kernel
def draw_and_count(visits, play, place, actions, u, share):
    """Draw from a strategy, and log `share` for the action drawn: a status, and the action."""
    a = draw_action(play.regret, np.uintp(place), np.uintp(actions), u)
    if share != 0 and place != UNSEEN:
        if not has_room(play, 1):
            return LOG_FULL, a
        log(play, -1 - (place + np.int64(a)), share)
    return DONE, a


@inner_kernel
def draw(visits, play, place, actions, u, share):
    """Draw from a strategy: a status, and the action."""
    return DONE, draw_action(play.regret, np.uintp(place), np.uintp(actions), u)


@inner_kernel
def draw_any(visits, play, place, actions, u, share):
    """Draw uniformly: a status, and the action."""
    return DONE, draw_evenly(visits, play, 0, 0, np.uintp(actions), u, share)


visit = chosen_by_type(
    {
        Stochastic: draw_and_add,
        Counting: draw_and_count,
        Unnoticed: draw,
        EveryDecision: draw,
        Evenly: draw_any,
    }
)


@inner_kernel
def start(play):
    """Set the state to the beginning and empty the log; the node, which is none."""
    play.logged[0] = 0
    rule_start(play.g, play.s)
    return np.uintp(0)


@inner_kernel
def advance_to_own_decision(play, visits, node, traverser, share, state, line):
    """Let chance and the others draw until the traverser is to move, or the game is over.

    `line` counts the moves above. Returns an Arrival, whose node is 0 and whose first action is the
    place of the infoset's row.
    """
    g, s = play.g, play.s
    none = np.uintp(0)
    steps = 0
    while True:
        steps += 1
        player = rule_player(g, s)
        if player == TERMINAL:
            return Arrival(OVER, none, none, none, state, steps)
        if line + steps > play.longest:
            return Arrival(TOO_MANY_MOVES, none, none, none, state, steps)
        if player == CHANCE:
            state = advance(state)
            a = np.int64(rule_outcome(g, s, uniform(state)))
        else:
            actions = np.int64(rule_num_actions(g, s))
            if actions < 1 or actions > play.width:
                return Arrival(WRONG_COUNT, none, none, none, state, steps)
            own = stops(visits, player, traverser)
            place = row_of(visits, play, actions, own)
            if place < 0:
                status = WRONG_COUNT if place == CONTRADICTED else TABLE_FULL
                return Arrival(status, none, none, none, state, steps)
            if own:
                return Arrival(DECISION, none, np.uintp(place), np.uintp(actions), state, steps)
            state = advance(state)
            status, drawn = visit(visits, play, place, actions, uniform(state), share)
            if status != DONE:
                return Arrival(status, none, none, none, state, steps)
            a = np.int64(drawn)
        rule_apply(g, s, a)  # in one place: compilers copy what is called into each


@inner_kernel
def draw_and_add_own(play, base, actions, u, share):
    """Draw for the traverser, and log `share` times the strategy: a status, and the action."""
    return draw_and_add(Stochastic(), play, np.int64(base), np.int64(actions), u, share)


@inner_kernel
def is_over(play, node):
    """Whether the current state is terminal."""
    return rule_player(play.g, play.s) == TERMINAL


@inner_kernel
def payoff(play, node, traverser):
    """A status, and what the traverser gets at the current state, a terminal, in units."""
    paid = rule_payoff(play.g, play.s, traverser)
    status, value = in_units(play.units, paid)
    return status if np.isfinite(paid) else NO_NUMBER, value


@inner_kernel
def save(play, level, node, base, actions):
    """Save the current decision and a copy of its state, to return to it."""
    save_infoset(play, level, node, base, actions)
    for k in range(play.s.shape[0]):
        play.states[level, np.uintp(k)] = play.s[np.uintp(k)]


@inner_kernel
def save_infoset(play, level, node, base, actions):
    """Save the infoset of the current decision, to log changes of its regrets."""
    play.places[level] = base
    play.counts[level] = actions


@inner_kernel
def restore(play, level):
    """Make the state that was saved at a level the current one; the node, which is none."""
    for k in range(play.s.shape[0]):
        play.s[np.uintp(k)] = play.states[level, np.uintp(k)]
    return np.uintp(0)


@inner_kernel
def child(play, node, a):
    """Take action number `a` in the current state; the node, which is none."""
    rule_apply(play.g, play.s, np.int64(a))
    return np.uintp(0)


@inner_kernel
def player_at(play, level):
    """Who is to move in the state that was saved at a level."""
    return rule_player(play.g, play.states[level])


@inner_kernel
def actions_at(play, level):
    """The number of actions of the decision that was saved at a level."""
    return np.uintp(play.counts[level])


@inner_kernel
def add_regrets(play, level, utility, row, value, scale):
    """Log scale times (utility - value) for the regrets at a saved decision; returns a status.

    The actions' utilities stand in `utility` from `row` on.
    """
    place, actions = play.places[level], play.counts[level]
    if place == UNSEEN:
        note_unstored(play.units, play, utility, row, actions, value, scale)
        return DONE
    if not has_room(play, actions):
        return LOG_FULL
    for a in range(actions):
        log(play, place + a, scale * (utility[row + np.uintp(a)] - value))
    return DONE


@inner_kernel
def add_regrets_walked(play, level, utility, row, value, pruning, skipping, lift):
    """Log the regrets of the actions that were walked, times `lift`, or LIFT for poor ones.

    Returns a status.
    """
    place, actions = play.places[level], play.counts[level]
    if place == UNSEEN:  # never poor: all actions were walked
        return add_regrets(play, level, utility, row, value, lift)
    if not has_room(play, actions):
        return LOG_FULL
    for a in range(actions):
        k = row + np.uintp(a)
        if not (skipping and pruning.poor[k]):
            log(play, place + a, (LIFT if pruning.poor[k] else lift) * (utility[k] - value))
    return DONE


@inner_kernel
def mark_by_trying(pruning, play, level, base, actions, strategy, row):
    """Mark poor actions; whether one ends the game is read from the current state.

    The tree checks all histories of the infoset. Where an action ends the game in some of them
    only, both are right on average, but not equal.
    """
    for a in range(actions):
        k = row + np.uintp(a)
        low = play.regret[base + np.uintp(a)] < pruning.bound and strategy[k] == 0.0
        if low:
            rule_apply(play.g, play.s, np.int64(a))
            low = rule_player(play.g, play.s) != TERMINAL
            restore(play, level)
        pruning.poor[k] = low


mark_poor = chosen_by_type({Pruning: mark_by_trying, type(None): mark_none})


@inner_kernel
def update_drawn(play, level, chosen, path, value):
    """Update the regrets at a decision where one action was drawn; returns the value there."""
    base, actions = np.uintp(play.places[level]), np.uintp(play.counts[level])
    if play.places[level] != UNSEEN:
        return update_regrets(play.regret, base, actions, chosen, path, level, value)
    # Drawn with what it is played with: the value stays as it is.
    if actions > 1:
        best = max(value * (path[level, INVERSE] - 1.0), -value)
        play.table.pool[UNSTORED] += path[level, WEIGHT] * best
    return value


@inner_kernel
def add_own_strategy(play, level, strategy, row, share):
    """Log share times the strategy, which stands from `row` on, at a saved decision; a status."""
    place, actions = play.places[level], play.counts[level]
    if place == UNSEEN:
        return DONE
    if not has_room(play, actions):
        return LOG_FULL
    for a in range(actions):
        log(play, -1 - (place + a), share * strategy[row + np.uintp(a)])
    return DONE


@inner_kernel
def commit(play):
    """Add what is in the log to the table, at the end of a traversal."""
    enter(play)
