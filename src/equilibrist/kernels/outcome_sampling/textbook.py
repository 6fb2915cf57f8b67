"""The textbooks' outcome sampling: one trajectory, all players explore, all learn from it."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import (
    INVERSE,
    PLAYED,
    WEIGHT,
    add_share,
    explore,
)
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
def textbook_outcome(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # of an iteration in the average
    proper,  # whether the average is of what regrets say, instead of what is played
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    inverse,  # float64[P], scratch: 1 over each player's part of the sampling
    own_reach,  # float64[P], scratch: as regrets say
    path_node,  # int64[depth + 1], scratch: decisions
    path_action,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations of one trajectory each.

    Everybody plays epsilon-soft strategies, and those are what regrets compare with: it is the
    game of trembling hands that is solved. The textbooks' average adds what is played at every
    visit, so that no probability falls below epsilon / actions. The proper one adds what regrets
    say times own reach by the same, over the players' part of the sampling.
    """
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        node = np.uintp(0)
        depth = np.uintp(0)
        sampled = 1.0  # 1 over the players' part of it
        for p in range(players):
            inverse[p] = 1.0
            own_reach[p] = 1.0
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
            share = weight * own_reach[player] * sampled if proper else weight
            if proper:
                add_share(regret, base, actions, share, strategy_sum)
            else:
                add_share(regret, base, actions, (1.0 - epsilon) * share, strategy_sum)
                even = epsilon * share / actions
                for a in range(actions):
                    strategy_sum[base + np.uintp(a)] += even
            chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse[player])
            path_node[depth] = node
            path_action[depth] = chosen
            inverse[player] *= path[depth, INVERSE]
            sampled *= path[depth, INVERSE]
            own_reach[player] *= path[depth, PLAYED]
            depth += one
            node = np.uintp(tree.node[node, FIRST]) + chosen
        row = np.uintp(tree.node[node, BASE])
        for level in range(depth):
            above = np.uintp(path_node[level])
            base = np.uintp(tree.node[above, BASE])
            value = tree.payoff[row, np.uintp(tree.node[above, PLAYER])]
            here = value * path[level, WEIGHT]
            for a in range(tree.node[above, CHILDREN]):
                regret[base + np.uintp(a)] -= here
            regret[base + np.uintp(path_action[level])] += here * path[level, INVERSE]
    out_touched[0] += touched
