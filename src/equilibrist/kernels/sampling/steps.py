"""Steps that the kernels of several samplers take in the same way."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.regret_matching import (
    LEAST,
    add_and_draw,
    draw_action,
    positive_total,
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


@inner_kernel
def move_of_others(tree, node, player, u, weight, regret, strategy_sum):
    """The child that u in [0, 1) picks at a node of chance or of a player on policy.

    `weight` times that player's strategy is added to the strategy sum; 0 adds nothing.
    """
    if player == CHANCE:
        return pick_outcome(tree, node, u)
    base = np.uintp(tree.node[node, BASE])
    actions = np.uintp(tree.node[node, CHILDREN])
    first = np.uintp(tree.node[node, FIRST])
    if weight != 0.0:
        return first + add_and_draw(regret, base, actions, u, weight, strategy_sum)
    return first + draw_action(regret, base, actions, u)


@inner_kernel
def settle(regret, base, actions, strategy, utility, row, scale):
    """Add scale times (utility - value) to the regrets of one infoset; its value is returned.

    strategy and utility hold the infoset's numbers from `row` on.
    """
    value = 0.0
    for a in range(actions):
        k = row + np.uintp(a)
        value += strategy[k] * utility[k]
    for a in range(actions):
        regret[base + np.uintp(a)] += scale * (utility[row + np.uintp(a)] - value)
    return value


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
    if positive >= LEAST:
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
def expect_exactly(tree, player, regret, out_guess):
    """Write a player's exact value of every node to out_guess, float64[N]."""
    node = np.uintp(tree.node.shape[0])
    while node > 0:
        node -= np.uintp(1)
        out_guess[node] = value_of_children(tree, node, player, regret, out_guess)
