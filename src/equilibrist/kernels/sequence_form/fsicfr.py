"""FSICFR: a forward and a backward pass over the state graph, with fixed strategies in between."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import stream, uniform
from equilibrist.kernels.tree.nodes import (
    BASE,
    CHANCE,
    CHILDREN,
    FIRST,
    PLAYER,
    TERMINAL,
    pick_outcome,
)

VISITS, VALUE = np.uintp(2), np.uintp(3)
"""Columns of `flow` behind the two players' reach: histories that lead here, value to player 0."""


@kernel
def fixed_strategy_iterations(
    graph,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    regret,  # float64[Q], means over all visits
    strategy_sum,  # float64[Q]
    seen,  # float64[Q]: at each infoset's first action, its visits so far
    strategy,  # float64[Q], scratch: the strategies of the iteration where it comes
    flow,  # float64[N, 4]: reach of each player, VISITS, VALUE; all but the last zeros, and again
    first_of_level,  # int32[levels], all -1, and again at the end
    link,  # int32[N], scratch: the next state of the level, then what chance drew
    order,  # int32[N], scratch: the states reached, in a topological order
    out_touched,  # int64[1], states that moves led to are added, one per move
    out_histories,  # float64[1], the histories that they stand for are added
):
    """Run `count` iterations of two players with a constant sum.

    Neller and Hnath (ACG 2011). What chance draws at a state in an iteration depends on the key and
    their two numbers alone: it is drawn before anything is played.
    """
    # Long: both passes share a dozen arrays and counters.
    one = np.uintp(1)
    for t in range(start, start + count):
        draws = stream(key, np.uint64(t))
        reached = np.uintp(0)
        flow[0, VISITS] = 1.0
        flow[0, 0] = 1.0
        flow[0, 1] = 1.0
        link[0] = -1
        first_of_level[0] = 0
        touched = 1
        histories = 0.0
        # Forward pass: the number of histories that lead to each state, and their reach.
        for level in range(first_of_level.shape[0]):
            following = first_of_level[level]
            first_of_level[level] = -1
            while following >= 0:
                node = np.uintp(following)
                following = link[node]
                order[reached] = node
                reached += one
                visits = flow[node, VISITS]
                histories += visits
                player = graph.node[node, PLAYER]
                if player == TERMINAL:
                    continue
                base = np.uintp(graph.node[node, BASE])
                edge = np.uintp(graph.node[node, FIRST])
                actions = np.uintp(graph.node[node, CHILDREN])
                reach_0, reach_1 = flow[node, 0], flow[node, 1]
                if player == CHANCE:
                    edge = pick_outcome(graph, node, uniform(stream(draws, np.uint64(node))))
                    actions = one
                    link[node] = graph.child[edge]
                else:
                    match_regrets(regret, base, actions, strategy, base)
                touched += actions
                for a in range(actions):
                    k = np.uintp(a)
                    child = np.uintp(graph.child[edge + k])
                    to_0, to_1 = reach_0, reach_1
                    if player == 0:
                        to_0 *= strategy[base + k]
                        strategy_sum[base + k] += to_0
                    elif player == 1:
                        to_1 *= strategy[base + k]
                        strategy_sum[base + k] += to_1
                    if flow[child, VISITS] == 0.0:  # it joins its level
                        below = np.uintp(graph.level[child])
                        link[child] = first_of_level[below]
                        first_of_level[below] = child
                    flow[child, VISITS] += visits
                    flow[child, 0] += to_0
                    flow[child, 1] += to_1
        # Backward pass: the value of each state, and the regrets of its player.
        while reached > 0:
            reached -= one
            node = np.uintp(order[reached])
            player = graph.node[node, PLAYER]
            base = np.uintp(graph.node[node, BASE])
            if player == TERMINAL:
                value = graph.payoff[base, 0]
            elif player == CHANCE:
                value = flow[np.uintp(link[node]), VALUE]
            else:
                actions = np.uintp(graph.node[node, CHILDREN])
                edge = np.uintp(graph.node[node, FIRST])
                value = 0.0
                for a in range(actions):
                    k = np.uintp(a)
                    value += strategy[base + k] * flow[np.uintp(graph.child[edge + k]), VALUE]
                visits = flow[node, VISITS]
                share = 1.0 / (seen[base] + visits)
                old = seen[base] * share
                new = visits * share * (flow[node, 1] if player == 0 else -flow[node, 0])
                for a in range(actions):
                    k = np.uintp(a)
                    gain = flow[np.uintp(graph.child[edge + k]), VALUE] - value
                    regret[base + k] = old * regret[base + k] + new * gain
                seen[base] += visits
            flow[node, 0] = 0.0
            flow[node, 1] = 0.0
            flow[node, VISITS] = 0.0
            flow[node, VALUE] = value
        out_touched[0] += touched
        out_histories[0] += histories
