"""Outcome sampling with the average of Lanctot's thesis: a visit stands for all since the last.

Lanctot, Monte Carlo sampling and regret minimization for equilibrium computation and
decision-making in large extensive form games (2013), section 4.4.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import (
    INVERSE,
    add_share,
    chance_of_action,
    climb,
    explore,
)
from equilibrist.kernels.primitives.regret_matching import draw_action, match_regrets
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
def outcome_optimistic(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # of an iteration in the average
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    seen,  # float64[Q], at an infoset's first action: the clock when it was last averaged
    clock,  # float64[1], the weight of all iterations so far
    own_reach,  # float64[P], scratch
    path_node,  # int64[depth + 1], scratch: the traverser's decisions
    path_action,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations as `outcome_sampling` does.

    Where another player than the traverser decides, that player's own reach times strategy counts
    for all iterations since the infoset was last averaged.
    """
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        clock[0] += weight
        now = clock[0]
        for traverser in range(players):
            node = np.uintp(0)
            depth = np.uintp(0)
            inverse = 1.0
            for p in range(players):
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
                first = np.uintp(tree.node[node, FIRST])
                if player == traverser:
                    chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse)
                    path_node[depth] = node
                    path_action[depth] = chosen
                    inverse *= path[depth, INVERSE]
                    depth += one
                else:
                    if weight != 0.0:
                        share = (now - seen[base]) * own_reach[player]
                        add_share(regret, base, actions, share, strategy_sum)
                        seen[base] = now
                    chosen = draw_action(regret, base, actions, u)
                    own_reach[player] *= chance_of_action(regret, base, actions, chosen)
                node = first + chosen
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            climb(tree, regret, path_node, path_action, path, depth, value)
    out_touched[0] += touched


@kernel
def count_the_rest(
    first_action,  # int64[I + 1], public flat index of each infoset's first action
    parent,  # int64[I], engine sequence above each infoset
    sequence,  # int64[Q], engine sequence of each action
    now,  # the weight of all iterations so far
    regret,  # float64[Q]
    seen,  # float64[Q]
    out_strategy_sum,  # float64[Q]
    reach,  # float64[S], scratch: 1 in every place
    strategy,  # float64[A], scratch
):
    """Count the present strategy for all iterations since each infoset was last averaged.

    Infosets come after those above them, so that one pass in public order is enough.
    """
    for i in range(parent.shape[0]):
        base = np.uintp(first_action[i])
        actions = np.uintp(first_action[i + 1]) - base
        above = reach[parent[i]]
        match_regrets(regret, base, actions, strategy, np.uintp(0))
        for a in range(actions):
            k = base + np.uintp(a)
            played = above * strategy[np.uintp(a)]
            reach[sequence[k]] = played
            out_strategy_sum[k] += (now - seen[base]) * played
