"""The traverser's step on a trajectory: draw an action while exploring, and update on the way back.

A step leaves three numbers in `path` for the way back: what the action drawn is played with, 1
over what it was drawn with, and 1 over the traverser's part of the sampling above it.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.primitives.regret_matching import LEAST, positive_total

PLAYED, INVERSE, WEIGHT = (np.uintp(k) for k in range(3))
"""Columns of `path`."""


@inner_kernel
def explore(regret, base, actions, epsilon, u, path, level, weight):
    """The action that u in [0, 1) picks: any with probability epsilon, else as regrets say.

    `weight` is 1 over the traverser's part of the sampling so far. One row of `path` is written.
    """
    total = positive_total(regret, base, actions)
    even = 1.0 / actions
    inverse_total = 0.0
    scale = 0.0
    floor = even
    if not total < LEAST:
        inverse_total = 1.0 / total
        scale = (1.0 - epsilon) * inverse_total
        floor = epsilon * even
    below = 0.0
    chosen = np.uintp(0)
    for a in range(actions):
        below += floor + scale * max(regret[base + np.uintp(a)], 0.0)
        chosen += np.uintp(below <= u)
    chosen = min(chosen, actions - np.uintp(1))
    positive = max(regret[base + chosen], 0.0)
    path[level, PLAYED] = even if total < LEAST else positive * inverse_total
    path[level, INVERSE] = 1.0 / (floor + scale * positive)
    path[level, WEIGHT] = weight
    return chosen


@inner_kernel
def update_regrets(regret, base, actions, chosen, path, level, value):
    """Add one visit's regrets, given the value found below; returns the value at the infoset."""
    estimate = value * path[level, INVERSE]
    value = estimate * path[level, PLAYED]
    weight = path[level, WEIGHT]
    loss = weight * value
    for a in range(actions):
        regret[base + np.uintp(a)] -= loss
    regret[base + chosen] += weight * estimate
    return value


@inner_kernel
def add_share(regret, base, actions, share, strategy_sum):
    """Add share times the strategy of regret matching to one infoset's strategy sum."""
    total = positive_total(regret, base, actions)
    even = share / actions
    scale = 0.0 if total < LEAST else share / total
    for a in range(actions):
        k = base + np.uintp(a)
        strategy_sum[k] += even if total < LEAST else scale * max(regret[k], 0.0)


@inner_kernel
def chance_of_action(regret, base, actions, chosen):
    """The probability with which regret matching plays an action."""
    total = positive_total(regret, base, actions)
    return 1.0 / actions if total < LEAST else max(regret[base + chosen], 0.0) / total
