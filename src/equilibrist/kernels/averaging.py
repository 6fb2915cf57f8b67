"""Averages that are taken apart from the regret traversals."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.matching import add_and_draw
from equilibrist.kernels.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL, pick_outcome
from equilibrist.kernels.rng import advance, stream, uniform


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
