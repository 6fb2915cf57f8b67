"""k-means++ and Lloyd's passes, with the same result for a seed on any number of threads.

A pass moves each centre to where the sum of its cluster's distances is least: to the means by
squared L2, to the medians by L1, for which this is called k-medians. So no pass raises the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from equilibrist.kernels.buckets.cluster_medians import cluster_medians
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
        for turn in range(passes + 1):
            if tell is not None:
                stage = f"pass {turn + 1} of at most {passes}" if turn < passes else "distances"
                tell(f"start {attempt + 1} of {restarts}, {stage}")
            assigned = _assigned(points, weight, centres, threads, squared=squared)
            if best is None or assigned.total < best.distance:
                best = Clusters(centres, assigned.total)
            if turn == passes or (label is not None and np.array_equal(assigned.label, label)):
                break
            label = assigned.label
            centres = _moved(points, weight, centres, assigned, squared=squared)
    assert best is not None
    return best


class _Assigned(NamedTuple):
    """Points at their nearest centres."""

    label: Int32Array
    """int32[n]: the centre."""
    distance: Int64Array
    """int64[n]: how far off it is."""
    sums: Int64Array
    """int64[K, D]: the weighted sums of the points of each centre."""
    held: Int64Array
    """int64[K]: the weight of the points of each centre."""
    total: int
    """The sum of the distances, each times the weight of its point."""


def _assigned(
    points: UInt16Array, weight: Int64Array, centres: UInt16Array, threads: int, *, squared: bool
) -> _Assigned:
    label = np.empty(len(points), np.int32)
    distance = np.empty(len(points), np.int64)

    def part(begin: int, end: int) -> tuple[Int64Array, Int64Array, int]:
        cut = slice(begin, end)
        sums = np.zeros(centres.shape, np.int64)
        held = np.zeros(len(centres), np.int64)
        assign(points[cut], centres, squared, label[cut], distance[cut])
        inputs = points[cut], weight[cut], label[cut], distance[cut]
        return sums, held, int(add_up(*inputs, sums, held))

    sums = np.zeros(centres.shape, np.int64)
    held = np.zeros(len(centres), np.int64)
    total = 0
    for some, some_held, some_total in in_parts(part, len(points), _PART, threads):
        sums += some
        held += some_held
        total += some_total
    return _Assigned(label, distance, sums, held, total)


def _moved(
    points: UInt16Array,
    weight: Int64Array,
    centres: UInt16Array,
    assigned: _Assigned,
    *,
    squared: bool,
) -> UInt16Array:
    """The centres of the clusters' least distances; as many of them as before.

    A centre without points, and one that fell on another, moves to the point that is farthest from
    its centre, as long as there is a point that is not on its centre.
    """
    used = assigned.held > 0
    if squared:
        sums, held = assigned.sums[used], assigned.held[used, None]
        moved = ((2 * sums + held) // (2 * held)).astype(np.uint16)
    else:
        medians = centres.copy()
        cluster_medians(points, weight, assigned.label, medians)
        moved = medians[used]
    moved = _in_order(moved)
    missing = len(centres) - len(moved)
    if missing:
        far = np.argsort(-assigned.distance, kind="stable")[: np.count_nonzero(assigned.distance)]
        moved = _in_order(np.concatenate([moved, _new(points, far, moved, missing)]))
    return moved


def _new(points: UInt16Array, order: Int64Array, others: UInt16Array, count: int) -> UInt16Array:
    """The first `count` points, in an order, that differ from each other and from known ones."""
    seen = {row.tobytes() for row in others}
    chosen: list[int] = []
    for at in order.tolist():
        if len(chosen) == count:
            break
        row = points[at].tobytes()
        if row not in seen:
            seen.add(row)
            chosen.append(at)
    return points[chosen]


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
        # k-means++ draws by squared distances: L1 ones are squared here, L2 ones are already.
        chance = weight * (distance if squared else distance * distance)
    return _in_order(points[chosen])


def _in_order(centres: UInt16Array) -> UInt16Array:
    """Sort centres by the sums of their numbers, then by the numbers; equal ones are merged."""
    by = np.lexsort((*centres.T[::-1], centres.sum(axis=1, dtype=np.int64)))
    ordered = centres[by]
    again: BoolArray = np.zeros(len(ordered), np.bool_)
    again[1:] = (ordered[1:] == ordered[:-1]).all(axis=1)
    distinct: UInt16Array = np.ascontiguousarray(ordered[~again])
    return distinct
