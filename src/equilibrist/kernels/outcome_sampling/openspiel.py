"""Outcome sampling with OpenSpiel's average: taken where the traverser decides."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import (
    INVERSE,
    PLAYED,
    add_share,
    chance_of_action,
    climb,
    explore,
)
from equilibrist.kernels.primitives.regret_matching import draw_action
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
def outcome_openspiel(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # of an iteration in the average
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    path_node,  # int64[depth + 1], scratch: the traverser's decisions
    path_action,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations as `outcome_sampling` does.

    The average gets own reach over the probability of the trajectory, chance's part included,
    times the traverser's strategy. An infoset of whose histories the others reach N adds N times
    own reach on average: the N changes with the others' strategies, so the average is biased.
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
            share = weight
            while True:
                touched += 1
                player = tree.node[node, PLAYER]
                if player == TERMINAL:
                    break
                state = advance(state)
                u = uniform(state)
                base = np.uintp(tree.node[node, BASE])
                first = np.uintp(tree.node[node, FIRST])
                if player == CHANCE:
                    node = pick_outcome(tree, node, u)
                    share /= tree.chance_probability[base + node - first]
                    continue
                actions = np.uintp(tree.node[node, CHILDREN])
                if player == traverser:
                    if weight != 0.0:
                        add_share(regret, base, actions, share, strategy_sum)
                    chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse)
                    share *= path[depth, PLAYED] * path[depth, INVERSE]
                    path_node[depth] = node
                    path_action[depth] = chosen
                    inverse *= path[depth, INVERSE]
                    depth += one
                else:
                    chosen = draw_action(regret, base, actions, u)
                    share /= chance_of_action(regret, base, actions, chosen)
                node = first + chosen
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            climb(tree, regret, path_node, path_action, path, depth, value)
    out_touched[0] += touched
