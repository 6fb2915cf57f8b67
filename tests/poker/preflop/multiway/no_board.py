"""Exact values of three hands without a board, from all triples of their 91 kinds."""

from __future__ import annotations

from collections.abc import Iterator
from math import perm

import numpy as np
import numpy.typing as npt

from equilibrist.poker.preflop.multiway.hand_tree import HandTree
from equilibrist.poker.preflop.pots import weak_orders

Array = npt.NDArray[np.float64]


def triples() -> Array:
    """float64[91, 91, 91]: how likely three seats hold these kinds; unpaired hands, then pairs."""
    kinds = [(high, low) for high in range(13) for low in range(high)]
    kinds += [(rank, rank) for rank in range(13)]
    counts = np.array([[kind.count(rank) for rank in range(13)] for kind in kinds])
    ways = np.array([perm(4, number) for number in range(7)], np.float64)
    found = np.ones((91, 91, 91))
    for rank in range(13):
        one = counts[:, rank]
        found *= ways[one[:, None, None] + one[:, None] + one]
    pairs = np.where(counts.max(axis=1) == 2, 0.5, 1.0)
    found *= pairs[:, None, None] * pairs[:, None] * pairs
    return found / found.sum()


def gains_of(hand: HandTree, strategy: Array) -> tuple[Array, Array]:
    """Values of three seats, and what their best responses gain: float64[3] each."""
    game, dealt = hand.sampled(3, 0, 1), triples()
    legal, tree = game.legal, hand.tree
    values, gains = np.zeros(3), np.zeros(3)
    for player in range(3):
        at = np.zeros(game.shape)  # counterfactual values of actions, as kernels add them up
        for node, path, reach in endings(hand, strategy):
            others = [s for s in range(3) if s != player]
            weight = np.moveaxis(dealt, player, 0) * reach[others[0]][:, None] * reach[others[1]]
            paid = np.moveaxis(payoffs(hand, node, player), player, 0)
            worth = (weight * paid).sum(axis=(1, 2))
            values[player] += reach[player] @ worth
            below = np.ones(91)
            for decision, action in reversed(path):
                if tree.player[tree.decision == decision][0] == player:
                    at[decision, :, action] += below * worth
                    below = below * strategy[decision, :, action]
        better = at.copy()
        for decision in reversed(np.flatnonzero(game.player == player).tolist()):
            now = np.where(legal[decision], better[decision], -np.inf).max(axis=1)
            gained = now - (strategy[decision] * at[decision]).sum(axis=1)
            earlier, action = game.before[decision]
            if earlier >= 0:
                better[earlier, :, action] += gained
            else:
                gains[player] += gained.sum()
    return values, gains


def endings(
    hand: HandTree, strategy: Array
) -> Iterator[tuple[int, list[tuple[int, int]], list[Array]]]:
    """Every ending, the decisions and actions before it, and each seat's reach by kind."""
    tree = hand.tree
    waiting: list[tuple[int, list[tuple[int, int]], list[Array]]]
    waiting = [(0, [], [np.ones(91)] * 3)]
    while waiting:
        node, path, reach = waiting.pop()
        decision, player = int(tree.decision[node]), int(tree.player[node])
        if decision < 0:
            yield node, path, reach
            continue
        child = node + 1
        for action in range(int(tree.actions[node])):
            then = [*reach]
            then[player] = reach[player] * strategy[decision, :, action]
            waiting.append((child, [*path, (decision, action)], then))
            child = int(tree.end[child])


def payoffs(hand: HandTree, node: int, player: int) -> Array:
    """float64 that broadcasts to [91, 91, 91]: what a seat wins at an ending, by kinds."""
    tree = hand.tree
    row, number = int(tree.row[node]), int(tree.number[node])
    if number < 2:
        return np.full((1, 1, 1), tree.payoffs[row, player])
    live = tree.seats[tree.live[node] : tree.live[node] + number]
    kinds = np.meshgrid(*[np.arange(91)] * number, indexing="ij")
    found = np.zeros(kinds[0].shape)
    for k, order in enumerate(weak_orders(number)):
        holds = np.ones(kinds[0].shape, bool)
        for one in range(number):
            for other in range(one):
                holds &= np.sign(kinds[other] - kinds[one]) == np.sign(order[one] - order[other])
        found[holds] = tree.payoffs[row + k, player]
    shape = [1, 1, 1]
    for seat in live:
        shape[seat] = 91
    return found.reshape(shape)
