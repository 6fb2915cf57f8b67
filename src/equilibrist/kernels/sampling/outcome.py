"""Outcome sampling: one trajectory per player, on which that player explores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.baselines import Baselined, note_own_value, update_corrected
from equilibrist.kernels.traversal.exploring import INVERSE, explore
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.outcome_averages import (
    Lazy,
    OpenSpiel,
    Optimistic,
    add_present,
    divide_by_own_draw,
    follow,
    hand_on,
)
from equilibrist.kernels.traversal.status import DECISION, DONE, OVER
from equilibrist.kernels.traversal.steps import (
    advance_to_own_decision,
    child,
    commit,
    payoff,
    save_infoset,
    start,
    update_drawn,
)
from equilibrist.kernels.traversal.visits import (
    Stochastic,
    begin_traversal,
    corrected,
    note_own_decision,
)


class OutcomeSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels."""

    epsilon: float
    weight: float  # of an iteration in the average; 0 adds nothing
    divided: bool  # whether others' visits are divided by the traverser's part of the sampling
    visits: Any  # Stochastic, Baselined, Lazy, Optimistic or OpenSpiel
    drawn: Any  # int64[D]: the action drawn at each own decision
    path: Any  # float64[D, 3], see `exploring`


@inner_kernel
def add_nothing(visits, play, base, actions, weight):
    """Add nothing to the average at the traverser's visit: only others' visits are averaged."""


visit_own = chosen_by_type(
    {
        Stochastic: add_nothing,
        Baselined: add_nothing,
        Optimistic: add_nothing,
        Lazy: hand_on,
        OpenSpiel: add_present,
    }
)
"""What the traverser's visit adds to the average, before an action is drawn."""


@inner_kernel
def note_nothing(visits, play, level, node, base, chosen, path, traverser):
    """Note nothing of the traverser's draw, which matters no more."""


note_own_draw = chosen_by_type(
    {
        Stochastic: note_nothing,
        Optimistic: note_nothing,
        Lazy: follow,
        OpenSpiel: divide_by_own_draw,
        Baselined: note_own_value,
    }
)
"""Take note of what the traverser drew."""


@inner_kernel
def update_plainly(visits, play, level, chosen, path, traverser, value):
    """Update regrets at a decision where actions that were not drawn are worth 0."""
    return update_drawn(play, level, chosen, path, value)


update = chosen_by_type(
    {
        Stochastic: update_plainly,
        Lazy: update_plainly,
        Optimistic: update_plainly,
        OpenSpiel: update_plainly,
        Baselined: update_corrected,
    }
)
"""Update the regrets at an own decision, given the value below; returns the value there."""


@inner_kernel
def outcome_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). The others and chance are on policy, so that of all reach and sampling
    probabilities only the traverser's part of the sampling is left.
    """
    weight, visits = setup.weight, setup.visits
    drawn, path = setup.drawn, setup.path
    one = np.uintp(1)
    touched = begin_traversal(visits, play, traverser, weight)
    inverse = 1.0  # 1 over the traverser's part of the sampling
    depth = np.uintp(0)
    line = 0
    node = start(play)
    while True:
        share = weight * inverse if setup.divided else weight
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, visits, node, traverser, share, state, line
        )
        touched += steps
        line += steps
        if ended != DECISION:
            break
        state = advance(state)
        visit_own(visits, play, base, actions, weight)
        u = uniform(state)
        chosen = explore(play.regret, base, actions, setup.epsilon, u, path, depth, inverse)
        note_own_decision(visits, depth)
        note_own_draw(visits, play, depth, node, base, chosen, path, traverser)
        save_infoset(play, depth, node, base, actions)
        drawn[depth] = chosen
        inverse *= path[depth, INVERSE]
        depth += one
        node = child(play, node, chosen)
    if ended != OVER:
        return ended, state, touched
    status, value = payoff(play, node, traverser)
    if status != DONE:
        return status, state, touched
    commit(play)  # from here on all rows exist, and regrets need no log
    value = corrected(visits, traverser, depth, value)
    while depth > 0:
        depth -= one
        chosen = np.uintp(drawn[depth])
        value = update(visits, play, depth, chosen, path, traverser, value)
        value = corrected(visits, traverser, depth, value)
    return DONE, state, touched


outcome_sampling = sampling_kernel(outcome_traversal, "outcome_sampling")
