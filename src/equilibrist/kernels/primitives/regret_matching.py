"""Regret matching at one infoset, as samplers need it.

A regret that is NaN makes the strategy NaN, and with it what is averaged: whoever measures sees it.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel

LEAST = 1e-303
"""Less regret than this in all counts as none: one over it would leave the floating-point range."""


@inner_kernel
def positive_total(regret, base, actions):
    """Sum of the positive regrets of one infoset; callers compare it with LEAST."""
    total = 0.0
    for a in range(actions):
        total += max(regret[base + np.uintp(a)], 0.0)
    return total


@inner_kernel
def match_regrets(regret, base, actions, out, at):
    """Write the strategy of regret matching to out[at : at + actions]; uniform without regret."""
    total = positive_total(regret, base, actions)
    if total < LEAST:
        uniform = 1.0 / actions
        for a in range(actions):
            out[at + np.uintp(a)] = uniform
    else:
        inverse = 1.0 / total
        for a in range(actions):
            out[at + np.uintp(a)] = max(regret[base + np.uintp(a)], 0.0) * inverse


@inner_kernel
def mean(strategy, utility, row, actions):
    """The value of an infoset whose strategy and utilities stand from `row` on."""
    value = 0.0
    for a in range(actions):
        k = row + np.uintp(a)
        value += strategy[k] * utility[k]
    return value


@inner_kernel
def draw_action(regret, base, actions, u):
    """The action that a number u in [0, 1) picks from the strategy of regret matching."""
    total = positive_total(regret, base, actions)
    if total < LEAST:
        return min(np.uintp(u * actions), actions - np.uintp(1))
    return pick(regret, base, actions, u * total)


@inner_kernel
def pick(weight, at, actions, x):
    """The action on which x falls, x in [0, sum of the positive weights); never one without weight.

    weight[at : at + actions] need not be normalised, and negative ones count as zero.
    """
    below = 0.0
    chosen = np.uintp(0)
    # Counts partial sums up to x rather than stopping at one: no branch that is mispredicted.
    for a in range(actions):
        below += max(weight[at + np.uintp(a)], 0.0)
        chosen += np.uintp(below <= x)
    return chosen if chosen < actions else last_of_weight(weight, at, actions)


@inner_kernel
def last_of_weight(weight, at, actions):
    """The last action of positive weight: rounding left a draw at the very end."""
    chosen = actions - np.uintp(1)
    while chosen > 0 and not weight[at + chosen] > 0.0:
        chosen -= np.uintp(1)
    return chosen


@inner_kernel
def add_and_draw(regret, base, actions, u, weight, strategy_sum):
    """Draw an action by regret matching, and add weight times the strategy to its strategy sum."""
    total = positive_total(regret, base, actions)
    if total < LEAST:
        share = weight / actions
        for a in range(actions):
            strategy_sum[base + np.uintp(a)] += share
        return min(np.uintp(u * actions), actions - np.uintp(1))
    scale = weight / total
    x = u * total
    below = 0.0
    chosen = np.uintp(0)
    # One pass for both is faster than a sum that uses vector instructions and then `pick`.
    for a in range(actions):
        k = base + np.uintp(a)
        positive = max(regret[k], 0.0)
        strategy_sum[k] += scale * positive
        below += positive
        chosen += np.uintp(below <= x)
    return chosen if chosen < actions else last_of_weight(regret, base, actions)
