"""Outcome sampling as in textbooks: one trajectory, all players explore, all update."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.exploring import INVERSE, PLAYED, WEIGHT, add_share, explore
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.status import DECISION, DONE
from equilibrist.kernels.traversal.steps import (
    actions_at,
    advance_to_own_decision,
    base_at,
    child,
    payoff,
    player_at,
    save,
    start,
)
from equilibrist.kernels.traversal.visits import EveryDecision


class TextbookSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels."""

    epsilon: float
    weight: float  # of an iteration in the average
    proper: bool  # whether the average is of what regrets say, instead of what is played
    inverse: Any  # float64[P]: 1 over each player's part of the sampling
    own_reach: Any  # float64[P]: as regrets say
    drawn: Any  # int64[D]: the action drawn at each decision
    path: Any  # float64[D, 3], see `exploring`


@inner_kernel
def textbook_traversal(setup, play, traversal, state):
    """One trajectory, of which there is one per iteration.

    All players play epsilon-soft strategies, and those are what regrets compare with: it is the
    game of trembling hands that is solved. The textbooks' average adds what is played at every
    visit, so that no probability falls below epsilon / actions. The proper one adds what regrets
    say times own reach by the same, over the players' part of the sampling. Returns a status, the
    random state, and the nodes visited.
    """
    regret, strategy_sum = play.regret, play.strategy_sum
    epsilon, path = setup.epsilon, setup.path
    inverse, own_reach = setup.inverse, setup.own_reach
    one = np.uintp(1)
    touched = 0
    depth = np.uintp(0)
    sampled = 1.0  # 1 over the players' part of it
    for p in range(inverse.shape[0]):
        inverse[p] = 1.0
        own_reach[p] = 1.0
    node = start(play)
    while True:
        ended, node, base, actions, state, steps = advance_to_own_decision(
            play, EveryDecision(), node, traversal, 0.0, state, 0
        )
        touched += steps
        if ended != DECISION:
            break
        state = advance(state)
        save(play, depth, node, base, actions)
        player = player_at(play, depth)
        if setup.proper:
            share = setup.weight * own_reach[player] * sampled
            add_share(regret, base, actions, share, strategy_sum)
        else:
            share = setup.weight
            add_share(regret, base, actions, (1.0 - epsilon) * share, strategy_sum)
            even = epsilon * share / actions
            for a in range(actions):
                strategy_sum[base + np.uintp(a)] += even
        u = uniform(state)
        chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse[player])
        setup.drawn[depth] = chosen
        inverse[player] *= path[depth, INVERSE]
        sampled *= path[depth, INVERSE]
        own_reach[player] *= path[depth, PLAYED]
        depth += one
        node = child(play, node, chosen)
    for k in range(depth):
        level = np.uintp(k)
        base = base_at(play, level)
        _status, value = payoff(play, node, player_at(play, level))
        here = value * path[level, WEIGHT]
        for a in range(actions_at(play, level)):
            regret[base + np.uintp(a)] -= here
        regret[base + np.uintp(setup.drawn[level])] += here * path[level, INVERSE]
    return DONE, state, touched


textbook_outcome = sampling_kernel(textbook_traversal, "textbook_outcome")
