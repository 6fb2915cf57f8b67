"""Averages that are updated apart from the regret traversals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE, OVER
from equilibrist.kernels.traversal.steps import (
    advance_to_own_decision,
    child,
    draw_and_add_own,
    start,
)
from equilibrist.kernels.traversal.visits import Evenly


class WalkSetup(NamedTuple):
    """The parameters of walks."""

    weight: float
    players: int


@inner_kernel
def walk_traversal(setup, play, walk, state):
    """One walk: a trajectory on which only one player is on policy, each in turn.

    The others draw uniformly, so that what they play does not enter how often an infoset is
    visited: the expected addition is own reach times strategy times a constant of the infoset, for
    any number of players. Returns a status, the random state, and the nodes visited.
    """
    averager = walk % setup.players
    touched = 0
    line = 0
    node = start(play)
    while True:
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, Evenly(), node, averager, 0.0, state, line
        )
        touched += steps
        line += steps
        if ended != DECISION:
            return DONE if ended == OVER else ended, state, touched
        state = advance(state)
        status, a = draw_and_add_own(play, base, actions, uniform(state), setup.weight)
        if status != DONE:
            return status, state, touched
        node = child(play, node, a)


walk_average = sampling_kernel(walk_traversal, "walk_average")


@kernel
def add_own_reach(
    first_action,  # int64[I + 1], public flat index of each infoset's first action
    parent,  # int64[I], engine sequence above each infoset
    sequence,  # int64[Q], engine sequence of each action
    weight,
    regret,  # float64[Q]
    strategy_sum,  # float64[Q]
    reach,  # float64[S], scratch
    strategy,  # float64[A], scratch
):
    """Add weight times own reach times strategy at every infoset: what samplers estimate.

    Infosets come after those above them, so that one pass in public order is enough.
    """
    for s in range(reach.shape[0]):
        reach[s] = 1.0
    for i in range(parent.shape[0]):
        base = np.uintp(first_action[i])
        actions = np.uintp(first_action[i + 1]) - base
        above = reach[parent[i]]
        match_regrets(regret, base, actions, strategy, np.uintp(0))
        for a in range(actions):
            k = base + np.uintp(a)
            played = above * strategy[np.uintp(a)]
            reach[sequence[k]] = played
            strategy_sum[k] += weight * played
