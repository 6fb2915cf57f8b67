"""External sampling: chance and the others draw one action each, the traverser tries them all."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.prefetch import prefetch_children
from equilibrist.kernels.primitives.regret_matching import add_and_draw, draw_action, match_regrets
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
def external_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch
    strategy,  # float64[(depth + 1) * A], scratch: one row per own decision on the path
    utility,  # float64[(depth + 1) * A], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). With all others on policy the sampling probability cancels the others'
    reach: the regret of an action is its utility less the infoset's.
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
            while True:
                # Down to a terminal: own decisions are noted, all others drawn.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    if player == TERMINAL:
                        break
                    if player == traverser:
                        base = np.uintp(tree.node[node, BASE])
                        actions = np.uintp(tree.node[node, CHILDREN])
                        match_regrets(regret, base, actions, strategy, depth * wide)
                        stack_node[depth] = node
                        stack_action[depth] = 0
                        depth += one
                        node = np.uintp(tree.node[node, FIRST])
                        continue
                    state = advance(state)
                    u = uniform(state)
                    if player == CHANCE:
                        node = pick_outcome(tree, node, u)
                        continue
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    node = np.uintp(tree.node[node, FIRST])
                    prefetch_children(tree.node, node, actions)
                    if weight != 0.0:
                        node += add_and_draw(regret, base, actions, u, weight, strategy_sum)
                    else:
                        node += draw_action(regret, base, actions, u)
                value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
                # Up to the next own action that was not tried.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    actions = np.uintp(tree.node[above, CHILDREN])
                    row = level * wide
                    tried = np.uintp(stack_action[level])
                    utility[row + tried] = value
                    tried += one
                    if tried < actions:
                        stack_action[level] = tried
                        node = np.uintp(tree.node[above, FIRST]) + tried
                        unfinished = True
                        break
                    base = np.uintp(tree.node[above, BASE])
                    value = 0.0
                    for a in range(actions):
                        k = row + np.uintp(a)
                        value += strategy[k] * utility[k]
                    for a in range(actions):
                        regret[base + np.uintp(a)] += utility[row + np.uintp(a)] - value
                    depth = level
                if not unfinished:
                    break
    out_touched[0] += touched
