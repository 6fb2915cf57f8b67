"""Baselines: values of actions that were not drawn, as control variates.

Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, Variance reduction in Monte Carlo counterfactual
regret minimization (VR-MCCFR) for extensive form games using baselines (AAAI 2019); one baseline
per history as in Davis, Schmid, Bowling (ICML 2020).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.regret_matching import LEAST, positive_total
from equilibrist.kernels.traversal.exploring import INVERSE, PLAYED, WEIGHT
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL


class Baselined(NamedTuple):
    """Add the others' strategies where they draw; baselines correct the draws of chance and others.

    The draws of a line of play stand in `drawn`, `above` and so on, in their order.
    """

    exact: bool  # whether baselines are worked out for every traversal
    rate: float  # of learning them
    baseline: Any  # float64[P, N]: what each traverser expects at each node
    count: Any  # int64[1], scratch: how many nodes have been drawn on the line so far
    drawn: Any  # int64[D], scratch: those nodes
    above: Any  # float64[D], scratch: what their parents are worth by the baselines
    before: Any  # int64[D], scratch: how many were drawn before each own decision
    own: Any  # float64[D], scratch: what own decisions are worth by the baselines


@inner_kernel
def value_of_children(tree, node, player, regret, value):
    """A player's value at a node, from value[child] of its children, all on policy."""
    kind = tree.node[node, PLAYER]
    base = np.uintp(tree.node[node, BASE])
    if kind == TERMINAL:
        return tree.payoff[base, player]
    first = np.uintp(tree.node[node, FIRST])
    children = np.uintp(tree.node[node, CHILDREN])
    total = 0.0
    if kind == CHANCE:
        for k in range(children):
            total += tree.chance_probability[base + np.uintp(k)] * value[first + np.uintp(k)]
        return total
    positive = positive_total(regret, base, children)
    if not positive < LEAST:
        inverse = 1.0 / positive
        for k in range(children):
            # Regret times value could leave the floating-point range.
            played = max(regret[base + np.uintp(k)], 0.0) * inverse
            total += played * value[first + np.uintp(k)]
        return total
    for k in range(children):
        total += value[first + np.uintp(k)]
    return total / children


@inner_kernel
def expect_exactly(tree, player, regret, out_value):
    """Write a player's exact value of every node to out_value, float64[N]."""
    node = np.uintp(tree.node.shape[0])
    while node > 0:
        node -= np.uintp(1)
        out_value[node] = value_of_children(tree, node, player, regret, out_value)


@inner_kernel
def begin_baselines(visits, play, traverser, weight):
    """Nothing is drawn yet. Returns how many nodes were valued."""
    visits.count[0] = 0
    if not visits.exact:
        return 0
    expect_exactly(play.tree, traverser, play.regret, visits.baseline[traverser])
    return play.tree.node.shape[0]


@inner_kernel
def note_draw_above(visits, play, above, node, traverser):
    """Chance or another player drew `node` at `above`."""
    k = visits.count[0]
    visits.drawn[k] = node
    visits.above[k] = value_of_children(
        play.tree, above, traverser, play.regret, visits.baseline[traverser]
    )
    visits.count[0] = k + 1


@inner_kernel
def note_level(visits, level):
    """The traverser decides: that many nodes were drawn before."""
    visits.before[level] = visits.count[0]


@inner_kernel
def correct_draws(visits, traverser, depth, value):
    """The value above the draws since own decision number `depth` - 1, given that below them."""
    baseline = visits.baseline[traverser]
    last = visits.before[depth - np.uintp(1)] if depth > 0 else 0
    k = visits.count[0]
    while k > last:
        k -= 1
        node = visits.drawn[k]
        # The probability of the draw cancels that of its outcome.
        surprise = value - baseline[node]
        value = visits.above[k] + surprise
        baseline[node] += visits.rate * surprise
    visits.count[0] = k
    return value


@inner_kernel
def note_own_value(visits, play, level, node, base, chosen, path, traverser):
    """The traverser draws an action while exploring."""
    visits.own[level] = value_of_children(
        play.tree, node, traverser, play.regret, visits.baseline[traverser]
    )


@inner_kernel
def update_corrected(visits, play, level, chosen, path, traverser, value):
    """Update regrets at a decision where actions that were not drawn are worth their baselines."""
    tree = play.tree
    baseline = visits.baseline[traverser]
    above = np.uintp(play.nodes[level])
    base = np.uintp(tree.node[above, BASE])
    first = np.uintp(tree.node[above, FIRST])
    surprise = value - baseline[first + chosen]
    extra = surprise * path[level, INVERSE]
    value = visits.own[level] + extra * path[level, PLAYED]
    importance = path[level, WEIGHT]
    for a in range(np.uintp(tree.node[above, CHILDREN])):
        k = np.uintp(a)
        play.regret[base + k] += importance * (baseline[first + k] - value)
    play.regret[base + chosen] += importance * extra
    baseline[first + chosen] += visits.rate * surprise
    return value
