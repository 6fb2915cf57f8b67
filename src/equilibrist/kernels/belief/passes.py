"""Passes over the part of a game between public roots and leaves, for K ranges side by side.

Each player has slots: first one for each of its hands at the roots, then one for each of its
sequences below them. Arrays over slots are float64[slots, K]; lane k has ranges of its own, and
lanes never mix. Infosets come parents first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from equilibrist._jit import kernel

LEAST = 1e-303
"""Less regret than this in all counts as none: one over it would leave the floating-point range."""


class SideArrays(NamedTuple):
    """The J infosets of one player between roots and leaves, and what its slots earn at ends."""

    parent: Any  # int64[J], the slot above each infoset
    first: Any  # int64[J], the slot of its first action; the others follow
    count: Any  # int64[J], its actions
    start: Any  # int64[slots + 1], where the ends of each slot begin in the next two
    other: Any  # int64[E], the other player's slot
    amount: Any  # float64[E], chance times what this player earns, in payoff units


@kernel
def descend(side, strategy, own, reach):
    """Carry ranges and own play down: own and reach of all slots below the roots are written.

    own: products of the strategy from the roots on, 1 at their hands; reach: times the ranges.
    """
    lanes = reach.shape[1]
    for j in range(side.parent.shape[0]):
        above, first = side.parent[j], side.first[j]
        for slot in range(first, first + side.count[j]):
            for k in range(lanes):
                own[slot, k] = own[above, k] * strategy[slot, k]
                reach[slot, k] = reach[above, k] * strategy[slot, k]


@kernel
def earn(side, reach, value):
    """Write what each slot earns where play ends with it, against the other player's reach."""
    lanes = value.shape[1]
    for slot in range(value.shape[0]):
        for k in range(lanes):
            value[slot, k] = 0.0
        for e in range(side.start[slot], side.start[slot + 1]):
            other, amount = side.other[e], side.amount[e]
            for k in range(lanes):
                value[slot, k] += amount * reach[other, k]


@kernel
def ascend(side, strategy, value):
    """Add to each slot what play below it is worth; hands at the roots get their values."""
    lanes = value.shape[1]
    for j in range(side.parent.shape[0] - 1, -1, -1):
        above, first = side.parent[j], side.first[j]
        for slot in range(first, first + side.count[j]):
            for k in range(lanes):
                value[above, k] += strategy[slot, k] * value[slot, k]


@kernel
def learn(side, coefficients, strategy, own, value, regret, sums, scratch):
    """Ascend, and update regrets, strategy sums and the strategy as a variant of CFR does.

    Args:
        side: The player.
        coefficients: float64[7], positive, negative, floor, lookahead, prediction, decay, weight.
        strategy: As it was played; the next one is written.
        own: Own play from the roots on, which weighs the sums.
        value: What slots earn at ends and leaves; values of all slots are written.
        regret: Updated in place.
        sums: Updated in place.
        scratch: float64[2, K].
    """
    positive, negative, floor = coefficients[0], coefficients[1], coefficients[2]
    lookahead, prediction = coefficients[3], coefficients[4]
    decay, weight = coefficients[5], coefficients[6]
    lanes = value.shape[1]
    for j in range(side.parent.shape[0] - 1, -1, -1):
        above, first, count = side.parent[j], side.first[j], side.count[j]
        for k in range(lanes):
            scratch[0, k] = 0.0
            scratch[1, k] = 0.0
        for slot in range(first, first + count):
            for k in range(lanes):
                scratch[0, k] += strategy[slot, k] * value[slot, k]
        for slot in range(first, first + count):
            for k in range(lanes):
                sums[slot, k] = decay * sums[slot, k] + weight * own[slot, k]
                instant = value[slot, k] - scratch[0, k]
                before = regret[slot, k]
                kept = positive * before if before > 0.0 else negative * before
                regret[slot, k] = max(kept + instant, floor)
                matched = max(lookahead * regret[slot, k] + prediction * instant, 0.0)
                strategy[slot, k] = matched
                scratch[1, k] += matched
        for slot in range(first, first + count):
            for k in range(lanes):
                total = scratch[1, k]
                if total < LEAST:
                    strategy[slot, k] = 1.0 / count
                else:
                    strategy[slot, k] /= total
        for k in range(lanes):
            value[above, k] += scratch[0, k]


@kernel
def normalise(side, sums, out):
    """Write the average strategy of strategy sums; uniform where there are none."""
    lanes = sums.shape[1]
    for j in range(side.parent.shape[0]):
        first, count = side.first[j], side.count[j]
        for k in range(lanes):
            total = 0.0
            for slot in range(first, first + count):
                total += sums[slot, k]
            for slot in range(first, first + count):
                out[slot, k] = sums[slot, k] / total if total >= LEAST else 1.0 / count


@kernel
def keep_chosen(side, root, chosen, now, strategy, kept):
    """Copy the strategy of the roots and lanes that want the present iterate.

    Args:
        side: The player.
        root: int64[J], the root of each infoset.
        chosen: int64[G, K], the iterate that each root keeps in each lane.
        now: The present iterate.
        strategy: As it is played.
        kept: Written where chosen is now.
    """
    for j in range(side.parent.shape[0]):
        first = side.first[j]
        for k in range(strategy.shape[1]):
            if chosen[root[j], k] == now:
                for slot in range(first, first + side.count[j]):
                    kept[slot, k] = strategy[slot, k]
