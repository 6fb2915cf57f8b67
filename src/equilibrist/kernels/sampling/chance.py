"""Chance sampling: chance draws one outcome, all actions of all players are walked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets, mean
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE, OVER, UNREACHED
from equilibrist.kernels.traversal.steps import (
    actions_at,
    add_own_strategy,
    add_regrets,
    advance_to_own_decision,
    child,
    is_over,
    payoff,
    player_at,
    restore,
    save,
    start,
)
from equilibrist.kernels.traversal.visits import EveryDecision


class ChanceSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels, A actions at most."""

    weight: float  # what a visit adds to the strategy sum, times own reach; 0 adds nothing
    walked: Any  # int64[D]: the action walked at each decision on the path
    own_reach: Any  # float64[D]
    others_reach: Any  # float64[D]
    strategy: Any  # float64[D * A]: one row per decision on the path
    utility: Any  # float64[D * A]
    width: int  # A


@inner_kernel
def chance_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited.

    Zinkevich, Johanson, Bowling, Piccione (NIPS 2007), section 4. An infoset may be met several
    times in a traversal, by actions of others that its player does not see: its regrets change
    only afterwards, by one visit after the other.
    """
    walked, strategy, utility = setup.walked, setup.strategy, setup.utility
    wide, one = np.uintp(setup.width), np.uintp(1)
    touched = 0
    depth = np.uintp(0)
    line = 0
    own = 1.0
    others = 1.0
    node = start(play)
    while True:
        # Down by first actions, to a terminal or to where no player has reach.
        steps = 1
        if own != 0.0 or others != 0.0:
            ended, node, base, actions, state, steps = advance_to_own_decision(
                play, EveryDecision(), node, traverser, 0.0, state, line
            )
        elif is_over(play, node):
            ended = OVER
        else:
            ended = UNREACHED
        touched += steps
        if ended == DECISION:
            row = depth * wide
            match_regrets(play.regret, base, actions, strategy, row)
            save(play, depth, node, base, actions)
            walked[depth] = 0
            setup.own_reach[depth] = own
            setup.others_reach[depth] = others
            if player_at(play, depth) == traverser:
                own *= strategy[row]
            else:
                others *= strategy[row]
            node = child(play, node, np.uintp(0))
            line += steps
            depth += one
            continue
        value = 0.0
        if ended == OVER:
            status, value = payoff(play, node, traverser)
            if status != DONE:
                return status, state, touched
        elif ended != UNREACHED:
            return ended, state, touched
        # Up to the next action that was not tried.
        while depth > 0:
            level = depth - one
            row = level * wide
            actions = actions_at(play, level)
            mine = player_at(play, level) == traverser
            own = setup.own_reach[level]
            others = setup.others_reach[level]
            a = np.uintp(walked[level])
            utility[row + a] = value
            a += one
            if a < actions:
                if mine:
                    own *= strategy[row + a]
                else:
                    others *= strategy[row + a]
                walked[level] = a
                node = child(play, restore(play, level), a)
                line = np.int64(depth)
                break
            value = mean(strategy, utility, row, actions)
            if mine:
                status = add_regrets(play, level, utility, row, value, others)
                if status == DONE and setup.weight != 0.0:
                    status = add_own_strategy(play, level, strategy, row, setup.weight * own)
                if status != DONE:
                    return status, state, touched
            depth = level
        if depth == 0:
            return DONE, state, touched


chance_sampling = sampling_kernel(chance_traversal, "chance_sampling")
