"""External sampling: chance and the others draw one action each, the traverser tries them all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets, mean
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.pruning import (
    Pruning,
    begin_pruning,
    lift_below,
    next_walked,
    note_lift,
)
from equilibrist.kernels.traversal.status import DECISION, DONE, OVER
from equilibrist.kernels.traversal.steps import (
    actions_at,
    add_regrets,
    add_regrets_walked,
    advance_to_own_decision,
    child,
    mark_poor,
    payoff,
    restore,
    save,
    start,
)
from equilibrist.kernels.traversal.visits import begin_traversal, corrected, note_own_decision


class ExternalSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels, A actions at most."""

    weight: float  # what a visit adds to the strategy sum; 0 adds nothing
    visits: Any  # Stochastic, or Baselined
    pruning: Any  # Pruning, or None
    walked: Any  # int64[D]: the action walked at each own decision on the path
    strategy: Any  # float64[D * A]: one row per own decision on the path
    utility: Any  # float64[D * A]
    width: int  # A


@inner_kernel
def update_walked_regrets(pruning, play, level, strategy, utility, row, skipping):
    """Update the regrets of a decision whose poor actions may have been skipped.

    Returns a status, and the value of the decision.
    """
    value = 0.0
    for a in range(actions_at(play, level)):
        k = row + np.uintp(a)
        if not (skipping and pruning.poor[k]):
            value += strategy[k] * utility[k]
    lift = pruning.lifts[level]
    return add_regrets_walked(play, level, utility, row, value, pruning, skipping, lift), value


@inner_kernel
def update_all_regrets(pruning, play, level, strategy, utility, row, skipping):
    """Update the regrets of a decision whose actions were all walked: a status, and its value."""
    value = mean(strategy, utility, row, actions_at(play, level))
    return add_regrets(play, level, utility, row, value, 1.0), value


update_regrets = chosen_by_type({Pruning: update_walked_regrets, type(None): update_all_regrets})
"""Update the regrets of a decision after all its actions were walked: a status, and its value."""


@inner_kernel
def external_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). With all others on policy the sampling probability cancels the others'
    reach: the regret of an action is its utility less the infoset's.
    """
    visits, pruning = setup.visits, setup.pruning
    walked, strategy, utility = setup.walked, setup.strategy, setup.utility
    wide, one = np.uintp(setup.width), np.uintp(1)
    touched = begin_traversal(visits, play, traverser, setup.weight)
    skipping, state = begin_pruning(pruning, state)
    lift = 1.0
    depth = np.uintp(0)
    line = 0
    node = start(play)
    while True:
        # Down to a terminal: own decisions are saved, all others drawn.
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, visits, node, traverser, setup.weight * lift, state, line
        )
        touched += steps
        if ended == DECISION:
            row = depth * wide
            match_regrets(play.regret, base, actions, strategy, row)
            save(play, depth, node, base, actions)
            note_own_decision(visits, depth)
            note_lift(pruning, depth, lift)
            mark_poor(pruning, play, depth, base, actions, strategy, row)
            a = next_walked(pruning, row, actions, np.uintp(0), skipping)
            walked[depth] = a
            lift = lift_below(pruning, depth, row, a)
            node = child(play, node, a)
            line += steps
            depth += one
            continue
        if ended != OVER:
            return ended, state, touched
        status, value = payoff(play, node, traverser)
        if status != DONE:
            return status, state, touched
        value = corrected(visits, traverser, depth, value)
        # Up to the next own action that is walked.
        while depth > 0:
            level = depth - one
            row = level * wide
            actions = actions_at(play, level)
            a = np.uintp(walked[level])
            utility[row + a] = value
            a = next_walked(pruning, row, actions, a + one, skipping)
            if a < actions:
                walked[level] = a
                lift = lift_below(pruning, level, row, a)
                node = child(play, restore(play, level), a)
                line = np.int64(depth)
                break
            status, value = update_regrets(pruning, play, level, strategy, utility, row, skipping)
            if status != DONE:
                return status, state, touched
            value = corrected(visits, traverser, level, value)
            depth = level
        if depth == 0:
            return DONE, state, touched


external_sampling = sampling_kernel(external_traversal, "external_sampling")
