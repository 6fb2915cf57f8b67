"""Outcome sampling with an exact average: what is due is handed down when an infoset is visited.

The strategy of an infoset changes only where its player traverses it. Until then it is enough to
know how much own reach has come in from above, and that is already there: the sum over iterations
of own reach times strategy is the strategy sum of the action above. An infoset notes how much of
it was handed on, and hands on the rest, with the strategy that was played since, before it changes.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import INVERSE, add_share, climb, explore
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
def outcome_lazy(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # of an iteration in the average
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q], complete as far as `taken` says
    taken,  # float64[Q], at an infoset's first action: what it has handed on
    clock,  # float64[1], the weight of all iterations so far
    path_node,  # int64[depth + 1], scratch: the traverser's decisions
    path_action,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations as `outcome_sampling` does; needs perfect recall."""
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        clock[0] += weight
        for traverser in range(players):
            node = np.uintp(0)
            depth = np.uintp(0)
            inverse = 1.0
            arrived = clock[0]
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
                    if weight != 0.0:
                        add_share(regret, base, actions, arrived - taken[base], strategy_sum)
                        taken[base] = arrived
                    chosen = explore(regret, base, actions, epsilon, u, path, depth, inverse)
                    arrived = strategy_sum[base + chosen]
                    path_node[depth] = node
                    path_action[depth] = chosen
                    inverse *= path[depth, INVERSE]
                    depth += one
                    node = first + chosen
                else:
                    node = first + draw_action(regret, base, actions, u)
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            climb(tree, regret, path_node, path_action, path, depth, value)
    out_touched[0] += touched


@kernel
def hand_down(
    first_action,  # int64[I + 1], public flat index of each infoset's first action
    parent,  # int64[I], engine sequence above each infoset
    sequence,  # int64[Q], engine sequence of each action
    regret,  # float64[Q]
    taken,  # float64[Q]
    out_strategy_sum,  # float64[Q]
    arrived,  # float64[S], scratch: the weight of all iterations in every place
    strategy,  # float64[A], scratch
):
    """Hand everything down to the end, as if every infoset were visited; `taken` stays as it is.

    Infosets come after those above them, so that one pass in public order is enough.
    """
    for i in range(parent.shape[0]):
        base = np.uintp(first_action[i])
        actions = np.uintp(first_action[i + 1]) - base
        due = arrived[parent[i]] - taken[base]
        match_regrets(regret, base, actions, strategy, np.uintp(0))
        for a in range(actions):
            k = base + np.uintp(a)
            out_strategy_sum[k] += due * strategy[np.uintp(a)]
            arrived[sequence[k]] = out_strategy_sum[k]
