"""External sampling with baselines: what was not drawn is worth what is expected of it."""

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
from equilibrist.kernels.sampling.steps import expect_exactly, value_of_children
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
def external_baseline(
    tree,
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum; 0 adds nothing
    bound,  # regrets below it are pruned; -inf for none
    goes_on,  # bool[Q]: the action does not end the game, or not always
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    exact,  # whether baselines are worked out anew for every traversal
    rate,  # of learning them
    baseline,  # float64[P, N]: what each traverser expects at each node
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch
    stack_lift,  # float64[depth + 1], scratch
    expected,  # float64[depth + 1], scratch
    strategy,  # float64[(depth + 1) * A], scratch: one row per node on the path
    utility,  # float64[(depth + 1) * A], scratch
    poor,  # bool[(depth + 1) * A], scratch
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited or valued are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    As `external_sampling` or `external_pruned`; Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling
    (AAAI 2019). The traverser draws nothing: baselines correct what chance and the others draw.
    """
    players = tree.payoff.shape[1]
    wide = np.uintp(width)
    one = np.uintp(1)
    floor = LOWEST * bound
    touched = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            guess = baseline[traverser]
            if exact:
                expect_exactly(tree, traverser, regret, guess)
                touched += tree.node.shape[0]
            skipping = False
            if bound > -np.inf:
                state = advance(state)
                skipping = uniform(state) >= FULL
            node = np.uintp(0)
            depth = np.uintp(0)
            lift = 1.0
            while True:
                # Down to a terminal.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    if player == TERMINAL:
                        break
                    base = np.uintp(tree.node[node, BASE])
                    actions = np.uintp(tree.node[node, CHILDREN])
                    first = np.uintp(tree.node[node, FIRST])
                    stack_node[depth] = node
                    if player == traverser:
                        row = depth * wide
                        match_regrets(regret, base, actions, strategy, row)
                        mark_poor(regret, goes_on, base, actions, strategy, row, bound, poor)
                        stack_lift[depth] = lift
                        a = next_walked(poor, row, actions, np.uintp(0), skipping)
                        if poor[row + a]:
                            lift = LIFT
                    else:
                        expected[depth] = value_of_children(tree, node, traverser, regret, guess)
                        state = advance(state)
                        u = uniform(state)
                        prefetch_children(tree.node, first, actions)
                        share = weight * lift
                        if player == CHANCE:
                            a = pick_outcome(tree, node, u) - first
                        elif share != 0.0:
                            a = add_and_draw(regret, base, actions, u, share, strategy_sum)
                        else:
                            a = draw_action(regret, base, actions, u)
                    stack_action[depth] = a
                    depth += one
                    node = first + a
                value = tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]
                # Up to the next own action that was not tried.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    first = np.uintp(tree.node[above, FIRST])
                    tried = np.uintp(stack_action[level])
                    if tree.node[above, PLAYER] != traverser:
                        surprise = value - guess[first + tried]
                        value = expected[level] + surprise
                        guess[first + tried] += rate * surprise
                        depth = level
                        continue
                    actions = np.uintp(tree.node[above, CHILDREN])
                    row = level * wide
                    utility[row + tried] = value
                    tried = next_walked(poor, row, actions, tried + one, skipping)
                    if tried < actions:
                        stack_action[level] = tried
                        lift = LIFT if poor[row + tried] else stack_lift[level]
                        node = first + tried
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
