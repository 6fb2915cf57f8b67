"""Medians of clusters of points of small whole numbers, one coordinate at a time.

The sum of the L1 distances of a cluster's points to its centre is least where every coordinate of
the centre is a weighted median of that coordinate of the points. Medians of running sums ascend, so
that the centre of histograms is the running sum of a histogram, too.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel


@kernel
def cluster_medians(points, weight, label, medians):
    """Write the weighted median of each coordinate of each cluster, rounded down.

    Where half of the weight lies on either side of a gap, it is the middle of the gap.

    points: uint16[n, D]. weight: int64[n], above 0. label: int32[n], clusters. medians:
    uint16[K, D]; rows of clusters without points are left as they are.
    """
    num_points, num_clusters = points.shape[0], medians.shape[0]
    begins = np.zeros(num_clusters + 1, np.int64)
    largest = 0
    for i in range(num_points):
        begins[label[i] + 1] += 1
        for d in range(points.shape[1]):
            largest = max(largest, np.int64(points[i, d]))
    for k in range(num_clusters):
        begins[k + 1] += begins[k]
    free = begins[:num_clusters].copy()
    members = np.empty(num_points, np.int64)
    for i in range(num_points):
        members[free[label[i]]] = i
        free[label[i]] += 1
    held = np.zeros(largest + 1, np.int64)  # the weight of each value of a coordinate
    for k in range(num_clusters):
        if begins[k] == begins[k + 1]:
            continue
        for d in range(points.shape[1]):
            total = np.int64(0)
            low, high = np.int64(largest), np.int64(0)
            for j in range(begins[k], begins[k + 1]):
                value = np.int64(points[members[j], d])
                held[value] += weight[members[j]]
                total += weight[members[j]]
                low, high = min(low, value), max(high, value)
            lower = np.int64(-1)
            upper = np.int64(-1)
            below = np.int64(0)
            for value in range(low, high + 1):
                below += held[value]
                held[value] = 0
                if lower < 0 and 2 * below >= total:
                    lower = value
                if upper < 0 and 2 * below > total:
                    upper = value
            medians[k, d] = (lower + upper) // 2
