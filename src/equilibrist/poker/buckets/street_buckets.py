"""The buckets of one street: the row of each canonical board, and what is known of each bucket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.buckets.hand_orbits import spread_labels
from equilibrist.kernels.buckets.one_dimension import best_cuts
from equilibrist.poker.buckets.board_hands import BoardHands, deck_hands, hands_on
from equilibrist.poker.buckets.card_buckets import no_bucket
from equilibrist.poker.buckets.k_means import k_means, nearest
from equilibrist.poker.buckets.points import (
    WHOLE,
    Points,
    PointSource,
    class_points,
    hands_in_parts,
    sampled,
)
from equilibrist.poker.buckets.river_hands import PART, RiverHands
from equilibrist.poker.buckets.spec import LOSSLESS, MOST_BUCKETS, BucketSpec
from equilibrist.poker.cards.canonical_boards import number_of_boards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_CLASSES, NUM_COMBOS
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt8Array, UInt16Array


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


Tell = Callable[[str, float | None], None]
"""Receives what is done now and, where it is known, which share of it."""
GROUPS: Final = 8
"""Groups of opponents' hands for buckets by OCHS."""
_LEVELS: Final = 1 << 16
"""Levels into which equities before the river are sorted for buckets by equity."""


class StreetBuckets(NamedTuple):
    """The buckets of a street."""

    rows: NDArray[Any]
    """uint16[B, 1326], or int32 for more than 65,535 buckets: the bucket of each hand on each
    canonical board; 65535 or -1 where the hand is not dealt."""
    size: Int64Array
    """int64[K]: how many pairs of a board and a hand each bucket has."""
    equity: FloatArray
    """float64[K]: the mean equity of its hands against a random hand."""
    distance: float | None
    """How far a hand is from the centre of its bucket: the mean EMD in bins of 1/50 (histogram,
    potential), the root mean square of the equity (equity, quantile) or of the equities against the
    groups of opponents' hands (ochs); None where there is none."""
    spread: float | None
    """The root mean square of a hand's equity from the mean of its bucket, whatever the kind; None
    where every hand has a bucket of its own."""
    centres: UInt16Array
    """uint16[K, D]: the centres, in the order of the buckets; uint16[0, 0] where there are none."""
    unit: float = 1.0
    """What distances of centres are divided by to be in the unit of `distance`."""


def empty_rows(boards: int, buckets: int) -> NDArray[Any]:
    """Rows without content for so many boards and buckets."""
    return np.empty((boards, NUM_COMBOS), np.uint16 if buckets <= MOST_BUCKETS else np.int32)


def _none() -> UInt16Array:
    return np.zeros((0, 0), np.uint16)


class Totals:
    """Sums over the hands of each bucket."""

    def __init__(self, buckets: int) -> None:
        self.size = np.zeros(buckets, np.int64)
        self.equity = np.zeros(buckets)
        self.squares = 0.0
        self.far = 0.0

    def add(
        self, label: NDArray[Any], weight: Int64Array, equity: Int64Array, far: float = 0.0
    ) -> None:
        """Add hands with their buckets, weights and equities, and the sum of their distances."""
        count = len(self.size)  # all of them whole numbers below 2**53: any order gives the same
        self.size += np.bincount(label, weight, count).astype(np.int64)
        self.equity += np.bincount(label, weight * equity, count)
        # Not whole numbers, but the parts come in order.
        self.squares += float((weight * equity.astype(np.float64) ** 2).sum())
        self.far += far

    def street(
        self,
        rows: NDArray[Any],
        whole: int,
        distance: float | None,
        centres: UInt16Array,
        unit: float = 1.0,
    ) -> StreetBuckets:
        """The street with these totals."""
        mean = self.equity / np.maximum(self.size, 1) / whole
        spread = None
        if distance is not None:
            within = self.squares / whole**2 - float((self.size * mean**2).sum())
            spread = max(0.0, within / float(self.size.sum())) ** 0.5
        return StreetBuckets(rows, self.size, mean, distance, spread, centres, unit)


def preflop_buckets(spec: BucketSpec, river: RiverHands, threads: int) -> StreetBuckets:
    """The buckets before the flop."""
    points, equity, weight, dealt = class_points(river.classes(threads))
    whole = river.whole * number_of_boards_of_a_hand(spec.lowest_rank)
    label, distance, centres = np.arange(len(dealt)), None, _none()
    if spec.kinds[0] == "histogram":
        label, distance, centres = preflop_groups(points, weight, spec.counts[0], spec)
    elif spec.kinds[0] != LOSSLESS:
        levels = equity * _LEVELS // whole
        held = np.bincount(levels, weight, _LEVELS + 1).astype(np.int64)
        cut = cut_levels(held, spec.counts[0], spec.kinds[0])
        label, distance = cut[levels].astype(np.int64), _spread(held, cut)
    totals = Totals(int(label.max()) + 1)
    totals.add(label, weight, equity)
    rows = empty_rows(1, len(totals.size))
    rows[:] = no_bucket(rows)
    of_class = np.zeros(NUM_CLASSES, np.int64)
    of_class[dealt] = label
    combos = deck_hands(spec.lowest_rank).combo
    rows[0, combos] = of_class[CLASS_OF_COMBO[combos]]
    return totals.street(rows, whole, distance, centres)


def number_of_boards_of_a_hand(lowest_rank: int) -> int:
    """The boards of five cards that one hand may meet."""
    return number_of_boards(5, lowest_rank) * hands_on(5, lowest_rank) // hands_on(0, lowest_rank)


class PreflopGroups(NamedTuple):
    """Clusters of K hand classes, the weakest first."""

    label: Int64Array
    """int64[K]: the cluster of each class."""
    distance: float
    """The mean distance of a combo from its centre, by EMD."""
    centres: UInt16Array
    """uint16[clusters, D]."""


def preflop_groups(
    points: UInt16Array, weight: Int64Array, groups: int, spec: BucketSpec
) -> PreflopGroups:
    """Cluster hand classes by EMD.

    Args:
        points: uint16[K, D]: running sums of the histograms.
        weight: int64[K]: combos of each class.
        groups: The number of clusters; fewer if fewer points differ.
        spec: The buckets, for its seed and restarts.

    Returns:
        The clusters, the weakest first.
    """
    options: Any = {"seed": spec.seed, "restarts": max(spec.restarts, 20), "passes": 100}
    clusters = k_means(points, weight, groups, squared=False, threads=1, **options)
    near = nearest(points, clusters.centres, squared=False)
    used, label = np.unique(near.label, return_inverse=True)  # a last pass may empty a centre
    far = float((near.distance * weight).sum()) / float(weight.sum()) / WHOLE
    return PreflopGroups(len(used) - 1 - label, far, clusters.centres[used][::-1].copy())


def opponent_groups(spec: BucketSpec, river: RiverHands, threads: int) -> UInt8Array:
    """uint8[169]: the group of each class of hands, by EMD, the weakest first (OCHS)."""
    classes = class_points(river.classes(threads))
    groups = np.zeros(NUM_CLASSES, np.uint8)
    clusters = preflop_groups(classes.points, classes.weight, GROUPS, spec)
    groups[classes.classes] = clusters.label
    return groups


def lossless_buckets(source: PointSource, threads: int, tell: Tell) -> StreetBuckets:
    """A bucket for every hand, in the order of the canonical boards."""
    boards, hands_of, length = hands_in_parts(source.size, source.lowest_rank)
    begins = [0]
    for count in in_parts(lambda a, b: len(hands_of(a, b).wanted), boards, length, threads):
        begins.append(begins[-1] + count)
    rows = empty_rows(boards, begins[-1])
    totals = Totals(begins[-1])

    def part(begin: int, end: int) -> tuple[BoardHands, Points]:
        hands = hands_of(begin, end)
        return hands, source.points(hands, begin)

    for k, (hands, points) in enumerate(in_parts(part, boards, length, threads)):
        label = np.arange(begins[k], begins[k + 1], dtype=np.int32)
        cut = rows[k * length : k * length + len(hands.boards)]
        spread_labels(hands.lowest, hands.wanted, hands.starts, label, no_bucket(rows), cut)
        totals.size[label] = hands.weight
        totals.equity[label] = hands.weight * points.equity
        tell("numbering all hands", begins[k + 1] / begins[-1])
    return totals.street(rows, source.whole_equity, None, _none())


def clustered_buckets(
    source: PointSource, street: int, spec: BucketSpec, threads: int, tell: Tell
) -> StreetBuckets:
    """Buckets by k-means: of a sample, then the nearest centre of every hand."""
    parts = list(_reporting(sampled(source, street, spec.sample, spec.seed, threads), source, tell))
    points = np.concatenate([part.points for part, _ in parts])
    weight = np.concatenate([weights for _, weights in parts])
    clusters = k_means(
        points, weight, spec.counts[street], squared=source.squared, seed=spec.seed,
        restarts=spec.restarts, passes=spec.passes, threads=threads,
        tell=lambda text: tell(f"k-means: {text}", None),
    )  # fmt: skip
    centres = clusters.centres
    last = len(centres) - 1
    boards, hands_of, length = hands_in_parts(source.size, source.lowest_rank)
    rows = empty_rows(boards, len(centres))
    totals = Totals(len(centres))

    def part(begin: int, end: int) -> tuple[BoardHands, Points, Int32Array, Int64Array]:
        hands = hands_of(begin, end)
        part_points = source.points(hands, begin)
        near = nearest(part_points.points, centres, squared=source.squared)
        label = (last - near.label if source.falls else near.label).astype(np.int32)
        cut = rows[begin:end]
        spread_labels(hands.lowest, hands.wanted, hands.starts, label, no_bucket(rows), cut)
        return hands, part_points, label, near.distance

    for k, (hands, part_points, label, far) in enumerate(in_parts(part, boards, length, threads)):
        totals.add(label, hands.weight, part_points.equity, float((far * hands.weight).sum()))
        tell("assigning all hands", min(1.0, (k + 1) * length / boards))
    mean = totals.far / float(totals.size.sum())
    distance = (
        (mean / centres.shape[1]) ** 0.5 / source.unit if source.squared else mean / source.unit
    )
    ordered = centres[::-1].copy() if source.falls else centres
    return without_empty(totals.street(rows, source.whole_equity, distance, ordered, source.unit))


def without_empty(street: StreetBuckets) -> StreetBuckets:
    """The street without buckets that no hand fell into, the others numbered anew in their order.

    A centre may be the nearest one of no hand: ties go to another, and a sample has other hands.
    """
    used = street.size > 0
    if used.all():
        return street
    number = np.full(len(used) + 1, no_bucket(street.rows), street.rows.dtype)
    number[:-1][used] = np.arange(np.count_nonzero(used), dtype=street.rows.dtype)
    for row in street.rows:  # those that are not dealt have the largest number, or -1
        row[:] = number[np.minimum(row, len(used))]
    return street._replace(
        size=street.size[used], equity=street.equity[used], centres=street.centres[used].copy()
    )


def _reporting(parts: Any, source: PointSource, tell: Tell) -> Any:
    boards, _, length = hands_in_parts(source.size, source.lowest_rank)
    for k, part in enumerate(parts):
        yield part
        tell("sampling", min(1.0, (k + 1) * length / boards))


def levelled_buckets(
    source: PointSource, street: int, spec: BucketSpec, threads: int, tell: Tell
) -> StreetBuckets:
    """Buckets by equity on the flop or the turn."""
    boards, hands_of, length = hands_in_parts(source.size, source.lowest_rank)
    whole = source.whole_equity

    def weigh(begin: int, end: int) -> Int64Array:
        hands = hands_of(begin, end)
        levels = source.points(hands, begin).equity * _LEVELS // whole
        return np.bincount(levels, hands.weight, _LEVELS + 1).astype(np.int64)

    held = np.zeros(_LEVELS + 1, np.int64)
    for k, some in enumerate(in_parts(weigh, boards, length, threads)):
        held += some
        tell("weighing equities", min(1.0, (k + 1) * length / boards))
    bucket_of = cut_levels(held, spec.counts[street], spec.kinds[street])
    rows = empty_rows(boards, spec.counts[street])
    totals = Totals(int(bucket_of.max()) + 1)

    def part(begin: int, end: int) -> tuple[Int32Array, Int64Array, Int64Array]:
        hands = hands_of(begin, end)
        equity = source.points(hands, begin).equity
        label = bucket_of[equity * _LEVELS // whole]
        cut = rows[begin:end]
        spread_labels(hands.lowest, hands.wanted, hands.starts, label, no_bucket(rows), cut)
        return label, hands.weight, equity

    for k, assigned in enumerate(in_parts(part, boards, length, threads)):
        totals.add(*assigned)
        tell("assigning all hands", min(1.0, (k + 1) * length / boards))
    return totals.street(rows, whole, _spread(held, bucket_of), _none())


def river_buckets_by_equity(
    spec: BucketSpec, river: RiverHands, threads: int, tell: Tell
) -> StreetBuckets:
    """Buckets by equity on the river: a table of the equities' buckets does."""
    held = river.levels(threads)
    bucket_of = cut_levels(held, spec.counts[3], spec.kinds[3])
    totals = Totals(int(bucket_of.max()) + 1)
    totals.add(bucket_of, held, np.arange(len(held)))
    rows = empty_rows(len(river.equities), len(totals.size))
    table = np.append(bucket_of, no_bucket(rows)).astype(rows.dtype)

    def part(begin: int, end: int) -> None:
        np.take(table, river.equities[begin:end], out=rows[begin:end], mode="clip")

    for k, _ in enumerate(in_parts(part, len(rows), PART, threads)):
        tell("assigning all hands", min(1.0, (k + 1) * PART / len(rows)))
    return totals.street(rows, river.whole, _spread(held, bucket_of), _none())


def _spread(held: Int64Array, bucket_of: Int32Array) -> float:
    """The root of the mean squared difference of equities from their buckets' means."""
    levels = np.arange(len(held)) / (len(held) - 1)
    size = np.bincount(bucket_of, held)
    mean = np.bincount(bucket_of, held * levels) / np.maximum(size, 1)
    squares = (held * (levels - mean[bucket_of]) ** 2).sum()
    return float((squares / held.sum()) ** 0.5)
