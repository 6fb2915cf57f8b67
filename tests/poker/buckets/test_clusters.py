"""k-means of points and of numbers, against the plain definitions."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from equilibrist.poker.buckets.k_means import k_means, nearest
from equilibrist.poker.buckets.street_buckets import cut_levels


def points_of(random, number, dims=49):
    """Running sums of random histograms."""
    return (np.sort(random.integers(0, 1338, (number, dims)), axis=1)).astype(np.uint16)


@pytest.mark.parametrize("squared", [False, True])
def test_the_nearest_centre_is_that_of_all_distances(squared):
    random = np.random.default_rng(3)
    points = points_of(random, 500)
    centres = points_of(random, 40)
    centres[7] = centres[6]  # of equal ones the first
    centres = centres[np.argsort(centres.sum(axis=1, dtype=int), kind="stable")]
    found = nearest(points, centres, squared=squared)
    apart = points[:, None].astype(int) - centres[None].astype(int)
    far = (apart**2 if squared else np.abs(apart)).sum(axis=2)
    np.testing.assert_array_equal(found.distance, far.min(axis=1))
    np.testing.assert_array_equal(found.label, far.argmin(axis=1))


OPTIONS: dict[str, Any] = {"squared": False, "restarts": 3, "passes": 30}


def test_separate_clouds_are_found():
    random = np.random.default_rng(4)
    middles = np.array([100, 500, 1200])
    near = random.integers(-20, 21, (300, 49))
    points = (np.repeat(middles, 100)[:, None] + near).astype(np.uint16)
    found = k_means(points, np.ones(300, np.int64), 3, seed=0, threads=1, **OPTIONS)
    label = nearest(points, found.centres, squared=False).label
    np.testing.assert_array_equal(label, np.repeat([0, 1, 2], 100))
    for k, centre in enumerate(found.centres):
        median = np.median(points[100 * k : 100 * k + 100], axis=0)
        assert np.abs(centre - median).max() <= 0.5
    apart = np.abs(points.astype(int) - found.centres[label].astype(int))
    assert found.distance == apart.sum()


@pytest.mark.parametrize("squared", [False, True])
def test_every_pass_lowers_the_distance_and_ends_where_no_centre_can_move(squared):
    """L1 needs medians: means left the sum at that of the first draw, pass after pass."""
    random = np.random.default_rng(8)
    shapes = random.dirichlet(np.full(50, 0.05), 2000)[:, :49]  # a few bins hold nearly all
    points = (1337 * np.cumsum(shapes, axis=1)).astype(np.uint16)
    weight = random.integers(1, 40, 2000)
    runs = [
        k_means(points, weight, 12, squared=squared, seed=0, restarts=1, passes=passes, threads=1)
        for passes in (1, 2, 3, 5, 8, 200)
    ]
    distances = [found.distance for found in runs]
    assert distances == sorted(distances, reverse=True)
    assert distances[0] > distances[1] > distances[3] > distances[-1]
    centres = runs[-1].centres
    assert len(centres) == 12
    assert (np.diff(centres.astype(int), axis=1) >= 0).all()  # running sums of a histogram
    label = nearest(points, centres, squared=squared).label
    for k, centre in enumerate(centres.astype(int)):
        apart = points[label == k].astype(int) - centre
        cost = [
            (weight[label == k, None] * np.abs(apart - step) ** (1 + squared)).sum(axis=0)
            for step in (-1, 0, 1)
        ]
        assert (cost[1] <= np.minimum(cost[0], cost[2])).all()


def test_a_centre_that_loses_its_points_finds_others():
    """Nearly all weight in one place: medians of clusters around it fall on it, too."""
    random = np.random.default_rng(9)
    points = np.sort(random.integers(0, 4, (300, 3)), axis=1).astype(np.uint16)
    weight = np.where(points.sum(axis=1) == 3, 1000, 1)
    distinct = len(np.unique(points, axis=0))
    for clusters in (5, 10, distinct - 1, distinct):
        found = k_means(points, weight, clusters, seed=0, threads=1, **OPTIONS)
        assert len(found.centres) == clusters
    assert found.distance == 0


def test_the_result_depends_on_the_seed_and_not_on_the_threads():
    random = np.random.default_rng(5)
    points, weight = points_of(random, 20_000), random.integers(1, 9, 20_000)
    one, three, other = (
        k_means(points, weight, 25, seed=seed, threads=threads, squared=False, restarts=1, passes=4)
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    )
    np.testing.assert_array_equal(one.centres, three.centres)
    assert one.distance == three.distance
    assert not np.array_equal(one.centres, other.centres)


def test_weights_count_as_so_many_points():
    random = np.random.default_rng(6)
    points, weight = points_of(random, 60), random.integers(1, 5, 60)
    found = k_means(points, weight, 5, seed=1, threads=1, **OPTIONS)
    label, distance = nearest(points, found.centres, squared=False)
    assert found.distance == (weight * distance).sum()
    assert len(np.unique(label)) == 5


def test_fewer_distinct_points_than_clusters():
    points = np.repeat(points_of(np.random.default_rng(7), 4), 10, axis=0)
    found = k_means(points, np.ones(40, np.int64), 9, seed=0, threads=1, **OPTIONS)
    assert len(found.centres) == 4
    assert found.distance == 0


@pytest.mark.parametrize("clusters", [1, 2, 3, 5])
def test_cuts_of_numbers_are_the_best_of_all(clusters):
    random = np.random.default_rng(clusters)
    held = np.where(random.random(11) < 0.3, 0, random.integers(1, 30, 11))
    levels = np.flatnonzero(held)

    def squares(part):
        weights = held[part]
        mean = (weights * part).sum() / weights.sum()
        return (weights * (part - mean) ** 2).sum()

    best = min(
        sum(squares(part) for part in np.split(levels, cuts))
        for cuts in combinations(range(1, len(levels)), clusters - 1)
    )
    bucket = cut_levels(held, clusters, "equity")
    assert (np.diff(bucket) >= 0).all()
    parts = [levels[bucket[levels] == k] for k in range(clusters)]
    assert sum(map(squares, parts)) == pytest.approx(best)


def test_quantiles_hold_equal_shares():
    held = np.full(1000, 3)
    held[::7] = 0
    size = np.bincount(cut_levels(held, 10, "quantile"), held)
    assert len(size) == 10
    assert size.max() - size.min() <= 6


def test_a_level_that_holds_nearly_all_leaves_no_bucket_empty():
    held = np.array([1, 1000, 1, 1])
    bucket = cut_levels(held, 3, "quantile")
    assert set(bucket.tolist()) == set(range(bucket.max() + 1))
