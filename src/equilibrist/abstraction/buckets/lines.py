"""Lines of play: infosets that differ only in what chance has dealt are on one line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.link import link_walk
from equilibrist.tree.levels import Levels
from equilibrist.typing import Int64Array


@dataclass(frozen=True)
class Lines:
    """The lines of a game of perfect recall.

    Attributes:
        line: int64[I]: the same number where the moves of all players so far, and the places
            where chance moved, are the same (as a set, over the histories of an infoset), and the
            player and the actions, too.
        parent: int64[I]: the own flat action above each infoset, or -1.
        dealt: bool[I]: whether chance has moved since that action, or at all.
    """

    line: Int64Array
    parent: Int64Array
    dealt: np.ndarray

    @classmethod
    def of(cls, tree: GameTree) -> Lines:
        """The lines of a compiled game.

        Raises:
            RecallError: The game has imperfect recall.
        """
        tree.sequence_form  # noqa: B018 - raises RecallError
        levels = Levels.of(tree)
        way, deals = _ways(tree, levels)
        inner = np.flatnonzero(levels.infoset >= 0)
        infosets = levels.infoset[inner]
        met: list[set[int]] = [set() for _ in range(tree.num_infosets)]
        dealt = np.zeros(tree.num_infosets, dtype=np.int64)
        np.maximum.at(dealt, infosets, deals[inner])
        for infoset, number in np.unique(np.stack((infosets, way[inner])), axis=1).T.tolist():
            met[infoset].add(number)
        numbers: dict[object, int] = {}
        rows = zip(tree.infoset_player.tolist(), tree.action_labels, met, strict=True)
        line = [
            numbers.setdefault((player, labels, frozenset(ways)), len(numbers))
            for player, labels, ways in rows
        ]
        parent = _own_parent(tree)
        before = np.zeros(tree.num_infosets, dtype=np.int64)
        below = parent >= 0
        above = np.searchsorted(tree.action_offset, parent[below], side="right") - 1
        before[below] = dealt[above]
        return cls(np.array(line, dtype=np.int64), parent, dealt > before)


def _ways(tree: GameTree, levels: Levels) -> tuple[Int64Array, Int64Array]:
    """Number the histories by their moves, and count their moves of chance.

    Returns:
        int64[N], a number for the names of all moves so far, chance unnamed; and int64[N], how
        many of the moves are chance's. Both level by level.
    """
    way = np.zeros(len(levels.node), dtype=np.int64)
    deals = np.zeros(len(levels.node), dtype=np.int64)
    names: dict[tuple[int, str], int] = {}
    symbol = np.array(
        [
            names.setdefault((player, label), len(names))
            for player, labels in zip(tree.infoset_player.tolist(), tree.action_labels, strict=True)
            for label in labels
        ],
        dtype=np.int64,
    )
    known: dict[tuple[int, int], int] = {}
    for low, high in levels.ranges:
        above = way[levels.parent[low:high]]
        sequence = levels.sequence[low:high]
        moved = np.full(high - low, -1, dtype=np.int64)
        moved[sequence >= 0] = symbol[sequence[sequence >= 0]]
        pairs, place = np.unique(np.stack((above, moved)), axis=1, return_inverse=True)
        numbers = [known.setdefault((a, b), 1 + len(known)) for a, b in pairs.T.tolist()]
        way[low:high] = np.array(numbers, dtype=np.int64)[place.reshape(-1)]
        deals[low:high] = deals[levels.parent[low:high]] + (sequence < 0)
    return way, deals


def _own_parent(tree: GameTree) -> Int64Array:
    """int64[I]: the own flat action, in public order, above each infoset, or -1."""
    linked = link_walk(tree.walk)
    counts = np.diff(tree.action_offset)[tree.public_of_walk]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    flat = np.repeat(tree.action_offset[:-1][tree.public_of_walk], counts) + within
    above = linked.parent_sequence.astype(np.int64)
    parent = np.empty(tree.num_infosets, dtype=np.int64)
    parent[tree.public_of_walk] = np.where(above >= 0, flat[above], -1)
    return parent
