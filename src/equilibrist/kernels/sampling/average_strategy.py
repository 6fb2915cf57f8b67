"""Average-strategy sampling: own actions are tried as often as the average plays them."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.steps import move_of_others, settle
from equilibrist.kernels.tree.nodes import BASE, CHILDREN, FIRST, PLAYER, TERMINAL


@inner_kernel
def trial_probabilities(strategy_sum, base, actions, epsilon, tau, beta, out, row):
    """Write to out[row : row + actions] with which probability each own action is tried."""
    total = beta
    for a in range(actions):
        total += strategy_sum[base + np.uintp(a)]
    for a in range(actions):
        chance = 1.0  # where nothing is known: the limit of small beta
        if total != 0.0:
            chance = max(epsilon, (beta + tau * strategy_sum[base + np.uintp(a)]) / total)
        out[row + np.uintp(a)] = min(1.0, chance)


@kernel
def average_strategy_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    epsilon,  # 0 < epsilon <= 1, the least probability of a trial
    tau,  # at least 1
    beta,  # at least 0
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch: the action to be decided on next
    stack_inverse,  # float64[depth + 1], scratch: `inverse` at each own decision
    strategy,  # float64[(depth + 1) * A], scratch: one row per own decision on the path
    chances,  # float64[(depth + 1) * A], scratch
    utility,  # float64[(depth + 1) * A], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Gibson, Burch, Lanctot, Szafron, Efficient Monte Carlo counterfactual regret minimization in
    games with many player actions (NIPS 2012). Utilities are divided by the probability of the
    trials on the way; what is not tried counts as zero.
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
            inverse = 1.0  # 1 / probability of the own trials so far
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
                    trial_probabilities(
                        strategy_sum, base, actions, epsilon, tau, beta, chances, row
                    )
                    stack_node[depth] = node
                    stack_action[depth] = 0
                    stack_inverse[depth] = inverse
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
                        chance = chances[row + a]
                        unfinished = chance == 1.0
                        if not unfinished:
                            state = advance(state)
                            unfinished = uniform(state) < chance
                        utility[row + a] = 0.0
                        a += one
                    if unfinished:
                        stack_action[level] = a
                        inverse = stack_inverse[level]
                        chance = chances[row + a - one]
                        if chance != 1.0:
                            inverse /= chance
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
