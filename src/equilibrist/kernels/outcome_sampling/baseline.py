"""Outcome sampling with baselines: what was not drawn is worth what is expected of it."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.outcome_sampling.exploring import INVERSE, PLAYED, WEIGHT, explore
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.steps import expect_exactly, move_of_others, value_of_children
from equilibrist.kernels.tree.nodes import BASE, CHILDREN, FIRST, PLAYER, TERMINAL


@kernel
def outcome_baseline(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    epsilon,
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    corrected,  # whether that is divided by the traverser's part of the sampling
    exact,  # whether baselines are worked out anew for every traversal
    rate,  # of learning them
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    baseline,  # float64[P, N]: what each traverser expects at each node
    expected,  # float64[depth + 1], scratch: what nodes are worth by the baselines below
    path_node,  # int64[depth + 1], scratch
    path_child,  # int64[depth + 1], scratch
    path,  # float64[depth + 1, 3], scratch
    out_touched,  # int64[1], nodes visited or valued are added
):
    """Run `count` iterations: one trajectory per player, who then updates.

    Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, Variance reduction in Monte Carlo
    counterfactual regret minimization (VR-MCCFR) for extensive form games using baselines (AAAI
    2019); one baseline per history as in Davis, Schmid, Bowling (ICML 2020).
    """
    players = tree.payoff.shape[1]
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            guess = baseline[traverser]
            if exact:
                expect_exactly(tree, traverser, regret, guess)
                touched += tree.node.shape[0]
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
                path_node[depth] = node
                expected[depth] = value_of_children(tree, node, traverser, regret, guess)
                if player == traverser:
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    node = np.uintp(tree.node[node, FIRST])
                    node += explore(regret, base, actions, epsilon, u, path, depth, inverse)
                    inverse *= path[depth, INVERSE]
                else:
                    share = weight * inverse if corrected else weight
                    node = move_of_others(tree, node, player, u, share, regret, strategy_sum)
                path_child[depth] = node
                depth += one
            value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
            while depth > 0:
                depth -= one
                above = np.uintp(path_node[depth])
                child = np.uintp(path_child[depth])
                surprise = value - guess[child]
                value = expected[depth]
                if tree.node[above, PLAYER] == traverser:
                    extra = surprise * path[depth, INVERSE]
                    value += extra * path[depth, PLAYED]
                    base = np.uintp(tree.node[above, BASE])
                    first = np.uintp(tree.node[above, FIRST])
                    importance = path[depth, WEIGHT]
                    for a in range(np.uintp(tree.node[above, CHILDREN])):
                        k = np.uintp(a)
                        regret[base + k] += importance * (guess[first + k] - value)
                    regret[base + (child - first)] += importance * extra
                else:
                    value += surprise  # drawn with the very probability that it counts with
                guess[child] += rate * surprise
    out_touched[0] += touched
