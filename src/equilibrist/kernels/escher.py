"""ESCHER's sampling: a fixed way to explore, exact history values, no importance weights."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.matching import positive_total
from equilibrist.kernels.moves import move_of_others
from equilibrist.kernels.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL
from equilibrist.kernels.rng import advance, stream, uniform


@inner_kernel
def end_below(tree, node):
    """One past the last node below `node`: blocks of siblings are numbered depth-first."""
    while tree.node[node, CHILDREN] > 0:
        last = np.uintp(tree.node[node, CHILDREN]) - np.uintp(1)
        node = np.uintp(tree.node[node, FIRST]) + last
    return np.uintp(tree.node[node, FIRST])  # where the next block begins


@inner_kernel
def exact_value(tree, node, player, regret, value):
    """The value of a node from those of its children, all on policy."""
    kind = tree.node[node, PLAYER]
    base = np.uintp(tree.node[node, BASE])
    if kind == TERMINAL:
        return tree.payoff[base, player]
    first = np.uintp(tree.node[node, FIRST])
    children = np.uintp(tree.node[node, CHILDREN])
    total = 0.0
    if kind == CHANCE:
        for k in range(children):
            total += tree.chance_probability[base + np.uintp(k)] * value[first + np.uintp(k)]
        return total
    positive = positive_total(regret, base, children)
    if positive > 0.0:
        for k in range(children):
            total += max(regret[base + np.uintp(k)], 0.0) * value[first + np.uintp(k)]
        return total / positive
    for k in range(children):
        total += value[first + np.uintp(k)]
    return total / children


@kernel
def escher_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    value,  # float64[N], scratch
    out_touched,  # int64[1], nodes visited or valued are added
):
    """Run `count` iterations: one trajectory per player, who then updates.

    McAleer, Farina, Lanctot, Sandholm, ESCHER (ICLR 2023), with exact values: those of all nodes
    below the traverser's first decision, where the only draws so far are chance's and the others'.
    """
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            node = np.uintp(0)
            valued = False
            while True:
                touched += 1
                player = tree.node[node, PLAYER]
                if player == TERMINAL:
                    break
                if player == traverser and not valued:
                    first = np.uintp(tree.node[node, FIRST])
                    below = end_below(tree, node)
                    touched += below - first
                    while below > first:
                        below -= one
                        value[below] = exact_value(tree, below, traverser, regret, value)
                    value[node] = exact_value(tree, node, traverser, regret, value)
                    valued = True
                state = advance(state)
                u = uniform(state)
                if player == traverser:
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    first = np.uintp(tree.node[node, FIRST])
                    for a in range(actions):
                        k = np.uintp(a)
                        regret[base + k] += value[first + k] - value[node]
                    node = first + min(np.uintp(u * actions), actions - one)
                else:
                    node = move_of_others(tree, node, player, u, weight, regret, strategy_sum)
    out_touched[0] += touched
