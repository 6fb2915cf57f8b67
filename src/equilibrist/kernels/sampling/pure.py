"""Pure CFR: every strategy is replaced by one action drawn from it, and all numbers are whole."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.regret_matching import draw_action
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE, OVER
from equilibrist.kernels.traversal.steps import (
    actions_at,
    add_regrets,
    advance_to_own_decision,
    child,
    payoff,
    restore,
    save,
    start,
)
from equilibrist.kernels.traversal.visits import Counting


class PureSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels, A actions at most."""

    weight: int  # what a drawn action adds to the strategy sum; 0 adds nothing
    walked: Any  # int64[D]: the action walked at each own decision on the path
    drawn: Any  # int64[D]: the action drawn there
    utility: Any  # int64[D * A]: one row per own decision on the path, in units
    width: int  # A


@inner_kernel
def pure_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited.

    Gibson, Regret minimization in games and the development of champion multiplayer computer
    poker-playing agents (PhD thesis, University of Alberta, 2014).
    """
    walked, drawn, utility = setup.walked, setup.drawn, setup.utility
    wide, one = np.uintp(setup.width), np.uintp(1)
    touched = 0
    depth = np.uintp(0)
    line = 0
    node = start(play)
    while True:
        # Down to a terminal: everyone draws, own decisions are saved.
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, Counting(), node, traverser, setup.weight, state, line
        )
        touched += steps
        if ended == DECISION:
            state = advance(state)
            drawn[depth] = draw_action(play.regret, base, actions, uniform(state))
            save(play, depth, node, base, actions)
            walked[depth] = 0
            node = child(play, node, np.uintp(0))
            line += steps
            depth += one
            continue
        if ended != OVER:
            return ended, state, touched
        status, value = payoff(play, node, traverser)
        if status != DONE:
            return status, state, touched
        # Up to the next own action that was not tried.
        while depth > 0:
            level = depth - one
            row = level * wide
            a = np.uintp(walked[level])
            utility[row + a] = value
            a += one
            if a < actions_at(play, level):
                walked[level] = a
                node = child(play, restore(play, level), a)
                line = np.int64(depth)
                break
            value = utility[row + np.uintp(drawn[level])]
            status = add_regrets(play, level, utility, row, value, 1)
            if status != DONE:
                return status, state, touched
            depth = level
        if depth == 0:
            return DONE, state, touched


pure_sampling = sampling_kernel(pure_traversal, "pure_sampling")
