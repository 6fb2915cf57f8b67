"""Chance sampling: chance draws one outcome, all actions of all players are walked."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.steps import settle
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
def chance_sampling(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum, times own reach; 0 adds nothing
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch
    own_reach,  # float64[depth + 1], scratch
    others_reach,  # float64[depth + 1], scratch
    strategy,  # float64[(depth + 1) * A], scratch: one row per decision on the path
    utility,  # float64[(depth + 1) * A], scratch
    change,  # float64[N], zeros, and zeros again at the end: of regrets, visit after visit
    visited,  # int32[N], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Zinkevich, Johanson, Bowling, Piccione (NIPS 2007), section 4. An infoset may be met several
    times in a traversal, by actions of others that its player does not see: its regrets change
    only afterwards, by one visit after the other.
    """
    players = tree.payoff.shape[1]
    wide = np.uintp(width)
    one = np.uintp(1)
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            decisions = 0
            changes = np.uintp(0)
            node = np.uintp(0)
            depth = np.uintp(0)
            own = 1.0
            others = 1.0
            while True:
                # Down by first actions, to a terminal or to what nobody reaches.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    if player == TERMINAL:
                        value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
                        break
                    if own == 0.0 and others == 0.0:
                        value = 0.0
                        break
                    if player == CHANCE:
                        state = advance(state)
                        node = pick_outcome(tree, node, uniform(state))
                        continue
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    row = depth * wide
                    match_regrets(regret, base, actions, strategy, row)
                    stack_node[depth] = node
                    stack_action[depth] = 0
                    own_reach[depth] = own
                    others_reach[depth] = others
                    if player == traverser:
                        own *= strategy[row]
                    else:
                        others *= strategy[row]
                    depth += one
                    node = np.uintp(tree.node[node, FIRST])
                # Up to the next action that was not tried.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    actions = np.uintp(tree.node[above, CHILDREN])
                    mine = tree.node[above, PLAYER] == traverser
                    row = level * wide
                    own = own_reach[level]
                    others = others_reach[level]
                    tried = np.uintp(stack_action[level])
                    utility[row + tried] = value
                    tried += one
                    if tried < actions:
                        if mine:
                            own *= strategy[row + tried]
                        else:
                            others *= strategy[row + tried]
                        stack_action[level] = tried
                        node = np.uintp(tree.node[above, FIRST]) + tried
                        unfinished = True
                        break
                    if mine:
                        base = np.uintp(tree.node[above, BASE])
                        value = settle(change, changes, actions, strategy, utility, row, others)
                        changes += actions
                        if weight != 0.0:
                            for a in range(actions):
                                k = np.uintp(a)
                                strategy_sum[base + k] += weight * own * strategy[row + k]
                        visited[decisions] = above
                        decisions += 1
                    else:
                        value = 0.0
                        for a in range(actions):
                            k = row + np.uintp(a)
                            value += strategy[k] * utility[k]
                    depth = level
                if not unfinished:
                    break
            changes = np.uintp(0)
            for k in range(decisions):
                node = np.uintp(visited[k])
                base = np.uintp(tree.node[node, BASE])
                for a in range(np.uintp(tree.node[node, CHILDREN])):
                    regret[base + np.uintp(a)] += change[changes]
                    change[changes] = 0.0
                    changes += one
    out_touched[0] += touched
