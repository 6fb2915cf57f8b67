"""Potential-aware buckets: hands by the buckets that the next card leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.kernels.buckets.hand_orbits import spread_labels
from equilibrist.kernels.buckets.histograms import successors
from equilibrist.kernels.buckets.transport import (
    add_distributions,
    assign_distributions,
    distances_of_distributions,
)
from equilibrist.poker.buckets.board_hands import BoardHands
from equilibrist.poker.buckets.card_buckets import no_bucket
from equilibrist.poker.buckets.k_means import k_means, nearest
from equilibrist.poker.buckets.next_boards import HAND_IMAGES, next_street
from equilibrist.poker.buckets.points import HistogramPoints, Points, hands_in_parts, sampled
from equilibrist.poker.buckets.river_hands import BINS
from equilibrist.poker.buckets.spec import BucketSpec
from equilibrist.poker.buckets.street_buckets import (
    StreetBuckets,
    Tell,
    Totals,
    empty_rows,
    without_empty,
)
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import Int32Array, Int64Array, UInt16Array

FINE: Final = 1000
"""Parts of a bin of equity in which distances are counted."""
UNIT: Final = 1000
"""The mass of a next card: centres have whole masses that add up to that of all cards."""
_PART: Final = 2048


class Ground(NamedTuple):
    """How far the buckets of the next street are from each other."""

    place: Int64Array
    """int64[K]: a number for each; two of them are at most as far apart as the buckets."""
    distance: Int64Array
    """int64[K, K], in FINE parts of a bin."""
    order: UInt16Array
    """uint16[K, K]: all buckets, the nearest to each first."""


def ground_of(streets: Sequence[StreetBuckets | None], street: int, spec: BucketSpec) -> Ground:
    """The distances between the mean hands of the buckets of a street: EMD in bins of equity.

    For histograms it is that of the centres; for buckets by equity the difference of the mean
    equities; for OCHS the root of the mean squared difference of the centres.
    """
    built, kind = streets[street], spec.kinds[street]
    assert built is not None
    if kind == "histogram":
        place, distance = _between_histograms(built)
    elif kind == "ochs":
        place, distance = _between_groups(built)
    elif kind == "potential":
        following = ground_of(streets, street + 1, spec)
        masses = built.centres.astype(np.int64)
        total = int(masses[0].sum())
        one_way = np.empty((len(masses), len(masses)), np.int64)
        distances_of_distributions(masses, masses, following.order, following.distance, one_way)
        distance = (one_way + one_way.T) // (2 * total)
        place = masses @ following.place // total
    else:
        place = np.rint(built.equity * BINS * FINE).astype(np.int64)
        distance = np.abs(place[:, None] - place)
    order = np.argsort(distance, axis=1, kind="stable").astype(np.uint16)
    return Ground(place, distance, order)


def _between_histograms(built: StreetBuckets) -> tuple[Int64Array, Int64Array]:
    centres = built.centres.astype(np.int64)
    whole = max(1, round(built.unit))
    distance = np.stack([np.abs(centres - centre).sum(axis=1) for centre in centres])
    return -(FINE * centres.sum(axis=1)) // whole, FINE * distance // whole


def _between_groups(built: StreetBuckets) -> tuple[Int64Array, Int64Array]:
    centres = built.centres / built.unit * BINS * FINE
    square = ((centres[:, None] - centres) ** 2).mean(axis=2)
    return centres.mean(axis=1).astype(np.int64), np.sqrt(square).astype(np.int64)


class _Following:
    """The next street's buckets of hands on boards."""

    def __init__(self, street: int, size: int, spec: BucketSpec, rows: Any) -> None:
        self._size, self._lowest_rank, self._rows = size, spec.lowest_rank, rows
        deck = NUM_CARDS - 4 * spec.lowest_rank
        self.dealt, self.live = deck - size, deck - size - 2

    def points(self, hands: BoardHands, begin: int) -> UInt16Array:
        """uint16[m, cards]: the bucket after each next card."""
        boards = next_street(self._size, self._lowest_rank, begin, begin + len(hands.boards))
        buckets = np.empty((len(hands.wanted), self.dealt), np.uint16)
        successors(
            self._rows, HAND_IMAGES, boards.places, boards.permutations, boards.runs, hands.wanted,
            hands.starts, buckets,
        )  # fmt: skip
        return buckets


def potential_buckets(
    source: HistogramPoints,
    street: int,
    spec: BucketSpec,
    streets: Sequence[StreetBuckets | None],
    threads: int,
    tell: Tell,
) -> StreetBuckets:
    """Buckets of a flop or turn by greedy transport between next buckets.

    k-means begins with the clusters of the same sample by histograms.
    """
    following = streets[street + 1]
    assert following is not None
    ground = ground_of(streets, street + 1, spec)
    view = _Following(street, source.size, spec, following.rows)
    centres = _centres(source, view, ground, street, spec, threads, tell)
    boards, hands_of, length = hands_in_parts(source.size, source.lowest_rank)
    rows = empty_rows(boards, len(centres))
    totals = Totals(len(centres))

    def part(begin: int, end: int) -> tuple[BoardHands, Points, Int32Array, Int64Array]:
        hands = hands_of(begin, end)
        label, far = _nearest(view.points(hands, begin), centres, ground)
        cut = rows[begin:end]
        spread_labels(hands.lowest, hands.wanted, hands.starts, label, no_bucket(rows), cut)
        return hands, source.points(hands, begin), label, far

    for k, (hands, points, label, far) in enumerate(in_parts(part, boards, length, threads)):
        totals.add(label, hands.weight, points.equity, float((far * hands.weight).sum()))
        tell("assigning all hands", min(1.0, (k + 1) * length / boards))
    unit = float(FINE * UNIT * view.live)
    distance = totals.far / float(totals.size.sum()) / unit
    made_centres = centres.astype(np.uint16)
    return without_empty(totals.street(rows, source.whole_equity, distance, made_centres, unit))


def _centres(
    source: HistogramPoints,
    view: _Following,
    ground: Ground,
    street: int,
    spec: BucketSpec,
    threads: int,
    tell: Tell,
) -> Int64Array:
    """int64[C, K]: the masses of the centres, in the order of their places."""
    both = _Both(source, view)
    parts = list(sampled(both, street, spec.sample // 4, spec.seed, threads))
    bins = np.concatenate([part.points[:, : BINS - 1] for part, _ in parts])
    points = np.concatenate([part.points[:, BINS - 1 :] for part, _ in parts])
    weight = np.concatenate([weights for _, weights in parts])
    started = k_means(
        np.ascontiguousarray(bins), weight, spec.counts[street], squared=False, seed=spec.seed,
        restarts=spec.restarts, passes=spec.passes, threads=threads,
        tell=lambda text: tell(f"k-means of histograms: {text}", None),
    )  # fmt: skip
    points = np.ascontiguousarray(points)
    label = nearest(np.ascontiguousarray(bins), started.centres, squared=False).label
    buckets = len(ground.place)
    best, least = np.zeros((0, buckets), np.int64), -1
    distance = np.zeros(len(points), np.int64)
    for turn in range(spec.passes):
        tell(f"k-means: pass {turn + 1} of at most {spec.passes}", None)
        centres = _moved(points, weight, label, distance, view.live, ground)

        def part(
            begin: int, end: int, centres: Int64Array = centres
        ) -> tuple[Int32Array, Int64Array]:
            return _nearest(points[begin:end], centres, ground)

        assigned = list(in_parts(part, len(points), _PART, threads))
        new = np.concatenate([labels for labels, _ in assigned])
        distance = np.concatenate([far for _, far in assigned])
        total = int((distance // UNIT * weight).sum())
        # The greedy transport is no metric: a pass may end farther off than the one before.
        if least < 0 or total < least:
            best, least = centres, total
        if turn and np.array_equal(new, label):
            break
        label = new
    return best


class _Both:
    """Histograms and next buckets of a hand in one row, for `sampled`."""

    squared = False
    falls = True

    def __init__(self, source: HistogramPoints, view: _Following) -> None:
        self._source, self._view = source, view
        self.size, self.lowest_rank, self.unit = source.size, source.lowest_rank, source.unit
        self.whole_equity = source.whole_equity

    def points(self, hands: BoardHands, begin: int) -> Points:
        """The histograms and the next buckets of hands, side by side in a row for each hand."""
        histograms = self._source.points(hands, begin)
        return Points(
            np.hstack([histograms.points, self._view.points(hands, begin)]), histograms.equity
        )


def _nearest(
    points: UInt16Array, centres: Int64Array, ground: Ground
) -> tuple[Int32Array, Int64Array]:
    label, distance = np.empty(len(points), np.int32), np.empty(len(points), np.int64)
    assign_distributions(
        points, UNIT, centres, ground.place, ground.order, ground.distance, label, distance
    )
    return label, distance


def _moved(
    points: UInt16Array,
    weight: Int64Array,
    label: Int32Array,
    distance: Int64Array,
    live: int,
    ground: Ground,
) -> Int64Array:
    """The means of the clusters, with whole masses; empty ones move to the farthest points."""
    clusters, buckets = int(label.max()) + 1, len(ground.place)
    sums, held = np.zeros((clusters, buckets), np.int64), np.zeros(clusters, np.int64)
    add_distributions(points, weight, label, sums, held)
    for cluster, point in zip(
        np.flatnonzero(held == 0), np.argsort(-distance, kind="stable"), strict=False
    ):
        sums[cluster] = np.bincount(points[point][points[point] < buckets], minlength=buckets)
        held[cluster] = 1
    running = np.cumsum(sums, axis=1) * UNIT
    half = held[:, None] // 2
    # Running sums are rounded, not the masses, so that these add up to the whole mass exactly.
    masses = np.diff((running + half) // held[:, None], axis=1, prepend=0)
    order = np.argsort(masses @ ground.place, kind="stable")
    assert (masses.sum(axis=1) == UNIT * live).all()
    return np.ascontiguousarray(masses[order])
