"""Traversals on strategies that stay as they are: what networks learn from.

Walks of one player log the regrets that they find (`Recorded`). Of a trajectory that changes
nothing the terminal where it ended is kept, which says what led to it, and so all that it can
teach.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.sampling.external import external_traversal
from equilibrist.kernels.sampling.outcome import outcome_traversal
from equilibrist.kernels.traversal.exploring import explore
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE
from equilibrist.kernels.traversal.steps import advance_to_own_decision, child, start


class OnePlayer(NamedTuple):
    """Whose traversals they are, and how they sample.

    An iteration has as many of them as `TreePlay.traversals` says.
    """

    player: int
    sampling: Any  # the setup of the traversal: ExternalSetup, OutcomeSetup


@inner_kernel
def external_walk(setup, play, walk, state):
    """One traversal of external sampling by the player; returns as `external_traversal`."""
    return external_traversal(setup.sampling, play, setup.player, state)


@inner_kernel
def outcome_walk(setup, play, walk, state):
    """One traversal of outcome sampling by the player; returns as `outcome_traversal`."""
    return outcome_traversal(setup.sampling, play, setup.player, state)


external_walks = sampling_kernel(external_walk, "external_walks")
outcome_walks = sampling_kernel(outcome_walk, "outcome_walks")


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
