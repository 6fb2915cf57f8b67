"""Public chance sampling: what everybody sees is drawn, what is dealt in private is all walked."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.kernels.sampling.pruning import (
    FULL,
    LIFT,
    LOWEST,
    enter_instant,
    mark_poor,
    next_walked,
    settle_walked,
)
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL


@inner_kernel
def next_alike(public, base, outcomes, k, event):
    """The first outcome from number k on that belongs to an event; `outcomes` if there is none."""
    while k < outcomes and public.event[base + k] != event:
        k += np.uintp(1)
    return k


@kernel
def public_chance_sampling(
    tree,
    public,  # ChanceEvents
    start,  # number of the first iteration, from 1
    count,
    key,  # uint64
    weight,  # what a visit adds to the strategy sum, times own reach; 0 adds nothing
    bound,  # regrets below it are pruned; -inf for none
    goes_on,  # bool[Q]: the action does not end the game, or not always
    regret,  # float64[Q], public flat order
    strategy_sum,  # float64[Q]
    stack_node,  # int64[depth + 1], scratch
    stack_action,  # int64[depth + 1], scratch
    own_reach,  # float64[depth + 1], scratch
    others_reach,  # float64[depth + 1], scratch
    stack_lift,  # float64[depth + 1], scratch
    found,  # float64[depth + 1], scratch: the value of a chance node so far
    strategy,  # float64[(depth + 1) * A], scratch: one row per node on the path
    utility,  # float64[(depth + 1) * A], scratch
    poor,  # bool[(depth + 1) * A], scratch
    instant,  # float64[Q], zeros, and zeros again at the end
    visited,  # int32[N], scratch
    drawn,  # int64[S], scratch: the event of each public state
    drawn_in,  # int64[S], zeros: the traversal that drew it
    width,  # A, the largest number of actions
    out_touched,  # int64[1], nodes visited are added
):
    """Run `count` iterations: one traversal per player, who then updates.

    Johanson, Bard, Lanctot, Gibson, Bowling, Efficient Nash equilibrium approximation through Monte
    Carlo counterfactual regret minimization (AAMAS 2012). All chance nodes of a public state draw
    the same event; an outcome of it counts with its probability over that of the event. Pruning is
    as in `external_pruned`; no own average is taken below a poor action, where own reach is 0.
    """
    players = tree.payoff.shape[1]
    floor = LOWEST * bound
    pruning = bound > -np.inf
    wide = np.uintp(width)
    one = np.uintp(1)
    touched = 0
    traversal = 0
    for t in range(start, start + count):
        state = stream(key, np.uint64(t))
        for traverser in range(players):
            traversal += 1
            decisions = 0
            node = np.uintp(0)
            depth = np.uintp(0)
            own = 1.0
            others = 1.0
            lift = 1.0
            skipping = False
            if pruning:
                state = advance(state)
                skipping = uniform(state) >= FULL
            while True:
                # Down by first children, to a terminal or to what nobody reaches.
                while True:
                    touched += 1
                    player = tree.node[node, PLAYER]
                    base = np.uintp(tree.node[node, BASE])
                    if player == TERMINAL:
                        value = tree.payoff[base, np.uintp(traverser)]
                        break
                    value = 0.0
                    if own == 0.0 and others == 0.0:
                        break
                    children = np.uintp(tree.node[node, CHILDREN])
                    row = depth * wide
                    own_reach[depth] = own
                    others_reach[depth] = others
                    stack_lift[depth] = lift
                    tried = np.uintp(0)
                    if player == CHANCE:
                        here = public.state[public.event[base]]
                        if drawn_in[here] != traversal:
                            drawn_in[here] = traversal
                            event = public.first[here]
                            if public.first[here + 1] > event + 1:
                                state = advance(state)
                                u = uniform(state)
                                while public.cumulative[event] <= u:
                                    event += 1
                            drawn[here] = event
                        tried = next_alike(public, base, children, tried, drawn[here])
                        if tried == children:
                            break
                        found[depth] = 0.0
                        others *= public.ratio[base + tried]
                    else:
                        match_regrets(regret, base, children, strategy, row)
                        if player == traverser:
                            if pruning:
                                mark_poor(
                                    regret, goes_on, base, children, strategy, row, bound, poor
                                )
                            tried = next_walked(poor, row, children, tried, skipping)
                            own *= strategy[row + tried]
                            lift = LIFT if poor[row + tried] else lift
                        else:
                            others *= strategy[row]
                    stack_node[depth] = node
                    stack_action[depth] = tried
                    depth += one
                    node = np.uintp(tree.node[node, FIRST]) + tried
                # Up to the next child that is walked.
                unfinished = False
                while depth > 0:
                    level = depth - one
                    above = np.uintp(stack_node[level])
                    base = np.uintp(tree.node[above, BASE])
                    children = np.uintp(tree.node[above, CHILDREN])
                    player = tree.node[above, PLAYER]
                    row = level * wide
                    own = own_reach[level]
                    others = others_reach[level]
                    lift = stack_lift[level]
                    tried = np.uintp(stack_action[level])
                    if player == CHANCE:
                        event = public.event[base + tried]
                        found[level] += public.ratio[base + tried] * value
                        tried = next_alike(public, base, children, tried + one, event)
                        if tried < children:
                            others *= public.ratio[base + tried]
                    else:
                        utility[row + tried] = value
                        tried += one
                        if player == traverser:
                            tried = next_walked(poor, row, children, tried, skipping)
                            if tried < children:
                                own *= strategy[row + tried]
                                if poor[row + tried]:
                                    lift = LIFT
                        elif tried < children:
                            others *= strategy[row + tried]
                    if tried < children:
                        stack_action[level] = tried
                        node = np.uintp(tree.node[above, FIRST]) + tried
                        unfinished = True
                        break
                    if player == CHANCE:
                        value = found[level]
                    elif player == traverser:
                        value = settle_walked(
                            instant,
                            base,
                            children,
                            strategy,
                            utility,
                            poor,
                            row,
                            skipping,
                            lift,
                            others,
                            -np.inf,
                        )
                        if weight != 0.0:
                            for a in range(children):
                                k = np.uintp(a)
                                strategy_sum[base + k] += weight * own * strategy[row + k]
                        visited[decisions] = above
                        decisions += 1
                    else:
                        value = 0.0
                        for a in range(children):
                            k = row + np.uintp(a)
                            value += strategy[k] * utility[k]
                    depth = level
                if not unfinished:
                    break
            enter_instant(tree, visited, decisions, instant, floor, regret)
    out_touched[0] += touched
