"""Features of histories, and the regressor of what they are worth."""

from __future__ import annotations

from typing import Final

import numpy as np

from equilibrist.game import TERMINAL
from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.network import Float32Array
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.typing import Int64Array

NAME: Final = "histories/1"
"""Name and version of the features."""


def history_features(nodes: TreeNodes, infosets: InfosetFeatures) -> InfosetFeatures:
    """What a network reads of each node of the tree, with one output: the node's value.

    A node is told by the last infoset of each player (the first one below, for a player who has
    not moved yet), by who moves there, and by the move that led there.

    Args:
        nodes: The tree.
        infosets: The features of its infosets.

    Returns:
        Features with a node in the place of an infoset.
    """
    players = int(nodes.player.max(initial=0)) + 1
    told = [_rows(infosets.inputs, _nearest_infoset(nodes, player)) for player in range(players)]
    mover = nodes.player - TERMINAL
    size = len(mover)
    wide = max(1, nodes.histories.max_actions)
    moves = np.zeros((size, wide), dtype=np.float32)
    moved = np.flatnonzero(nodes.move >= 0)
    moves[moved, nodes.branch[moved]] = 1.0
    kinds = np.eye(int(mover.max(initial=0)) + 1, dtype=np.float32)[mover]
    inputs = np.ascontiguousarray(np.hstack([*told, kinds, moves]))
    everything = np.arange(size, dtype=np.int32)
    return InfosetFeatures(
        inputs=inputs,
        columns=np.zeros(size, dtype=np.int32),
        mask=np.ones((size, 1), dtype=np.bool_),
        infoset_of=everything,
    )


def _nearest_infoset(nodes: TreeNodes, player: int) -> Int64Array:
    """A player's infoset at or last above each node, else the first below; -1 if there is none."""
    own = np.where(nodes.player == player, nodes.infoset, -1)
    below = own.copy()
    for level in reversed(nodes.levels):
        inner = level[(below[level] < 0) & (nodes.children[level] > 0)]
        below[inner] = below[nodes.first[inner]]
    above = own.copy()
    for level in nodes.levels[1:]:
        without = level[above[level] < 0]
        above[without] = above[nodes.parent[without]]
    return np.where(above >= 0, above, below)


def _rows(inputs: Float32Array, infoset: Int64Array) -> Float32Array:
    """The rows of infosets; zeros where there is none."""
    rows = inputs[infoset]
    rows[infoset < 0] = 0.0
    return rows
