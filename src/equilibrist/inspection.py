"""What a strategy means at each infoset: how often play gets there, and what each action earns.

Plain NumPy over the histories of a compiled game, level by level, so that looking at a small
game needs no compiled kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.histories import CHANCE_MARK, TERMINAL_MARK
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class InfosetValues:
    """Per infoset (public order, I of them) and action (Q), under one strategy of all players.

    reach: float64[I], the probability that play comes through the infoset.
    counterfactual_reach: float64[I], the same if its player did everything to get there.
    cf_value: float64[I], counterfactual value: the sum over the infoset's histories of
    counterfactual reach times what the player earns from there on.
    cf_action_value: float64[Q], the same if the action is always taken there.
    histories: int64[I], how many histories the infoset holds.
    Values are in the game's payoff units.
    """

    reach: FloatArray
    counterfactual_reach: FloatArray
    cf_value: FloatArray
    cf_action_value: FloatArray
    histories: Int64Array

    def expected(self, infoset: int) -> float | None:
        """What the player earns on average once there; None if the others never go there."""
        reach = float(self.counterfactual_reach[infoset])
        return float(self.cf_value[infoset]) / reach if reach > 0.0 else None

    def expected_actions(self, infoset: int, actions: slice) -> list[float] | None:
        """The same for each action of the infoset, `actions` being its slice."""
        reach = float(self.counterfactual_reach[infoset])
        if reach <= 0.0:
            return None
        values: list[float] = (self.cf_action_value[actions] / reach).tolist()
        return values


@dataclass(frozen=True)
class _Levels:
    """Histories breadth-first. `node`: int64[N] preorder numbers; level k is order[k]:order[k+1].

    For each, in that order: `parent` (position in this order), `infoset` (public, or a mark) and
    `sequence` of the edge above it (public flat action; -1 under chance and at the root) and
    `chance` (probability of that edge under chance, else 1).
    """

    node: Int64Array
    bound: list[int]
    parent: Int64Array
    infoset: Int64Array
    sequence: Int64Array
    chance: FloatArray


def infoset_reach(strategy: Strategy) -> FloatArray:
    """The probability that play under `strategy` comes through each infoset, float64[I]."""
    tree = strategy.tree
    levels = _levels(tree)
    reach = np.ones(len(levels.node))
    edge = _edge_probability(levels, strategy)
    for low, high in zip(levels.bound[1:], levels.bound[2:], strict=False):
        reach[low:high] = reach[levels.parent[low:high]] * edge[low:high]
    return _summed(levels, reach, tree.num_infosets)


def infoset_values(strategy: Strategy) -> InfosetValues:
    """Reach and counterfactual values of every infoset under `strategy`."""
    tree = strategy.tree
    levels = _levels(tree)
    count, players = len(levels.node), tree.num_players
    edge = _edge_probability(levels, strategy)
    above = levels.infoset[levels.parent]
    mover = np.full(count, players)
    mover[above >= 0] = tree.infoset_player[above[above >= 0]]
    reach = np.ones((count, players + 1))  # own reach per player, then chance
    for low, high in zip(levels.bound[1:], levels.bound[2:], strict=False):
        reach[low:high] = reach[levels.parent[low:high]]
        reach[np.arange(low, high), mover[low:high]] *= edge[low:high]
    value = _values(tree, levels, edge)
    inner = levels.infoset >= 0
    owner = np.zeros(count, dtype=np.int64)
    owner[inner] = tree.infoset_player[levels.infoset[inner]]
    counterfactual = np.ones(count)
    for player in range(players + 1):
        counterfactual *= np.where(owner == player, 1.0, reach[:, player])
    own_value = np.take_along_axis(value, owner[:, None], axis=1)[:, 0]
    below = levels.sequence >= 0
    earner = owner[levels.parent]
    edge_value = counterfactual[levels.parent] * np.take_along_axis(value, earner[:, None], 1)[:, 0]
    return InfosetValues(
        reach=_summed(levels, reach.prod(axis=1), tree.num_infosets),
        counterfactual_reach=_summed(levels, counterfactual, tree.num_infosets),
        cf_value=_summed(levels, counterfactual * own_value, tree.num_infosets),
        cf_action_value=_counted(
            levels.sequence[below], edge_value[below], int(tree.action_offset[-1])
        ),
        histories=np.bincount(levels.infoset[inner], minlength=tree.num_infosets),
    )


def _levels(tree: GameTree) -> _Levels:
    walk = tree.walk
    count = len(walk.parent)
    infoset_of_node = walk.infoset.astype(np.int64)
    inner = infoset_of_node >= 0
    infoset_of_node[inner] = tree.public_of_walk[infoset_of_node[inner]]
    children = np.argsort(walk.parent[1:], kind="stable").astype(np.int64) + 1
    degree = np.bincount(walk.parent[1:], minlength=count)
    first = np.concatenate(([0], np.cumsum(degree)))
    rank = np.arange(len(children)) - np.repeat(first[:-1], degree)
    edge_rank = np.zeros(count, dtype=np.int64)
    edge_rank[children] = rank
    node, bound, parent = _breadth_first(children, first, degree)
    infoset = infoset_of_node[node]
    above = infoset[parent]
    decided = above >= 0
    decided[0] = False
    sequence = np.full(count, -1, dtype=np.int64)
    sequence[decided] = tree.action_offset[above[decided]] + edge_rank[node[decided]]
    chance_start = np.full(count, -1, dtype=np.int64)
    outcomes = np.concatenate(([0], np.cumsum(walk.chance_count)))[:-1]
    chance_start[infoset_of_node == CHANCE_MARK] = outcomes
    start = chance_start[node[parent]]
    by_chance = (start >= 0) & (above == CHANCE_MARK)
    by_chance[0] = False
    chance = np.ones(count)
    chance[by_chance] = walk.chance_probability[start[by_chance] + edge_rank[node[by_chance]]]
    return _Levels(node, bound, parent, infoset, sequence, chance)


def _breadth_first(
    children: Int64Array, first: Int64Array, degree: Int64Array
) -> tuple[Int64Array, list[int], Int64Array]:
    """Preorder numbers level by level, where levels begin, and each one's parent's position."""
    level = np.zeros(1, dtype=np.int64)
    parts, parents, bound = [level], [np.zeros(1, dtype=np.int64)], [0, 1]
    start = 0
    while len(level):
        widths = degree[level]
        total = int(widths.sum())
        within = np.arange(total) - np.repeat(np.cumsum(widths) - widths, widths)
        parents.append(np.repeat(np.arange(start, start + len(level)), widths))
        start += len(level)
        level = children[np.repeat(first[level], widths) + within]
        parts.append(level)
        bound.append(bound[-1] + len(level))
    return np.concatenate(parts), bound[:-1], np.concatenate(parents)


def _edge_probability(levels: _Levels, strategy: Strategy) -> FloatArray:
    edge = levels.chance.copy()
    decided = levels.sequence >= 0
    edge[decided] = strategy.probabilities[levels.sequence[decided]]
    return edge


def _values(tree: GameTree, levels: _Levels, edge: FloatArray) -> FloatArray:
    """What each player earns on average from each history on, float64[N, P]."""
    value = np.zeros((len(levels.node), tree.num_players))
    payoff_row = np.cumsum(tree.walk.infoset == TERMINAL_MARK) - 1
    is_leaf = levels.infoset == TERMINAL_MARK
    value[is_leaf] = tree.walk.payoff[payoff_row[levels.node[is_leaf]]]
    for low, high in reversed(list(zip(levels.bound[1:], levels.bound[2:], strict=False))):
        parents, starts = np.unique(levels.parent[low:high], return_index=True)
        value[parents] = np.add.reduceat(edge[low:high, None] * value[low:high], starts)
    return value


def _summed(levels: _Levels, weights: FloatArray, num_infosets: int) -> FloatArray:
    inner = levels.infoset >= 0
    return _counted(levels.infoset[inner], weights[inner], num_infosets)


def _counted(index: Int64Array, weights: FloatArray, size: int) -> FloatArray:
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)
