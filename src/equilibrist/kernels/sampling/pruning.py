"""Regret-based pruning: what a traversal skips, and an update that leaves it alone.

An action is poor if its regret is below a bound, it is not played now, and it goes on: there are
histories of its infoset in which it does not end the game. Most traversals skip poor actions. In
the others all that is found from a poor action down counts LIFT times, so that pruning changes
nothing on average.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.tree.nodes import BASE, CHILDREN

FULL = 0.05
"""The probability that a traversal skips nothing."""
LIFT = 1.0 / FULL
LOWEST = 31.0 / 30.0
"""Regrets are kept from falling further below zero than this many times the threshold."""


@inner_kernel
def mark_poor(regret, goes_on, base, actions, strategy, row, bound, out_poor):
    """Mark the poor actions of an infoset in out_poor[row : row + actions].

    Where no regret is positive all actions are played, and none is poor.
    """
    for a in range(actions):
        k = np.uintp(a)
        low = regret[base + k] < bound and strategy[row + k] == 0.0
        out_poor[row + k] = low and goes_on[base + k]


@inner_kernel
def next_walked(poor, row, actions, a, skipping):
    """The first action from `a` on that is not skipped; `actions` if there is none."""
    while skipping and a < actions and poor[row + a]:
        a += np.uintp(1)
    return a


@inner_kernel
def settle_walked(
    regret, base, actions, strategy, utility, poor, row, skipping, lift, reach, floor
):
    """Add reach * lift * (utility - value) to regrets, LIFT for poor actions; returns the value."""
    value = 0.0
    for a in range(actions):
        k = row + np.uintp(a)
        value += strategy[k] * utility[k]
    for a in range(actions):
        k = np.uintp(a)
        if not (skipping and poor[row + k]):
            scale = reach * LIFT if poor[row + k] else reach * lift
            changed = regret[base + k] + scale * (utility[row + k] - value)
            regret[base + k] = max(changed, floor)
    return value


@inner_kernel
def enter_instant(tree, visited, decisions, instant, floor, regret):
    """Add instant regrets at the first `decisions` nodes in `visited`, and make them zero again.

    Samplers that may meet an infoset several times in a traversal collect them so.
    """
    for i in range(decisions):
        node = np.uintp(visited[i])
        base = np.uintp(tree.node[node, BASE])
        for a in range(np.uintp(tree.node[node, CHILDREN])):
            k = base + np.uintp(a)
            regret[k] = max(regret[k] + instant[k], floor)
            instant[k] = 0.0
