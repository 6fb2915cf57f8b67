"""External sampling with pruning: most traversals skip the traverser's poor actions."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.primitives.prefetch import prefetch_children
from equilibrist.kernels.primitives.regret_matching import add_and_draw, draw_action, match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.pruning import (
    FULL,
    LIFT,
    LOWEST,
    mark_poor,
    next_walked,
    settle_walked,
)
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
def external_pruned(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    bound,  # regrets below it are pruned
    goes_on,  # bool[Q]: the action does not end the game, or not always
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch: the traverser's decisions
    stack_action,  # int64[depth + 1], scratch
    stack_lift,  # float64[depth + 1], scratch
    strategy,  # float64[(depth + 1) * A], scratch: one row per own decision on the path
    utility,  # float64[(depth + 1) * A], scratch
    poor,  # bool[(depth + 1) * A], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Brown and Sandholm, Superhuman AI for multiplayer poker (Science 2019), supplement: the share of
    full traversals, and the floor under the regrets. There nothing is lifted (see `pruning`).
    """
    players = tree.payoff.shape[1]
    wide = np.uintp(width)
    one = np.uintp(1)
    floor = LOWEST * bound
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            state = advance(state)
            skipping = uniform(state) >= FULL
            node = np.uintp(0)
            depth = np.uintp(0)
            lift = 1.0
            while True:
                # Down to a terminal: own decisions are noted, all others drawn.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    if player == TERMINAL:
                        break
                    if player == CHANCE:
                        state = advance(state)
                        node = pick_outcome(tree, node, uniform(state))
                        continue
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    first = np.uintp(tree.node[node, FIRST])
                    if player != traverser:
                        state = advance(state)
                        u = uniform(state)
                        prefetch_children(tree.node, first, actions)
                        share = weight * lift
                        if share != 0.0:
                            node = first + add_and_draw(
                                regret, base, actions, u, share, strategy_sum
                            )
                        else:
                            node = first + draw_action(regret, base, actions, u)
                        continue
                    row = depth * wide
                    match_regrets(regret, base, actions, strategy, row)
                    mark_poor(regret, goes_on, base, actions, strategy, row, bound, poor)
                    a = next_walked(poor, row, actions, np.uintp(0), skipping)
                    stack_node[depth] = node
                    stack_action[depth] = a
                    stack_lift[depth] = lift
                    if poor[row + a]:
                        lift = LIFT
                    depth += one
                    node = first + a
                value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
                # Up to the next own action that is walked.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    actions = np.uintp(tree.node[above, CHILDREN])
                    row = level * wide
                    a = np.uintp(stack_action[level])
                    utility[row + a] = value
                    a = next_walked(poor, row, actions, a + one, skipping)
                    if a < actions:
                        stack_action[level] = a
                        lift = LIFT if poor[row + a] else stack_lift[level]
                        node = np.uintp(tree.node[above, FIRST]) + a
                        unfinished = True
                        break
                    base = np.uintp(tree.node[above, BASE])
                    lift = stack_lift[level]
                    value = settle_walked(
                        regret,
                        base,
                        actions,
                        strategy,
                        utility,
                        poor,
                        row,
                        skipping,
                        lift,
                        1.0,
                        floor,
                    )
                    depth = level
                if not unfinished:
                    break
    out_touched[0] += touched
