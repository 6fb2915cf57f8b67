"""Buckets of hands by one number each: exact k-means in one dimension, or equal shares."""

from __future__ import annotations

import numpy as np

from equilibrist.kernels.buckets.one_dimension import best_cuts
from equilibrist.typing import Int32Array, Int64Array


def cut_levels(weight: Int64Array, clusters: int, kind: str) -> Int32Array:
    """The bucket of each level, in ascending order.

    Args:
        weight: int64[L], how many hands have each level.
        clusters: The number of buckets; there are fewer if fewer levels occur.
        kind: `equity` for the least squared distances of the levels within the buckets, `quantile`
            for equal shares of the hands.

    Returns:
        int32[L]; a level that does not occur has the bucket of the next lower one, or 0.
    """
    levels = np.flatnonzero(weight)
    held = weight[levels]
    clusters = min(clusters, len(levels))
    bucket = np.zeros(len(weight), np.int32)
    if kind == "quantile":
        middle = 2 * np.cumsum(held) - held  # twice the place of the level's middle
        placed = middle * clusters // (2 * int(held.sum()))
        bucket[levels] = np.unique(placed, return_inverse=True)[1]
    else:
        weights, first, second = (
            np.concatenate([[0.0], np.cumsum(held * levels.astype(float) ** k)]) for k in range(3)
        )
        cuts = np.empty(clusters, np.int64)
        best_cuts(weights, first, second, clusters, cuts)
        bucket[levels[cuts[1:]]] = 1
        return np.cumsum(bucket).astype(np.int32)
    return np.maximum.accumulate(bucket)
