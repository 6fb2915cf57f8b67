"""Fixed strategies of all seats on dealt cards: what a seat wins, and how often it folds.

Actions of seats are walked with their probabilities, or drawn. Numbers are as in `external`:
`[decision][bucket][action]`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.blueprint.external import won
from equilibrist.kernels.primitives.rng import advance, stream, uniform

_DECISION, _FOLDED, _DEAL = 0, 1, 3  # of `poker.hands.state`


class Stack(NamedTuple):
    """Scratch of a walk: places that are still to be visited, at most M."""

    node: Any  # int64[M]
    weight: Any  # float64[M, 2]: the probability of coming there with either strategy


@inner_kernel
def draw(strategy, place, actions, number):
    """The action that a number in [0, 1) draws."""
    left = np.float32(number)
    for a in range(actions - 1):
        left -= strategy[place + a]
        if left < np.float32(0.0):
            return a
    return actions - 1


@inner_kernel
def nth_child(tree, node, action):
    """The child of an action."""
    child = np.int64(tree.first_child[node])
    for _ in range(action):
        child = np.int64(tree.next_sibling[child])
    return child


@inner_kernel
def place_of(tree, node, bucket):
    """Where the numbers of a decision begin for the bucket of the seat that acts."""
    seat = tree.player[node]
    return tree.slot[node] + tree.actions[node] * np.int64(bucket[seat, tree.street[node]])


@inner_kernel
def push_children(tree, node, place, first, second, stack, top):
    """Put the children of a decision on the stack, each with its probabilities; the new top."""
    first_weight, second_weight = stack.weight[top, 0], stack.weight[top, 1]
    child = np.int64(tree.first_child[node])
    for a in range(tree.actions[node]):
        ours, theirs = first_weight * first[place + a], second_weight * second[place + a]
        if ours > 0.0 or theirs > 0.0:
            stack.node[top] = child
            stack.weight[top, 0], stack.weight[top, 1] = ours, theirs
            top += 1
        child = np.int64(tree.next_sibling[child])
    return top


@kernel
def play_deals(tree, deals, key, first, seat, drawn, strategy, other, stack, out):
    """Payoffs of a seat on each deal with `strategy`, and with `other` in its place.

    key, first: uint64, the stream of random numbers and the number of the first deal. drawn: bits
    of the seats whose actions are drawn from `strategy`; those of others are walked. strategy,
    other: float32[slots]; the other seats play `strategy`, with the same actions against both. out:
    float64[B, 2], receives big blinds.

    tree: SampledTree. deals: Deals. stack: scratch.
    """
    for b in range(deals.strength.shape[0]):
        state = stream(key, first + np.uint64(b))
        bucket, strength = deals.bucket[b], deals.strength[b]
        first_sum, second_sum = 0.0, 0.0
        stack.node[0] = 0
        stack.weight[0, 0] = stack.weight[0, 1] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = stack.node[top]
            while True:
                kind, player = tree.kind[node], tree.player[node]
                if kind == _DEAL:
                    node = np.int64(tree.first_child[node])
                    continue
                if kind != _DECISION or not (drawn >> player) & 1:
                    break
                state = advance(state)
                place = place_of(tree, node, bucket)
                action = draw(strategy, place, np.int64(tree.actions[node]), uniform(state))
                node = nth_child(tree, node, action)
            if kind != _DECISION:
                value = won(tree, node, seat, strength)
                first_sum += stack.weight[top, 0] * value
                second_sum += stack.weight[top, 1] * value
                continue
            place = place_of(tree, node, bucket)
            top = push_children(
                tree, node, place, strategy, other if player == seat else strategy, stack, top
            )
        out[b, 0], out[b, 1] = first_sum, second_sum


@kernel
def count_folds(tree, fold, deals, key, first, seat, street, strategy, stack, faced, folded):
    """Count how often a seat comes to a decision on a street where it may fold, and folds.

    fold: int32[N], the number of that action, or -1. The other seats' actions are drawn; a walk
    ends with the street. faced, folded: float64[N], the probabilities of all deals are added.
    """
    for b in range(deals.strength.shape[0]):
        state = stream(key, first + np.uint64(b))
        bucket = deals.bucket[b]
        stack.node[0] = 0
        stack.weight[0, 0] = stack.weight[0, 1] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = stack.node[top]
            while tree.kind[node] == _DEAL or tree.kind[node] == _DECISION:
                if tree.kind[node] == _DEAL:
                    node = np.int64(tree.first_child[node])
                    continue
                if tree.player[node] == seat or tree.street[node] > street:
                    break
                state = advance(state)
                place = place_of(tree, node, bucket)
                action = draw(strategy, place, np.int64(tree.actions[node]), uniform(state))
                node = nth_child(tree, node, action)
            if tree.kind[node] != _DECISION or tree.street[node] > street:
                continue
            place = place_of(tree, node, bucket)
            if tree.street[node] == street and fold[node] >= 0:
                faced[node] += stack.weight[top, 0]
                folded[node] += stack.weight[top, 0] * strategy[place + fold[node]]
            top = push_children(tree, node, place, strategy, strategy, stack, top)
