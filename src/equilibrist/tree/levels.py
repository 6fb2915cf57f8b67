"""Histories of a compiled game by depth, as NumPy arrays; no compiled kernels are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class Levels:
    """Histories breadth-first. `node`: int64[N] preorder numbers; level k is order[k]:order[k+1].

    For each, in that order: `parent` (position in this order), `infoset` (public, or a mark) and
    `sequence` of the edge above it (public flat action; -1 under chance and at the root) and
    `chance` (probability of that edge under chance, else 1). Children of one parent stand side by
    side, in the order of the actions.
    """

    tree: GameTree
    node: Int64Array
    bound: list[int]
    parent: Int64Array
    infoset: Int64Array
    sequence: Int64Array
    chance: FloatArray

    @classmethod
    def of(cls, tree: GameTree) -> Levels:
        """The histories of `tree`, which may have imperfect recall."""
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
        return cls(tree, node, bound, parent, infoset, sequence, chance)

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """Where each level but the first begins and ends."""
        return list(zip(self.bound[1:], self.bound[2:], strict=False))

    def edge_probability(self, probabilities: FloatArray) -> FloatArray:
        """Probability of the edge above each history, float64[N].

        `probabilities`: float64[Q] in public order.
        """
        edge = self.chance.copy()
        decided = self.sequence >= 0
        edge[decided] = probabilities[self.sequence[decided]]
        return edge

    def values(self, edge: FloatArray) -> FloatArray:
        """Expected payoffs of each player from each history on, float64[N, P]."""
        value = np.zeros((len(self.node), self.tree.num_players))
        payoff_row = np.cumsum(self.tree.walk.infoset == TERMINAL_MARK) - 1
        is_leaf = self.infoset == TERMINAL_MARK
        value[is_leaf] = self.tree.walk.payoff[payoff_row[self.node[is_leaf]]]
        for low, high in reversed(self.ranges):
            parents, means = self.expected(edge, value, low, high)
            value[parents] = means
        return value

    def expected(
        self, edge: FloatArray, value: FloatArray, low: int, high: int
    ) -> tuple[Int64Array, FloatArray]:
        """The parents of the histories from `low` to `high`, and the mean of `value` below each."""
        parents, starts = np.unique(self.parent[low:high], return_index=True)
        return parents, np.add.reduceat(edge[low:high, None] * value[low:high], starts)


class _Order(NamedTuple):
    """Histories level by level, breadth first."""

    node: Int64Array  # [N]: the preorder number of the history at each position
    bound: list[int]  # [levels + 1]: position at which each level begins
    parent: Int64Array  # [N]: position of each history's parent


def _breadth_first(children: Int64Array, first: Int64Array, degree: Int64Array) -> _Order:
    """Order histories by level.

    Args:
        children: int64[N - 1], preorder numbers, those of one parent together.
        first: int64[N + 1], where the children of each history begin.
        degree: int64[N], how many children it has.
    """
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
    return _Order(np.concatenate(parts), bound[:-1], np.concatenate(parents))
