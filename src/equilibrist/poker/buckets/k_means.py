"""k-means++ and Lloyd's passes, with the same result for a seed on any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.buckets.nearest_centres import add_up, assign, come_closer
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import BoolArray, Int32Array, Int64Array, UInt16Array

_PART: Final = 8192
"""Points that one call of a kernel takes: some milliseconds, so that an interrupt takes effect."""


class Clusters(NamedTuple):
    """The best clusters that were found."""

    centres: UInt16Array
    """uint16[K, D], in the order of the sums of their numbers."""
    distance: int
    """The sum of the distances of all points to their centres, each times the point's weight."""


class Nearest(NamedTuple):
    """The nearest centre of each point."""

    label: Int32Array
    """int32[n]."""
    distance: Int64Array
    """int64[n]."""


def nearest(points: UInt16Array, centres: UInt16Array, *, squared: bool) -> Nearest:
    """The nearest centre of each point by L1, or by squared L2; the lowest of several."""
    label = np.empty(len(points), np.int32)
    distance = np.empty(len(points), np.int64)
    assign(points, centres, squared, label, distance)
    return Nearest(label, distance)


def k_means(
    points: UInt16Array,
    weight: Int64Array,
    clusters: int,
    *,
    squared: bool,
    seed: int,
    restarts: int,
    passes: int,
    threads: int,
    tell: Callable[[str], None] | None = None,
) -> Clusters:
    """Cluster points of small whole numbers, several times from different centres.

    Args:
        points: uint16[n, D]; the L1 distance of two fits in 16 bits.
        weight: int64[n], how often each point counts.
        clusters: The number of centres; fewer are found if fewer points differ.
        squared: Whether distances are squared L2; otherwise L1, which is EMD for running sums.
        seed: Seed of the first centres.
        restarts: How many times to begin.
        passes: The most passes of each.
        threads: Threads to work with.
        tell: Called with a line of progress before each pass.

    Returns:
        The clusters of the least distance.
    """
    best: Clusters | None = None
    for attempt in range(restarts):
        random = np.random.default_rng([seed, attempt])
        centres = _first_centres(points, weight, clusters, random, threads, squared=squared)
        label = None
        for turn in range(passes):
            if tell is not None:
                tell(f"start {attempt + 1} of {restarts}, pass {turn + 1} of at most {passes}")
            found, sums, held, far = _pass(points, weight, centres, threads, squared=squared)
            if best is None or far < best.distance:
                best = Clusters(centres, far)
            if label is not None and np.array_equal(found.label, label):
                break
            label = found.label
            centres = _moved(points, found.distance, sums, held)
    assert best is not None
    return best


def _pass(
    points: UInt16Array, weight: Int64Array, centres: UInt16Array, threads: int, *, squared: bool
) -> tuple[Nearest, Int64Array, Int64Array, int]:
    """The nearest centres, the sums and weights of the clusters, and the whole distance."""
    label = np.empty(len(points), np.int32)
    distance = np.empty(len(points), np.int64)

    def part(begin: int, end: int) -> tuple[Int64Array, Int64Array, int]:
        cut = slice(begin, end)
        sums = np.zeros(centres.shape, np.int64)
        held = np.zeros(len(centres), np.int64)
        assign(points[cut], centres, squared, label[cut], distance[cut])
        given = points[cut], weight[cut], label[cut], distance[cut]
        return sums, held, int(add_up(*given, sums, held))

    sums = np.zeros(centres.shape, np.int64)
    held = np.zeros(len(centres), np.int64)
    far = 0
    for some, some_held, some_far in in_parts(part, len(points), _PART, threads):
        sums += some
        held += some_held
        far += some_far
    return Nearest(label, distance), sums, held, far


def _moved(
    points: UInt16Array, distance: Int64Array, sums: Int64Array, held: Int64Array
) -> UInt16Array:
    """The means of the clusters, rounded; empty ones move to the points that are farthest off."""
    empty = held == 0
    kept = np.maximum(held, 1)[:, None]
    centres = ((2 * sums + kept) // (2 * kept)).astype(np.uint16)
    if empty.any():
        far = np.argsort(-distance, kind="stable")[: empty.sum()]
        centres[empty] = points[far]
    return _in_order(centres)


def _first_centres(
    points: UInt16Array,
    weight: Int64Array,
    clusters: int,
    random: np.random.Generator,
    threads: int,
    *,
    squared: bool,
) -> UInt16Array:
    """k-means++: each next centre is drawn by the squared distance to those chosen before."""
    distance = np.full(len(points), np.iinfo(np.int64).max)
    chance = weight.copy()
    chosen: list[int] = []
    for _ in range(clusters):
        running = np.cumsum(chance)
        if running[-1] == 0:
            break
        drawn = int(random.random() * float(running[-1]))
        chosen.append(int(np.searchsorted(running, drawn, side="right")))
        centre = points[chosen[-1]]

        def closer(begin: int, end: int, centre: UInt16Array = centre) -> None:
            come_closer(points[begin:end], centre, squared, distance[begin:end])

        for _done in in_parts(closer, len(points), 4 * _PART, threads):
            pass
        chance = weight * (distance if squared else distance * distance)
    return _in_order(points[chosen])


def _in_order(centres: UInt16Array) -> UInt16Array:
    """By the sums of their numbers, then by the numbers; each once."""
    by = np.lexsort((*centres.T[::-1], centres.sum(axis=1, dtype=np.int64)))
    ordered = centres[by]
    again: BoolArray = np.zeros(len(ordered), np.bool_)
    again[1:] = (ordered[1:] == ordered[:-1]).all(axis=1)
    kept: UInt16Array = np.ascontiguousarray(ordered[~again])
    return kept
