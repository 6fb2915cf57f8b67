"""Clusters of points of small whole numbers: the steps of k-means.

The centres are in the order of the sums of their numbers. Two points are at least as far apart as
their sums are (in L1; in L2 squared at least the square of that over the dimensions), so that a
search that begins at the sum of a point ends after a few centres. Everything is whole, so that
results do not depend on how points are split over threads.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel

_FAR = np.int64(1 << 60)


@inner_kernel
def manhattan(x, c):
    """The L1 distance of two points whose distance fits in 16 bits."""
    far = np.uint16(0)
    for d in range(x.shape[0]):
        far = np.uint16(far + np.uint16(max(x[d], c[d]) - min(x[d], c[d])))
    return np.int64(far)


@inner_kernel
def square(x, c):
    """The squared L2 distance of two points."""
    far = np.int32(0)
    for d in range(x.shape[0]):
        apart = np.int32(np.int32(x[d]) - np.int32(c[d]))
        far = np.int32(far + np.int32(apart * apart))
    return np.int64(far)


@inner_kernel
def at_least(apart, dims, squared):
    """A lower bound of the distance of two points whose sums are so far apart."""
    return -(-apart * apart // dims) if squared else apart


@kernel
def assign(points, centres, squared, label, distance):
    """Write the nearest centre of each point, the lowest of several, and its distance.

    points: uint16[n, D]. centres: uint16[K, D], in the order of their sums. squared: by squared L2
    instead of L1. label: uint16[n] or int32[n]. distance: int64[n].
    """
    dims, num_centres = points.shape[1], centres.shape[0]
    order = np.empty(num_centres, np.int64)
    for k in range(num_centres):
        order[k] = 0
        for d in range(dims):
            order[k] += np.int64(centres[k, d])
    for i in range(points.shape[0]):
        x = points[i]
        own = np.int64(0)
        for d in range(dims):
            own += np.int64(x[d])
        high = np.searchsorted(order, own)
        low = high - 1
        best, at = _FAR, -1
        while low >= 0 or high < num_centres:
            under = own - order[low] if low >= 0 else _FAR
            over = order[high] - own if high < num_centres else _FAR
            if at >= 0 and at_least(min(under, over), dims, squared) > best:
                break
            if under <= over:
                k = low
                low -= 1
            else:
                k = high
                high += 1
            far = square(x, centres[k]) if squared else manhattan(x, centres[k])
            if far < best or (far == best and k < at):
                best, at = far, k
        label[i] = at
        distance[i] = best


@kernel
def add_up(points, weight, label, distance, sums, held):
    """Add points to the sums of their clusters, int64[K, D], and weights to held, int64[K].

    Returns the sum of the distances, each times the weight, int64[n], of its point.

    label: int64[n], the cluster of each point. distance: int64[n], to the centre of it.
    """
    far = np.int64(0)
    for i in range(points.shape[0]):
        k = np.uintp(label[i])
        held[k] += weight[i]
        far += weight[i] * distance[i]
        for d in range(points.shape[1]):
            sums[k, d] += weight[i] * np.int64(points[i, d])
    return far


@kernel
def come_closer(points, centre, squared, distance):
    """Lower the distance of points, int64[n], to that of another centre where that is nearer."""
    for i in range(points.shape[0]):
        far = square(points[i], centre) if squared else manhattan(points[i], centre)
        distance[i] = min(distance[i], far)
