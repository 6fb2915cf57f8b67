"""Steps that the kernels of several samplers take in the same way."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.matching import add_and_draw, draw_action
from equilibrist.kernels.nodes import BASE, CHANCE, CHILDREN, FIRST, pick_outcome


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
