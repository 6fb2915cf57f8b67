"""Averages of their own trajectories, on rules without a tree."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.implicit.external import (
    DONE,
    ENDLESS,
    LOG_FULL,
    TABLE_FULL,
    TOUCHED,
    WRONG_COUNT,
    enter,
    log_strategy,
    room,
)
from equilibrist.kernels.implicit.infoset_table import CONTRADICTED, UNSEEN, find_or_add
from equilibrist.kernels.implicit.rule_calls import (
    CHANCE,
    TERMINAL,
    rule_apply,
    rule_key,
    rule_num_actions,
    rule_outcome,
    rule_player,
    rule_start,
)
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, stream, uniform

WALK, WALK_STREAM = 0, 1
"""Fields of `walked`."""


def walk_average(
    g,
    table,
    iteration,
    walks,
    players,
    width,
    longest,  # moves in a line of play
    key,  # uint64, another than the regret traversals have
    weight,
    s,  # int64[state size], scratch
    packed,  # uint64[2], scratch
    walked,  # int64[2]: walks done, all players' counted, and the state of the stream; 0 at first
    log_place,  # int64[log], as `external_sampling` has it
    log_change,  # float64[log]
    progress,  # int64[4]: states visited are added
):
    """`walk_average` of the tree, by the rules: the same draws, the same sums; returns a status.

    A walk enters its additions when it is over. One that finds the table or the log full is run
    again, with the same draws, by the next call.
    """
    if walked[WALK] == 0:
        walked[WALK_STREAM] = np.int64(stream(key, np.uint64(iteration)))
    while walked[WALK] < walks * players:
        averager = walked[WALK] % players
        state = np.uint64(walked[WALK_STREAM])
        touched = 0
        logged = np.int64(0)
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
            if player != averager:
                rule_apply(g, s, min(np.int64(u * actions), actions - 1))
                continue
            rule_key(g, s, packed)
            place = find_or_add(table, packed[0], packed[1], actions)
            if place < 0:
                return WRONG_COUNT if place == CONTRADICTED else TABLE_FULL
            base = np.uintp(place)
            if place != UNSEEN:
                logged = room(table, actions, log_place, log_change, logged)
                if logged < 0:
                    return LOG_FULL
                log_strategy(
                    table.pool[0], base, np.uintp(actions), weight, place,
                    log_place, log_change, logged,
                )  # fmt: skip
                logged += actions
            rule_apply(g, s, np.int64(draw_action(table.pool[0], base, np.uintp(actions), u)))
        enter(table, log_place, log_change, logged)
        progress[TOUCHED] += touched
        walked[WALK] += 1
        walked[WALK_STREAM] = np.int64(state)
    return DONE
