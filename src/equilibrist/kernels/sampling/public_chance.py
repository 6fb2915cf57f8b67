"""Public chance sampling: public chance events are drawn, private deals are all walked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.regret_matching import match_regrets, mean
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.iterations import sampling_kernel
from equilibrist.kernels.traversal.pruning import (
    LIFT,
    Pruning,
    begin_pruning,
    lift_at,
    lift_below,
    next_walked,
    note_lift,
)
from equilibrist.kernels.traversal.status import DONE
from equilibrist.kernels.traversal.steps import (
    add_own_strategy,
    child,
    mark_poor,
    restore,
    save,
    start,
)
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, PLAYER, TERMINAL


@inner_kernel
def next_of_event(public, base, outcomes, k, event):
    """The first outcome from number k on that belongs to an event; `outcomes` if there is none."""
    while k < outcomes and public.event[base + k] != event:
        k += np.uintp(1)
    return k


class PublicChanceSetup(NamedTuple):
    """Parameters and scratch space of the sampler: D levels, A actions at most."""

    public: Any  # ChanceEvents
    weight: float  # what a visit adds to the strategy sum, times own reach; 0 adds nothing
    pruning: Any  # Pruning, or None
    floor: float  # regrets fall no lower
    walked: Any  # int64[D]: the child walked at each node on the path
    own_reach: Any  # float64[D]
    others_reach: Any  # float64[D]
    value_so_far: Any  # float64[D]: the value of a chance node, of its children met so far
    strategy: Any  # float64[D * A]: one row per node on the path
    utility: Any  # float64[D * A]
    instant: Any  # float64[Q], zeros between traversals
    visited: Any  # int32[N]
    drawn: Any  # int64[E]: the event of each public state
    drawn_in: Any  # int64[E], zeros: the traversal that drew it
    traversals: Any  # int64[1], 0: how many there were
    width: int  # A


@inner_kernel
def drawn_event(setup, here, state):
    """The event that a public state draws in this traversal, and the random state."""
    public = setup.public
    if setup.drawn_in[here] != setup.traversals[0]:
        setup.drawn_in[here] = setup.traversals[0]
        event = public.first[here]
        if public.first[here + 1] > event + 1:
            state = advance(state)
            u = uniform(state)
            while public.cumulative[event] <= u:
                event += 1
        setup.drawn[here] = event
    return setup.drawn[here], state


@inner_kernel
def note_walked(pruning, instant, base, actions, utility, row, value, reach, skipping, lift):
    """Note instantaneous regrets, nothing for what was skipped, LIFT times for poor actions."""
    for a in range(actions):
        k = np.uintp(a)
        if not (skipping and pruning.poor[row + k]):
            scale = reach * LIFT if pruning.poor[row + k] else reach * lift
            instant[base + k] += scale * (utility[row + k] - value)


@inner_kernel
def note_all(pruning, instant, base, actions, utility, row, value, reach, skipping, lift):
    """Note instantaneous regrets, reach times (utility - value), of all actions of a node."""
    for a in range(actions):
        k = np.uintp(a)
        instant[base + k] += reach * (utility[row + k] - value)


note_instant = chosen_by_type({Pruning: note_walked, type(None): note_all})
"""Add reach times (utility - value) to instantaneous regrets: an infoset may have many nodes."""


@inner_kernel
def enter_instant(setup, play, decisions):
    """Add the instantaneous regrets of the first `decisions` nodes visited, and clear them."""
    instant = setup.instant
    for i in range(decisions):
        node = np.uintp(setup.visited[i])
        base = np.uintp(play.tree.node[node, BASE])
        for a in range(np.uintp(play.tree.node[node, CHILDREN])):
            k = base + np.uintp(a)
            play.regret[k] = max(play.regret[k] + instant[k], setup.floor)
            instant[k] = 0.0


@inner_kernel
def public_chance_traversal(setup, play, traverser, state):
    """One traversal: a status, the random state, and the nodes visited.

    Johanson, Bard, Lanctot, Gibson, Bowling, Efficient Nash equilibrium approximation through Monte
    Carlo counterfactual regret minimization (AAMAS 2012). All chance nodes of a public state draw
    the same event; an outcome of it counts with its probability over that of the event. No own
    average is taken below a poor action, where own reach is 0.
    """
    tree, public, pruning = play.tree, setup.public, setup.pruning
    strategy, utility = setup.strategy, setup.utility
    wide, one = np.uintp(setup.width), np.uintp(1)
    setup.traversals[0] += 1
    skipping, state = begin_pruning(pruning, state)
    touched = 0
    decisions = 0
    depth = np.uintp(0)
    own = 1.0
    others = 1.0
    lift = 1.0
    node = start(play)
    while True:
        # Down by first children, to a terminal or to where no player has reach.
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
            save(play, depth, node, base, children)
            setup.own_reach[depth] = own
            setup.others_reach[depth] = others
            note_lift(pruning, depth, lift)
            a = np.uintp(0)
            if player == CHANCE:
                event, state = drawn_event(setup, public.state[public.event[base]], state)
                a = next_of_event(public, base, children, a, event)
                if a == children:
                    break
                setup.value_so_far[depth] = 0.0
                others *= public.ratio[base + a]
            else:
                match_regrets(play.regret, base, children, strategy, row)
                if player == traverser:
                    mark_poor(pruning, play, depth, base, children, strategy, row)
                    a = next_walked(pruning, row, children, a, skipping)
                    own *= strategy[row + a]
                    lift = lift_below(pruning, depth, row, a)
                else:
                    others *= strategy[row]
            setup.walked[depth] = a
            depth += one
            node = child(play, node, a)
        # Up to the next child that is walked.
        while depth > 0:
            level = depth - one
            above = restore(play, level)
            base = np.uintp(tree.node[above, BASE])
            children = np.uintp(tree.node[above, CHILDREN])
            player = tree.node[above, PLAYER]
            row = level * wide
            own = setup.own_reach[level]
            others = setup.others_reach[level]
            lift = lift_at(pruning, level)
            a = np.uintp(setup.walked[level])
            if player == CHANCE:
                event = public.event[base + a]
                setup.value_so_far[level] += public.ratio[base + a] * value
                a = next_of_event(public, base, children, a + one, event)
                if a < children:
                    others *= public.ratio[base + a]
            else:
                utility[row + a] = value
                a += one
                if player == traverser:
                    a = next_walked(pruning, row, children, a, skipping)
                    if a < children:
                        own *= strategy[row + a]
                        lift = lift_below(pruning, level, row, a)
                elif a < children:
                    others *= strategy[row + a]
            if a < children:
                setup.walked[level] = a
                node = child(play, above, a)
                break
            if player == CHANCE:
                value = setup.value_so_far[level]
            else:
                value = mean(strategy, utility, row, children)
            if player == traverser:
                note_instant(
                    pruning, setup.instant, base, children, utility, row, value,
                    others, skipping, lift,
                )  # fmt: skip
                if setup.weight != 0.0:
                    add_own_strategy(play, level, strategy, row, setup.weight * own)
                setup.visited[decisions] = above
                decisions += 1
            depth = level
        if depth == 0:
            enter_instant(setup, play, decisions)
            return DONE, state, touched


public_chance_sampling = sampling_kernel(public_chance_traversal, "public_chance_sampling")
