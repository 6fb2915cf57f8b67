"""The best clusters of numbers: k-means in one dimension, solved exactly."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel


@inner_kernel
def spread(weight, first, second, begin, end):
    """The weighted squared distances of numbers begin to end from their mean, by running sums."""
    held = weight[end] - weight[begin]
    moment = first[end] - first[begin]
    return second[end] - second[begin] - moment * moment / held


@kernel
def best_cuts(weight, first, second, num_clusters, cuts):
    """Write where the clusters begin, int64[num_clusters], so that the squares are fewest.

    weight, first, second: float64[n + 1], running sums of the weights of ascending numbers, of
    weight times number, and of weight times its square. The best last cut rises with the number of
    numbers that are clustered, so that halving finds a row in n log n steps. Returns the sum.
    """
    n = weight.shape[0] - 1
    begins = np.zeros((num_clusters, n + 1), np.int32)
    before = np.full(n + 1, np.inf)
    now = np.empty(n + 1)
    for end in range(1, n + 1):
        before[end] = spread(weight, first, second, 0, end)
    stack = np.empty((128, 4), np.int64)
    for k in range(1, num_clusters):
        now[:] = np.inf
        top = 0
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = k + 1, n, k, n - 1
        while top >= 0:
            low, high = stack[top, 0], stack[top, 1]
            least, most = stack[top, 2], stack[top, 3]
            top -= 1
            if low > high:
                continue
            middle = (low + high) // 2
            best, at = np.inf, least
            for begin in range(least, min(most, middle - 1) + 1):
                far = before[begin] + spread(weight, first, second, begin, middle)
                if far < best:
                    best, at = far, begin
            now[middle] = best
            begins[k, middle] = at
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = low, middle - 1, least, at
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = middle + 1, high, at, most
        before, now = now, before
    end = n
    for k in range(num_clusters - 1, -1, -1):
        end = begins[k, end] if k else 0
        cuts[k] = end
    return before[n]
