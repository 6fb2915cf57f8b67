"""What symmetries must keep: the histories of a game as columns of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import NOISE, PayoffScale
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK
from equilibrist.typing import FloatArray, Int64Array

TOLERANCE = 1e-12
"""Probabilities, and payoffs as a share of their range, that differ by less count as equal."""


@dataclass(frozen=True)
class Shape:
    """The histories of a game, preorder, children in action order.

    Attributes:
        tree: The compiled game.
        parent: int64[N], -1 at the root.
        infoset: int64[N], public numbers, or a mark of a terminal or chance node.
        edge: int64[N], the number of the action above each history, or under chance that of the
            class of equal probabilities.
        kind: int64[N]: what is at a history, in equal numbers where a symmetry may map one to the
            other: the player with the actions, chance, or the payoffs.
        children: int64[N - 1], all histories but the root by parent.
        first: int64[N], where each history's children begin in `children`.
        count: int64[N], how many children there are.
        rank: int64[N], the number of each history among its siblings.
    """

    tree: GameTree
    parent: Int64Array
    infoset: Int64Array
    edge: Int64Array
    kind: Int64Array
    children: Int64Array
    first: Int64Array
    count: Int64Array
    rank: Int64Array

    @classmethod
    def of(cls, tree: GameTree, *, payoffs: bool = True) -> Shape:
        """The columns of a compiled game; without `payoffs` all ends count as equal."""
        walk = tree.walk
        parent = walk.parent.astype(np.int64)
        size = len(parent)
        infoset = walk.infoset.astype(np.int64)
        inner = infoset >= 0
        infoset[inner] = tree.public_of_walk[infoset[inner]]
        children = np.argsort(parent[1:], kind="stable").astype(np.int64) + 1
        count = np.bincount(parent[1:], minlength=size).astype(np.int64)
        first = np.cumsum(count) - count
        rank = np.zeros(size, dtype=np.int64)
        rank[children] = np.arange(len(children)) - np.repeat(first, count)
        edge = rank.copy()
        chance = infoset == CHANCE_MARK
        under = chance[parent]
        under[0] = False
        probability = _classes(walk.chance_probability, TOLERANCE)
        # Outcomes are recorded by chance node in preorder, which `children` has by parent, too.
        edge[children[np.repeat(chance, count)]] = probability
        edge[~under & (parent < 0)] = 0
        return cls(
            tree=tree,
            parent=parent,
            infoset=infoset,
            edge=edge,
            kind=_kinds(tree, infoset, payoffs),
            children=children,
            first=first,
            count=count,
            rank=rank,
        )

    @cached_property
    def chance_child(self) -> Int64Array:
        """int64[N]: 1 for outcomes of chance, else 0."""
        under: Int64Array = (self.infoset[self.parent] == CHANCE_MARK).astype(np.int64)
        under[0] = 0
        return under

    @cached_property
    def starts(self) -> Int64Array:
        """Where the children of each history that has any begin in `children`."""
        starts: Int64Array = self.first[self.count > 0]
        return starts

    @cached_property
    def by_infoset(self) -> tuple[Int64Array, Int64Array]:
        """Histories at infosets by infoset, and where each infoset's begin."""
        nodes = np.flatnonzero(self.infoset >= 0)
        nodes = nodes[np.argsort(self.infoset[nodes], kind="stable")]
        counts = np.bincount(self.infoset[nodes], minlength=self.tree.num_infosets)
        return nodes, np.cumsum(counts) - counts


def _kinds(tree: GameTree, infoset: Int64Array, payoffs: bool) -> Int64Array:
    """A number per history: below 0 for chance, then ends by payoffs, then decisions."""
    kind = np.full(len(infoset), -1, dtype=np.int64)
    end = infoset == TERMINAL_MARK
    width = 1
    if payoffs and end.any():
        # A penalty far from all other payoffs makes none of them alike.
        least = TOLERANCE * (PayoffScale(tree).least or 1.0)
        columns = [
            _classes(column, np.maximum(NOISE * np.abs(np.sort(column)[:-1]), least))
            for column in tree.walk.payoff.T
        ]
        _, row = np.unique(np.stack(columns), axis=1, return_inverse=True)
        kind[end] = row.reshape(-1)
        width = int(row.max()) + 1
    else:
        kind[end] = 0
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}
    pairs = zip(tree.infoset_player.tolist(), tree.action_labels, strict=True)
    sort = np.array([numbers.setdefault(pair, len(numbers)) for pair in pairs], dtype=np.int64)
    inner = infoset >= 0
    kind[inner] = width + sort[infoset[inner]]
    return kind


def _classes(values: FloatArray, tolerance: float | FloatArray) -> Int64Array:
    """Numbers of groups of values: sorted neighbours within the tolerance are in one.

    `tolerance` is one number, or float64[n - 1], that of each of the sorted values to the next.
    """
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order]) > tolerance
    classes = np.empty(len(values), dtype=np.int64)
    classes[order] = np.concatenate(([0], np.cumsum(steps)))[: len(values)]
    return classes
