"""FSICFR: two linear passes over the graph of states, with the strategies fixed in between."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.matching import match_regrets
from equilibrist.kernels.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL, pick_outcome
from equilibrist.kernels.rng import stream, uniform


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
    visits,  # float64[N], zeros, and zeros again at the end: histories that lead here
    reach,  # float64[N, 2], the same: sums over them of each player's reach
    value,  # float64[N], scratch: of player 0
    first_of_level,  # int32[levels], all -1, and again at the end
    link,  # int32[N], scratch: the next state of the level, then what chance drew
    order,  # int32[N], scratch: the states reached, in a topological order
    out_touched,  # int64[1], states that moves led to are added, one per move
    out_histories,  # float64[1], the histories that they stand for are added
):
    """Run `count` iterations of two players with a constant sum.

    Neller and Hnath (ACG 2011). What chance draws at a state in an iteration depends
    on the key and their two numbers alone: it is drawn before anything is played.
    """
    one = np.uintp(1)
    for t in range(start, start + count):
        draws = stream(key, np.uint64(t))
        reached = np.uintp(0)
        visits[0] = 1.0
        reach[0, 0] = 1.0
        reach[0, 1] = 1.0
        link[0] = -1
        first_of_level[0] = 0
        touched = 1
        # Forth: how many histories lead to each state, with how much reach.
        for level in range(first_of_level.shape[0]):
            following = first_of_level[level]
            first_of_level[level] = -1
            while following >= 0:
                node = np.uintp(following)
                following = link[node]
                order[reached] = node
                reached += one
                out_histories[0] += visits[node]
                player = graph.node[node, PLAYER]
                if player == TERMINAL:
                    continue
                if player == CHANCE:
                    edge = pick_outcome(graph, node, uniform(stream(draws, np.uint64(node))))
                    child = np.uintp(graph.child[edge])
                    link[node] = child
                    pass_on(graph, node, child, 1.0, 1.0, visits, reach, first_of_level, link)
                    touched += 1
                    continue
                base = np.uintp(graph.node[node, BASE])
                actions = np.uintp(graph.node[node, CHILDREN])
                first = np.uintp(graph.node[node, FIRST])
                match_regrets(regret, base, actions, strategy, base)
                own = reach[node, np.uintp(player)]
                for a in range(actions):
                    k = base + np.uintp(a)
                    strategy_sum[k] += own * strategy[k]
                    child = np.uintp(graph.child[first + np.uintp(a)])
                    share_0 = strategy[k] if player == 0 else 1.0
                    share_1 = strategy[k] if player == 1 else 1.0
                    pass_on(
                        graph, node, child, share_0, share_1, visits, reach, first_of_level, link
                    )
                touched += actions
        # Back: what each state is worth, and what its player regrets.
        while reached > 0:
            reached -= one
            node = np.uintp(order[reached])
            player = graph.node[node, PLAYER]
            if player == TERMINAL:
                value[node] = graph.payoff[np.uintp(graph.node[node, BASE]), 0]
            elif player == CHANCE:
                value[node] = value[np.uintp(link[node])]
            else:
                update(graph, node, player, regret, seen, strategy, visits, reach, value)
            visits[node] = 0.0
            reach[node, 0] = 0.0
            reach[node, 1] = 0.0
        out_touched[0] += touched


@inner_kernel
def pass_on(graph, node, child, share_0, share_1, visits, reach, first_of_level, link):
    """Add what leads to `node` to what leads to `child`; one not yet reached joins its level."""
    if visits[child] == 0.0:
        level = np.uintp(graph.level[child])
        link[child] = first_of_level[level]
        first_of_level[level] = child
    visits[child] += visits[node]
    reach[child, 0] += share_0 * reach[node, 0]
    reach[child, 1] += share_1 * reach[node, 1]


@inner_kernel
def update(graph, node, player, regret, seen, strategy, visits, reach, value):
    """The value of a decision, and the means of its regrets over all visits so far."""
    base = np.uintp(graph.node[node, BASE])
    actions = np.uintp(graph.node[node, CHILDREN])
    first = np.uintp(graph.node[node, FIRST])
    expected = 0.0
    for a in range(actions):
        k = np.uintp(a)
        expected += strategy[base + k] * value[np.uintp(graph.child[first + k])]
    value[node] = expected
    before = seen[base]
    after = before + visits[node]
    others = reach[node, np.uintp(1 - player)]
    weight = visits[node] * (others if player == 0 else -others)
    for a in range(actions):
        k = np.uintp(a)
        gain = value[np.uintp(graph.child[first + k])] - expected
        regret[base + k] = (before * regret[base + k] + weight * gain) / after
    seen[base] = after
