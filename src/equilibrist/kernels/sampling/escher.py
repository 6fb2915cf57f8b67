"""ESCHER's sampling: a fixed way to explore, exact history values, no importance weights."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.steps import move_of_others, value_of_children
from equilibrist.kernels.tree.nodes import BASE, CHILDREN, FIRST, PLAYER, TERMINAL


@inner_kernel
def end_below(tree, node):
    """One past the last node below `node`: blocks of siblings are numbered depth-first."""
    while tree.node[node, CHILDREN] > 0:
        last = np.uintp(tree.node[node, CHILDREN]) - np.uintp(1)
        node = np.uintp(tree.node[node, FIRST]) + last
    return np.uintp(tree.node[node, FIRST])  # where the next block begins


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
                        value[below] = value_of_children(tree, below, traverser, regret, value)
                    value[node] = value_of_children(tree, node, traverser, regret, value)
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
