"""Blocks at random: sets of a player's infosets that are closed downwards, as patterns of keys."""

from __future__ import annotations

import numpy as np

from equilibrist.grafting.blocks import JOINS, infosets_above
from equilibrist.tree.compile import GameTree


def closed_blocks(tree: GameTree, seed: int, count: int, share: float = 0.3) -> list[str]:
    """`count` disjoint blocks at most, none of them empty; each a list of keys."""
    random = np.random.default_rng(seed)
    above = infosets_above(tree)
    block = np.full(tree.num_infosets, -1)
    for infoset in range(tree.num_infosets):  # in public order, earlier infosets first
        if above[infoset] >= 0 and block[above[infoset]] >= 0:
            block[infoset] = block[above[infoset]]
        elif random.random() < share:
            block[infoset] = random.integers(count)
    return [
        JOINS.join(tree.infoset_keys[i] for i in np.flatnonzero(block == k))
        for k in sorted({*block.tolist()} - {-1})
    ]
