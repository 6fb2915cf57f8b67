"""Outcome sampling: one trajectory per player, on which that player explores."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import INVERSE, climb, explore
from equilibrist.kernels.primitives.prefetch import prefetch_children
from equilibrist.kernels.primitives.regret_matching import add_and_draw, draw_action
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
def outcome_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    corrected,  # whether that is divided by the traverser's part of the sampling
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    path_node,  # int64[depth + 1], scratch: the traverser's decisions
    path_action,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one trajectory per player, who then updates.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). The others and chance are on policy, so that of all reach and sampling
    probabilities only the traverser's part of the sampling is left.
    """
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            node = np.uintp(0)
            depth = np.uintp(0)
            inverse = 1.0
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
                first = np.uintp(tree.node[node, FIRST])
                prefetch_children(tree.node, first, actions)
                if player == traverser:
                    chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse)
                    path_node[depth] = node
                    path_action[depth] = chosen
                    inverse *= path[depth, INVERSE]
                    depth += one
                    node = first + chosen
                elif weight != 0.0:
                    share = weight * inverse if corrected else weight
                    node = first + add_and_draw(regret, base, actions, u, share, strategy_sum)
                else:
                    node = first + draw_action(regret, base, actions, u)
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            climb(tree, regret, path_node, path_action, path, depth, value)
    out_touched[0] += touched
