"""Samplers that try some of the traverser's actions: robust, probing and average-strategy sampling.

There is one traversal for all of them. A selection says which own actions are tried, and what the
others count as.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets, mean
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
from equilibrist.kernels.traversal.visits import NOBODY, Stochastic, Unnoticed


class SubsetSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels, A actions at most."""

    weight: float  # what a visit adds to the strategy sum; 0 adds nothing
    selection: Any  # a selection, see below
    following: Any  # int64[D]: the action to be decided on next at each own decision on the path
    strategy: Any  # float64[D * A]: one row per own decision on the path
    utility: Any  # float64[D * A]
    width: int  # A


class RobustSelection(NamedTuple):
    """k own actions are tried, all sets equally likely; those that are not count as zero.

    Li, Hu, Zhang, Qi, Song, Double neural counterfactual regret minimization (ICLR 2020). Sets are
    drawn action by action: Knuth, The art of computer programming 2, 3.4.2S.
    """

    k: int  # at least 1
    wanted: Any  # int64[D], scratch: actions still to be drawn
    below: Any  # float64[D], scratch: 1 over the probability of the own draws, below the decision


class ProbingSelection(NamedTuple):
    """k own actions are tried; each of the others is valued by playing on to the end once.

    Gibson, Lanctot, Burch, Szafron, Bowling, Generalized sampling and variance in counterfactual
    regret minimization (AAAI 2012).
    """

    k: int
    wanted: Any
    below: Any
    inverses: Any  # float64[D], scratch: 1 over the probability of the own draws above


class AverageSelection(NamedTuple):
    """Own actions are tried as often as the average plays them; others count as zero.

    Gibson, Burch, Lanctot, Szafron, Efficient Monte Carlo counterfactual regret minimization in
    games with many player actions (NIPS 2012).
    """

    epsilon: float  # in (0, 1], the least probability of a trial
    tau: float  # at least 1
    beta: float  # at least 0
    chances: Any  # float64[D * A], scratch: the probability of each trial
    inverses: Any  # float64[D], scratch: 1 over the probability of the own trials above


@inner_kernel
def open_sets(selection, play, level, base, actions, row, inverse):
    """Prepare to draw a set of k actions."""
    tries = min(np.uintp(selection.k), actions)
    selection.below[level] = inverse * (actions / tries)
    selection.wanted[level] = tries


@inner_kernel
def open_probed_sets(selection, play, level, base, actions, row, inverse):
    """Prepare to draw a set of k actions; regrets count `inverse` times, 1 over the draws above."""
    selection.inverses[level] = inverse
    open_sets(selection, play, level, base, actions, row, inverse)


@inner_kernel
def open_trials(selection, play, level, base, actions, row, inverse):
    """Work out with which probability each own action is tried."""
    selection.inverses[level] = inverse
    total = selection.beta
    for a in range(actions):
        total += play.strategy_sum[base + np.uintp(a)]
    for a in range(actions):
        chance = 1.0  # where nothing is known: the limit of small beta
        if total != 0.0:
            played = play.strategy_sum[base + np.uintp(a)]
            chance = max(selection.epsilon, (selection.beta + selection.tau * played) / total)
        selection.chances[row + np.uintp(a)] = min(1.0, chance)


open_decision = chosen_by_type(
    {RobustSelection: open_sets, ProbingSelection: open_probed_sets, AverageSelection: open_trials}
)
"""Prepare to choose actions of an own decision."""


@inner_kernel
def is_in_set(selection, level, row, actions, a, state):
    """Whether an action belongs to the set of k, given those before it; and the random state."""
    wanted = np.uintp(selection.wanted[level])
    left = actions - a
    tried = wanted == left
    if 0 < wanted < left:
        state = advance(state)
        tried = uniform(state) < wanted / left
    return tried, state


@inner_kernel
def is_on_trial(selection, level, row, actions, a, state):
    """Whether an action is tried, with the probability worked out; and the random state."""
    chance = selection.chances[row + a]
    tried = chance == 1.0
    if not tried:
        state = advance(state)
        tried = uniform(state) < chance
    return tried, state


is_tried = chosen_by_type(
    {RobustSelection: is_in_set, ProbingSelection: is_in_set, AverageSelection: is_on_trial}
)


@inner_kernel
def below_set(selection, level, row, a):
    """One action less is wanted."""
    selection.wanted[level] -= 1
    return selection.below[level]


@inner_kernel
def below_trial(selection, level, row, a):
    """The trial counts, unless it was certain."""
    inverse, chance = selection.inverses[level], selection.chances[row + a]
    return inverse / chance if chance != 1.0 else inverse


inverse_below = chosen_by_type(
    {RobustSelection: below_set, ProbingSelection: below_set, AverageSelection: below_trial}
)
"""1 over the probability of the own draws so far, below an action that is tried."""


@inner_kernel
def count_as_zero(selection, play, level, a, traverser, state):
    """A status, the utility of an action that is not tried, the random state, nodes visited."""
    return DONE, 0.0, state, 0


@inner_kernel
def value_by_probe(selection, play, level, a, traverser, state):
    """Value an action that is not tried by playing on to the end once, everyone on policy.

    Adds nothing. Returns a status, the utility, the random state, and the nodes visited.
    """
    node = child(play, restore(play, level), a)
    ended, node, _base, _actions, state, steps = advance_to_own_decision(
        play, Unnoticed(), node, NOBODY, 0.0, state, np.int64(level) + 1
    )
    status, value = ended, 0.0
    if ended == OVER:
        status, value = payoff(play, node, traverser)
    return status, value, state, steps


value_of_untried = chosen_by_type(
    {
        RobustSelection: count_as_zero,
        ProbingSelection: value_by_probe,
        AverageSelection: count_as_zero,
    }
)


@inner_kernel
def divide_payoffs(selection, value, inverse):
    """Payoffs are divided by the probability of the own draws."""
    return value * inverse


@inner_kernel
def keep_payoffs(selection, value, inverse):
    """Payoffs stay, and regrets are divided instead."""
    return value


weighted_payoff = chosen_by_type(
    {
        RobustSelection: divide_payoffs,
        ProbingSelection: keep_payoffs,
        AverageSelection: divide_payoffs,
    }
)


@inner_kernel
def keep_regrets(selection, level):
    """Payoffs are divided already."""
    return 1.0


@inner_kernel
def divide_regrets(selection, level):
    """By the probability of the own draws above."""
    return selection.inverses[level]


regret_scale = chosen_by_type(
    {
        RobustSelection: keep_regrets,
        ProbingSelection: divide_regrets,
        AverageSelection: keep_regrets,
    }
)


@inner_kernel
def subset_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited."""
    selection, following = setup.selection, setup.following
    strategy, utility = setup.strategy, setup.utility
    wide, one = np.uintp(setup.width), np.uintp(1)
    touched = 0
    inverse = 1.0  # 1 / probability of the own draws so far
    depth = np.uintp(0)
    line = 0
    node = start(play)
    while True:
        # Down to a terminal or to an own decision.
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, Stochastic(), node, traverser, setup.weight * inverse, state, line
        )
        touched += steps
        line += steps
        if ended == OVER:
            status, value = payoff(play, node, traverser)
            if status != DONE:
                return status, state, touched
            if depth > 0:
                above = depth - one
                k = above * wide + np.uintp(following[above]) - one
                utility[k] = weighted_payoff(selection, value, inverse)
        elif ended == DECISION:
            row = depth * wide
            match_regrets(play.regret, base, actions, strategy, row)
            save(play, depth, node, base, actions)
            following[depth] = 0
            open_decision(selection, play, depth, base, actions, row, inverse)
            depth += one
        else:
            return ended, state, touched
        # Up to the next own action that is tried.
        while depth > 0:
            level = depth - one
            actions = actions_at(play, level)
            row = level * wide
            a = np.uintp(following[level])
            tried = False
            while a < actions and not tried:
                tried, state = is_tried(selection, level, row, actions, a, state)
                if not tried:
                    status, value, state, steps = value_of_untried(
                        selection, play, level, a, traverser, state
                    )
                    if status != DONE:
                        return status, state, touched
                    touched += steps
                    utility[row + a] = value
                a += one
            if tried:
                following[level] = a
                inverse = inverse_below(selection, level, row, a - one)
                node = child(play, restore(play, level), a - one)
                line = np.int64(depth)
                break
            value = mean(strategy, utility, row, actions)
            scale = regret_scale(selection, level)
            status = add_regrets(play, level, utility, row, value, scale)
            if status != DONE:
                return status, state, touched
            depth = level
            if depth > 0:
                above = depth - one
                utility[above * wide + np.uintp(following[above]) - one] = value
        if depth == 0:
            return DONE, state, touched


subset_sampling = sampling_kernel(subset_traversal, "subset_sampling")
