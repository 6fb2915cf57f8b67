"""Robust sampling: k of the own actions, all equally likely."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.steps import move_of_others, settle
from equilibrist.kernels.tree.nodes import BASE, CHILDREN, FIRST, PLAYER, TERMINAL


@kernel
def robust_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    k,  # own actions that are tried, at least 1
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch: the action to be decided on next
    stack_below,  # float64[depth + 1], scratch: what `inverse` is below
    stack_wanted,  # int64[depth + 1], scratch: actions still to be drawn
    strategy,  # float64[(depth + 1) * A], scratch: one row per own decision on the path
    utility,  # float64[(depth + 1) * A], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Li, Hu, Zhang, Qi, Song, Double neural counterfactual regret minimization (ICLR 2020).
    Utilities are divided by the probability of the own draws on the way; what is not drawn counts
    as zero. Sets are drawn action by action: Knuth, The art of computer programming 2, 3.4.2S.
    """
    players = tree.payoff.shape[1]
    wide = np.uintp(width)
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            node = np.uintp(0)
            depth = np.uintp(0)
            inverse = 1.0  # 1 / probability of the own draws so far
            while True:
                # Down to a terminal or to an own decision.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    ended = player == TERMINAL
                    if ended or player == traverser:
                        break
                    state = advance(state)
                    u = uniform(state)
                    node = move_of_others(
                        tree, node, player, u, weight * inverse, regret, strategy_sum
                    )
                base = np.uintp(tree.node[node, BASE])
                if ended:
                    value = tree.payoff[base, np.uintp(traverser)] * inverse
                    if depth > 0:
                        row = (depth - one) * wide
                        utility[row + np.uintp(stack_action[depth - one]) - one] = value
                else:
                    actions = np.uintp(tree.node[node, CHILDREN])
                    row = depth * wide
                    match_regrets(regret, base, actions, strategy, row)
                    stack_node[depth] = node
                    stack_action[depth] = 0
                    tries = min(np.uintp(k), actions)
                    stack_below[depth] = inverse * (actions / tries)
                    stack_wanted[depth] = tries
                    depth += one
                # Up to the next own action that is tried.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    actions = np.uintp(tree.node[above, CHILDREN])
                    row = level * wide
                    a = np.uintp(stack_action[level])
                    while a < actions and not unfinished:
                        wanted = np.uintp(stack_wanted[level])
                        left = actions - a
                        unfinished = wanted == left
                        if 0 < wanted < left:
                            state = advance(state)
                            unfinished = uniform(state) < wanted / left
                        utility[row + a] = 0.0
                        a += one
                    if unfinished:
                        stack_action[level] = a
                        stack_wanted[level] -= 1
                        inverse = stack_below[level]
                        node = np.uintp(tree.node[above, FIRST]) + a - one
                        break
                    base = np.uintp(tree.node[above, BASE])
                    value = settle(regret, base, actions, strategy, utility, row, 1.0)
                    depth = level
                    if depth > 0:
                        row = (depth - one) * wide
                        utility[row + np.uintp(stack_action[depth - one]) - one] = value
                if not unfinished:
                    break
    out_touched[0] += touched
