"""Trajectories that change nothing: of each, the terminal where it ended is kept.

A terminal of a tree says which nodes led to it, and so all that a trajectory can teach.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.exploring import explore
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE
from equilibrist.kernels.traversal.steps import advance_to_own_decision, child, start


class EndsSetup(NamedTuple):
    """Parameters and results of the sampler."""

    player: int  # the traverser of the first traversal of an iteration
    visits: Any  # Unnoticed: that player explores; EveryDecision: all players do
    epsilon: float  # with what probability who explores draws uniformly
    path: Any  # float64[1, 3], scratch, see `exploring`
    end: Any  # int32[traversals], written: the terminal of each
    used: Any  # int64[1]: how many of them are written


@inner_kernel
def ends_traversal(setup, play, traversal, state):
    """One trajectory: a status, the random state, and the nodes visited.

    The draws are those of `outcome_traversal`, number by number.
    """
    traverser = setup.player + traversal
    touched = 0
    node = start(play)
    while True:
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, setup.visits, node, traverser, 0.0, state, 0
        )
        touched += steps
        if ended != DECISION:
            setup.end[setup.used[0]] = node
            setup.used[0] += 1
            return DONE, state, touched
        state = advance(state)
        u = uniform(state)
        a = explore(play.regret, base, actions, setup.epsilon, u, setup.path, np.uintp(0), 1.0)
        node = child(play, node, a)


sample_ends = sampling_kernel(ends_traversal, "sample_ends")
