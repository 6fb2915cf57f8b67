"""Averages that are taken apart from the regret traversals."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.regret_matching import add_and_draw, match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.tree.nodes import (
    BASE,
    CHANCE,
    CHILDREN,
    FIRST,
    PLAYER,
    TERMINAL,
    pick_outcome,
)


@kernel
def walk_average(
    tree,
    iteration,
    walks,
    key,  # uint64, another than the regret traversals have
    weight,
    regret,  # float64[Q]
    strategy_sum,  # float64[Q]
    out_touched,  # int64[1], nodes visited are added
):
    """Walk `walks` trajectories per player on which only that player is on policy.

    The others draw uniformly, so that what they play does not enter how often an infoset is
    visited: the expected addition is own reach times strategy times a constant of the infoset, for
    any number of players.
    """
    players = tree.payoff.shape[1]
    state = stream(key, np.uint64(iteration))
    touched = 0
    for _ in range(walks):
        for averager in range(players):
            node = np.uintp(0)
            while True:
                touched += 1
                player = tree.node[node, PLAYER]
                if player == TERMINAL:
                    break
                state = advance(state)
                u = uniform(state)
                if player == CHANCE:
                    node = pick_outcome(tree, node, u)
                    continue
                base = np.uintp(tree.node[node, BASE])
                actions = np.uintp(tree.node[node, CHILDREN])
                node = np.uintp(tree.node[node, FIRST])
                if player == averager:
                    node += add_and_draw(regret, base, actions, u, weight, strategy_sum)
                else:
                    node += min(np.uintp(u * actions), actions - np.uintp(1))
    out_touched[0] += touched


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
