"""The update of regrets and average strategies at the end of a batch, and the next strategy."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@kernel
def update_nodes(betting, nodes, regret, average, sigma, value, reach, factors, mean):
    """Discount, add the sums of a batch, and match regrets, at some decisions.

    regret, average, sigma: float32[slots]. value, reach: the sums of all parts, float32[P, slots]
    and float32[P, infosets], which are added in their order and set to zero. factors: float32[3],
    multiply positive regrets, negative regrets and average strategies before. mean: float32[K],
    scratch.
    """
    parts = value.shape[0]
    positive, negative, older = factors[0], factors[1], factors[2]
    for i in range(nodes.shape[0]):
        node = nodes[i]
        buckets = betting.buckets[betting.street[node]]
        actions = betting.actions[node]
        start = betting.slot[node]
        state = betting.state[node]
        for part in range(1, parts):
            for k in range(state, state + buckets):
                reach[0, k] += reach[part, k]
                reach[part, k] = _ZERO
            for k in range(start, start + actions * buckets):
                value[0, k] += value[part, k]
                value[part, k] = _ZERO
        mean[:buckets] = _ZERO
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                mean[k] += sigma[place + k] * value[0, place + k]
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                known = regret[place + k]
                known *= positive if known > _ZERO else negative
                regret[place + k] = known + (value[0, place + k] - mean[k])
                value[0, place + k] = _ZERO
                average[place + k] = (
                    older * average[place + k] + sigma[place + k] * reach[0, state + k]
                )
        reach[0, state : state + buckets] = _ZERO
        mean[:buckets] = _ZERO
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                mean[k] += max(regret[place + k], _ZERO)
        alike = _ONE / np.float32(actions)
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                part_of = max(regret[place + k], _ZERO)
                sigma[place + k] = part_of / mean[k] if mean[k] > _ZERO else alike


@kernel
def normalise_nodes(betting, nodes, average, sigma, out, mean):
    """The average strategies times 65,535, uint16[slots]; of no average the current strategy."""
    whole = np.float32(65535.0)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        buckets = betting.buckets[betting.street[node]]
        actions = betting.actions[node]
        start = betting.slot[node]
        mean[:buckets] = _ZERO
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                mean[k] += average[place + k]
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                chance = average[place + k] / mean[k] if mean[k] > _ZERO else sigma[place + k]
                out[place + k] = np.uint16(chance * whole + np.float32(0.5))


@kernel
def total_regret(betting, nodes, regret, buckets_best):
    """The sum over information sets of the largest regret of an action, if above 0, by player.

    buckets_best: float32[K], scratch. Returns the two sums.
    """
    totals = np.zeros(2)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        buckets = betting.buckets[betting.street[node]]
        start = betting.slot[node]
        buckets_best[:buckets] = _ZERO
        for a in range(betting.actions[node]):
            place = start + a * buckets
            for k in range(buckets):
                buckets_best[k] = max(buckets_best[k], regret[place + k])
        for k in range(buckets):
            totals[betting.player[node]] += buckets_best[k]
    return totals[0], totals[1]
