"""The update of regrets and average strategies at the end of a batch, and the next strategy."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_MOST, _MOST_UNSIGNED = np.float32(32767.0), np.float32(65535.0)
_LEAST = np.float32(1e-30)
"""Smaller numbers are stored as 0: their reciprocals are near the limit of float32."""
_MIX_A, _MIX_B, _MIX_C = np.uint32(0x9E3779B1), np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)
_EIGHT, _THIRTEEN, _HALF = np.uint32(8), np.uint32(13), np.uint32(16)
_NEXT, _UNIT = np.uint32(1), np.float32(2.0**-24)


@kernel
def update_nodes(blocks, nodes, regret, average, sigma, value, reach, factors, mean):
    """Discount, add the sums of a batch, and match regrets, at some decisions.

    regret, average, sigma: float32[slots]. value, reach: the sums of all parts, float32[P, slots]
    and float32[P, infosets], which are added in their order and set to zero. factors: float32[3],
    multiply positive regrets, negative regrets and average strategies before. mean: float32[K],
    scratch.

    blocks: the tree. nodes: int32[n], the decisions to update.
    """
    for i in range(nodes.shape[0]):
        add_parts(blocks, nodes[i], value, reach)
        place = blocks.slot[nodes[i]]
        update_node(blocks, nodes[i], regret, average, place, sigma, value, reach, factors, mean)


@kernel
def update_small_nodes(
    blocks, nodes, regret, average, scale, draw, sigma, value, reach, factors, mean, regrets,
    averages,
):  # fmt: skip
    """Update decisions at the end of a batch whose numbers are stored in 16 bits.

    A number is scale * what is stored; a number between two that can be stored is rounded to either
    at random, so that it is right on average: else small additions to a large sum would be lost.

    regret: int16[slots]. average: uint16[slots]. scale: float32[2, N], of regrets and of averages
    at each node. draw: the number of the update, which random numbers depend on. sigma follows from
    the regrets before they are rounded. regrets, averages: float32[slots of a decision], scratch.

    All other arguments are those of `update_nodes`.
    """
    for i in range(nodes.shape[0]):
        node = nodes[i]
        place = blocks.slot[node]
        size = blocks.actions[node] * blocks.buckets[blocks.street[node]]
        of_regret, of_average = scale[0, node], scale[1, node]
        for k in range(size):
            regrets[k] = of_regret * np.float32(regret[place + k])
            averages[k] = of_average * np.float32(average[place + k])
        add_parts(blocks, node, value, reach)
        update_node(blocks, node, regrets, averages, 0, sigma, value, reach, factors, mean)
        scale[0, node] = store(
            regrets, size, regret, place, np.float32(32767.0), np.uint32(2 * draw)
        )
        scale[1, node] = store(
            averages, size, average, place, np.float32(65535.0), np.uint32(2 * draw + 1)
        )


@inner_kernel
def store(numbers, size, stored, place, most, draw):
    """Store numbers in 16 bits.

    most: the largest that can be stored. Returns the scale: NaN where a number is not finite, which
    all later updates keep.
    """
    largest, total = _ZERO, _ZERO
    for k in range(size):
        largest = max(largest, abs(numbers[k]))
        total += numbers[k] - numbers[k]  # 0, or NaN
    if total != _ZERO or largest < _LEAST:
        for k in range(size):
            stored[place + k] = 0
        return total
    inverse = most / largest
    for k in range(size):
        exact = numbers[k] * inverse
        low = np.floor(exact)
        up = uniform(np.uint32(place + k), draw) < exact - low
        stored[place + k] = np.int32(min(low + np.float32(up), most))
    return largest / most


@inner_kernel
def uniform(number, draw):
    """A random number, a multiple of 2^-24 from 0 up to 1, that two whole numbers determine.

    The bits are mixed by the finalizer of MurmurHash3 (A. Appleby).
    """
    mixed = np.uint32(number * _MIX_A) ^ np.uint32(draw * _MIX_B)
    mixed = np.uint32((mixed ^ (mixed >> _HALF)) * _MIX_B)
    mixed = np.uint32((mixed ^ (mixed >> _THIRTEEN)) * _MIX_C)
    mixed = mixed ^ (mixed >> _HALF)
    return np.float32(np.int32(mixed >> _EIGHT)) * _UNIT


@inner_kernel
def add_parts(blocks, node, value, reach):
    """Add the sums of the later parts of a batch to those of the first."""
    buckets = blocks.buckets[blocks.street[node]]
    start, state = blocks.slot[node], blocks.state[node]
    for part in range(1, value.shape[0]):
        for k in range(state, state + buckets):
            reach[0, k] += reach[part, k]
            reach[part, k] = _ZERO
        for k in range(start, start + blocks.actions[node] * buckets):
            value[0, k] += value[part, k]
            value[part, k] = _ZERO


@inner_kernel
def update_node(blocks, node, regret, average, at, sigma, value, reach, factors, mean):
    """Update a decision whose regrets and averages are regret[at:] and average[at:]."""
    positive, negative, older = factors[0], factors[1], factors[2]
    buckets = blocks.buckets[blocks.street[node]]
    actions = blocks.actions[node]
    start = blocks.slot[node]
    state = blocks.state[node]
    mean[:buckets] = _ZERO
    for a in range(actions):
        place = start + a * buckets
        for k in range(buckets):
            mean[k] += sigma[place + k] * value[0, place + k]
    for a in range(actions):
        place, own = start + a * buckets, at + a * buckets
        for k in range(buckets):
            known = regret[own + k]
            known *= positive if known > _ZERO else negative
            regret[own + k] = known + (value[0, place + k] - mean[k])
            value[0, place + k] = _ZERO
            average[own + k] = older * average[own + k] + sigma[place + k] * reach[0, state + k]
    reach[0, state : state + buckets] = _ZERO
    mean[:buckets] = _ZERO
    for a in range(actions):
        own = at + a * buckets
        for k in range(buckets):
            mean[k] += max(regret[own + k], _ZERO)
    alike = _ONE / np.float32(actions)
    for a in range(actions):
        place, own = start + a * buckets, at + a * buckets
        for k in range(buckets):
            part_of = max(regret[own + k], _ZERO)
            sigma[place + k] = alike if mean[k] <= _ZERO else part_of / mean[k]


@kernel
def normalise_nodes(blocks, nodes, average, sigma, out, mean):
    """The average strategies times 65,535, uint16[slots]; of no average the current strategy.

    average: float32[slots], or uint16[slots], of which the scale does not matter.

    blocks: the tree. nodes: int32[n], decisions. sigma: float32[slots], the current strategy. out:
    uint16[slots], written. mean: float32[K], scratch.
    """
    whole = np.float32(65535.0)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        buckets = blocks.buckets[blocks.street[node]]
        actions = blocks.actions[node]
        start = blocks.slot[node]
        mean[:buckets] = _ZERO
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                mean[k] += np.float32(average[place + k])
        for a in range(actions):
            place = start + a * buckets
            for k in range(buckets):
                chance = sigma[place + k]
                if mean[k] > _ZERO:
                    chance = np.float32(average[place + k]) / mean[k]
                out[place + k] = np.uint16(chance * whole + np.float32(0.5))


@kernel
def total_regret(blocks, nodes, regret, scale, buckets_best):
    """The sum over information sets of the largest regret of an action, if above 0, by player.

    regret: float32[slots], or int16[slots] of which a decision's are multiplied by scale[node]; of
    float32 the scale is float32[0]. buckets_best: float32[K], scratch. Returns the two sums.

    blocks: the tree. nodes: int32[n], the decisions that are counted.
    """
    totals = np.zeros(2)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        buckets = blocks.buckets[blocks.street[node]]
        start = blocks.slot[node]
        buckets_best[:buckets] = _ZERO
        for a in range(blocks.actions[node]):
            place = start + a * buckets
            for k in range(buckets):
                number = np.float32(regret[place + k])
                if number > buckets_best[k] or np.isnan(number):  # never above NaN again
                    buckets_best[k] = number
        unit = scale[node] if scale.shape[0] else _ONE
        for k in range(buckets):
            totals[blocks.player[node]] += unit * buckets_best[k]
    return totals[0], totals[1]
