"""Pure CFR: every strategy is replaced by one action drawn from it, and all numbers are whole."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.regret_matching import draw_action
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
def pure_sampling(
    tree,
    payoff,  # int64[L, P], in units
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # int64: what a drawn action adds to the strategy sum; 0 adds nothing
    regret,  # int64[Q], public flat order, in units
    strategy_sum,  # int64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch
    stack_drawn,  # int64[depth + 1], scratch
    utility,  # int64[(depth + 1) * A], scratch: one row per own decision on the path
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Gibson, Regret minimization in games and the development of champion multiplayer computer
    poker-playing agents (PhD thesis, University of Alberta, 2014).
    """
    players = payoff.shape[1]
    wide = np.uintp(width)
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            node = np.uintp(0)
            depth = np.uintp(0)
            while True:
                # Down to a terminal: everyone draws, own decisions are noted.
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
                    drawn = draw_action(regret, base, actions, u)
                    if player == traverser:
                        stack_node[depth] = node
                        stack_action[depth] = 0
                        stack_drawn[depth] = drawn
                        depth += one
                        node = np.uintp(tree.node[node, FIRST])
                    else:
                        strategy_sum[base + drawn] += weight
                        node = np.uintp(tree.node[node, FIRST]) + drawn
                value = payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
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
                    value = utility[row + np.uintp(stack_drawn[level])]
                    for a in range(actions):
                        regret[base + np.uintp(a)] += utility[row + np.uintp(a)] - value
                    depth = level
                if not unfinished:
                    break
    out_touched[0] += touched
