"""k-means with the k-means++ start, in NumPy, the same for the same seed.

David Arthur and Sergei Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from __future__ import annotations

import numpy as np

from equilibrist.typing import FloatArray, Int64Array

_RESTARTS = 8
_ROUNDS = 100


def cluster(points: FloatArray, weights: FloatArray, k: int, seed: int) -> Int64Array:
    """Put points into at most k clusters with small squared distances to their means.

    Args:
        points: float64[n, d].
        weights: float64[n], how much each point counts, at least 0.
        k: The number of clusters, at least 1; there are fewer where fewer points differ.
        seed: The seed of the starts, of which the best of eight is taken.

    Returns:
        int64[n], the cluster of each point, numbered by first appearance.
    """
    rows = np.asarray(points, dtype=np.float64)
    distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    counted = np.bincount(inverse, weights=weights, minlength=len(distinct))
    mass: FloatArray = np.asarray(counted, dtype=np.float64)
    if len(distinct) <= k:
        return _numbered(inverse.astype(np.int64))
    # A trace of mass keeps the draws and the means of points without weight defined.
    mass = np.maximum(mass, 1e-12 * (mass.max() or 1.0))
    best, least = np.zeros(len(distinct), dtype=np.int64), np.inf
    for restart in range(_RESTARTS):
        random = np.random.default_rng([seed, restart])
        labels, cost = _lloyd(distinct, mass, _seeded(distinct, mass, k, random))
        if cost < least * (1 - 1e-12):
            best, least = labels, cost
    return _numbered(best[inverse])


def _seeded(
    points: FloatArray, mass: FloatArray, k: int, random: np.random.Generator
) -> FloatArray:
    """Means to start from: each next one drawn in proportion to mass times squared distance."""
    chosen = [int(random.choice(len(points), p=mass / mass.sum()))]
    nearest = squared_distances(points, points[chosen])[:, 0]
    while len(chosen) < k:
        chance = mass * nearest
        chosen.append(int(random.choice(len(points), p=chance / chance.sum())))
        nearest = np.minimum(nearest, squared_distances(points, points[chosen[-1:]])[:, 0])
    return points[chosen]


def _lloyd(points: FloatArray, mass: FloatArray, means: FloatArray) -> tuple[Int64Array, float]:
    """Assign and average until nothing changes; the clusters and their cost."""
    labels = np.full(len(points), -1, dtype=np.int64)
    for _ in range(_ROUNDS):
        distances = squared_distances(points, means)
        nearest = np.argmin(distances, axis=1)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        for cluster_number in np.unique(labels):
            inside = labels == cluster_number
            means[cluster_number] = np.average(points[inside], axis=0, weights=mass[inside])
    return labels, float(
        (mass * squared_distances(points, means)[np.arange(len(points)), labels]).sum()
    )


def squared_distances(points: FloatArray, means: FloatArray) -> FloatArray:
    """float64[n, k]: squared Euclidean distance of each point to each mean."""
    squares: FloatArray = ((points[:, None, :] - means[None, :, :]) ** 2).sum(axis=2)
    return squares


def _numbered(labels: Int64Array) -> Int64Array:
    """Renumber clusters by first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    numbered: Int64Array = rank[inverse.reshape(-1)]
    return numbered
