"""The preorder pass over a walk: the sequence above each infoset and each terminal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.tree.walk.histories import Walk
from equilibrist.typing import FloatArray, Int32Array


class Linked(NamedTuple):
    """Sequences and terminals of a walk: raw sequences, infosets by first visit, L terminals."""

    offset: Int32Array  # [I + 1]
    parent_sequence: Int32Array  # [I], -1 for the empty sequence
    leaf_sequence: Int32Array  # [L, P], -1 for empty sequences
    leaf_probability: FloatArray  # [L]
    depth: int
    bad_node: int  # -1, or a node where perfect recall fails


def link_walk(walk: Walk) -> Linked:
    """Run the preorder pass; imperfect recall is reported in `bad_node`, not raised."""
    from equilibrist.kernels.tree import build

    counts = np.array([len(legal) for legal in walk.labels], dtype=np.int32)
    offset = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=offset[1:])
    leaves = len(walk.payoff)
    parent_sequence = np.empty(len(counts), dtype=np.int32)
    leaf_sequence = np.empty((leaves, walk.num_players), dtype=np.int32)
    leaf_probability = np.empty(leaves)
    shape = np.zeros(2, dtype=np.int64)
    levels = 64
    while True:
        parent_sequence[:] = -2
        status = build.link(
            walk.parent,
            walk.infoset,
            walk.owner,
            offset,
            walk.chance_count,
            walk.chance_probability,
            np.empty(levels, dtype=np.int32),
            np.empty(levels, dtype=np.int32),
            np.empty(levels, dtype=np.int64),
            np.empty(levels),
            np.empty((levels, walk.num_players), dtype=np.int32),
            parent_sequence,
            leaf_sequence,
            leaf_probability,
            shape,
        )
        if status == build.OK:
            break
        levels *= 4
    return Linked(
        offset, parent_sequence, leaf_sequence, leaf_probability, int(shape[0]), int(shape[1])
    )
