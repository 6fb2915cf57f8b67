"""Steps that the kernels of several samplers take in the same way, on rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.implicit.external import (
    DONE,
    ENDLESS,
    LOG_FULL,
    TABLE_FULL,
    WRONG_COUNT,
    log_strategy,
    room,
)
from equilibrist.kernels.implicit.infoset_table import (
    CONTRADICTED,
    UNSEEN,
    add_unstored,
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
    rule_player,
)
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, uniform

ENDED = -1
"""What `to_own_decision` gives for a place where the game is over."""


@inner_kernel
def to_own_decision(
    g, table, traverser, width, longest, weight, s, packed, state, log_place, log_change, logged
):  # fmt: skip
    """Let chance and the others draw until the traverser is to move, or the game is over.

    `weight` times the others' strategies is logged; 0 logs nothing. Returns a status, the place and
    the number of actions of the traverser's infoset, the random state, the states visited (at most
    `longest` that are not the last), and how much is logged.
    """
    steps = 0
    actions = np.int64(0)
    while True:
        steps += 1
        player = rule_player(g, s)
        if player == TERMINAL:
            return DONE, np.int64(ENDED), actions, state, steps, logged
        if steps > longest:
            return ENDLESS, np.int64(ENDED), actions, state, steps, logged
        if player == CHANCE:
            state = advance(state)
            rule_apply(g, s, rule_outcome(g, s, uniform(state)))
            continue
        actions = np.int64(rule_num_actions(g, s))
        if actions < 1 or actions > width:
            return WRONG_COUNT, np.int64(ENDED), actions, state, steps, logged
        rule_key(g, s, packed)
        place = find_or_add(table, packed[0], packed[1], actions)
        if place < 0:
            status = WRONG_COUNT if place == CONTRADICTED else TABLE_FULL
            return status, place, actions, state, steps, logged
        if player == traverser:
            return DONE, place, actions, state, steps, logged
        base, n = np.uintp(place), np.uintp(actions)
        if weight != 0.0 and place != UNSEEN:
            logged = room(table, actions, log_place, log_change, logged)
            if logged < 0:
                return LOG_FULL, place, actions, state, steps, logged
            log_strategy(table.pool[0], base, n, weight, place, log_place, log_change, logged)
            logged += actions
        state = advance(state)
        rule_apply(g, s, np.int64(draw_action(table.pool[0], base, n, uniform(state))))


@inner_kernel
def log_settled(
    table, place, actions, strategy, utility, row, scale, log_place, log_change, logged
):  # fmt: skip
    """`settle` of the tree, into the log; returns the infoset's value, and how much is logged.

    -1 is logged if the log is full and the table is open.
    """
    value = 0.0
    for a in range(actions):
        value += strategy[row + a] * utility[row + a]
    if place == UNSEEN:
        add_unstored(table, utility, row, actions, value, scale)
        return value, logged
    logged = room(table, actions, log_place, log_change, logged)
    if logged >= 0:
        for a in range(actions):
            log_place[logged] = place + a
            log_change[logged] = scale * (utility[row + a] - value)
            logged += 1
    return value, logged


@inner_kernel
def probe(g, table, width, longest, s, packed, state):
    """Play on to the end, everyone on policy; nothing is logged, and no row is added.

    Returns a status, the random state, and the states visited.
    """
    steps = 0
    while True:
        steps += 1
        player = rule_player(g, s)
        if player == TERMINAL:
            return DONE, state, steps
        if steps > longest:
            return ENDLESS, state, steps
        state = advance(state)
        u = uniform(state)
        if player == CHANCE:
            rule_apply(g, s, rule_outcome(g, s, u))
            continue
        actions = np.int64(rule_num_actions(g, s))
        if actions < 1 or actions > width:
            return WRONG_COUNT, state, steps
        rule_key(g, s, packed)
        place = find(table, packed[0], packed[1], actions)
        if place == CONTRADICTED:
            return WRONG_COUNT, state, steps
        a = draw_action(table.pool[0], np.uintp(place), np.uintp(actions), u)
        rule_apply(g, s, np.int64(a))
