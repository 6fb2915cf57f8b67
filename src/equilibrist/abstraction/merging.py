"""The tree of a game in which infosets are merged: the same histories, fewer infosets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.tree.compile import GameTree


def merged_tree(abstraction: Abstraction) -> GameTree:
    """Compile the merged infosets into the same tree.

    Histories, chance and payoffs are those of the full game; the infosets are the abstract ones, in
    the same order, so that `Abstraction.lift` takes strategies of this tree. Nothing is walked
    again.

    Args:
        abstraction: The map.

    Returns:
        The tree; that of the full game itself where nothing is merged.
    """
    tree = abstraction.tree
    if abstraction.is_identity:
        return tree
    walk = tree.walk
    abstract_of_walk = abstraction.abstract_of[tree.public_of_walk]
    # Walks number infosets by first visit, which a depth-first order of infosets shows as well.
    _, first = np.unique(abstract_of_walk, return_index=True)
    order = np.argsort(first)
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    infoset = walk.infoset.copy()
    inner = infoset >= 0
    infoset[inner] = number[abstract_of_walk[infoset[inner]]]
    owner = np.ascontiguousarray(abstraction.infoset_player[order])
    # As those of a walk are, so that kernels are compiled for one kind.
    infoset.flags.writeable = owner.flags.writeable = False
    merged = replace(
        walk,
        infoset=infoset,
        keys=[abstraction.keys[k] for k in order.tolist()],
        owner=owner,
        labels=[abstraction.action_labels[k] for k in order.tolist()],
    )
    return GameTree(tree.game, merged)
