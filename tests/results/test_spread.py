"""Medians of several runs, and intervals that cover the true median as often as they say."""

from __future__ import annotations

import math
from itertools import product

import pytest

from equilibrist.results.spread import Spread


@pytest.mark.parametrize(
    ("runs", "rank"),
    # Conover, Practical Nonparametric Statistics: ranks of the 95 % interval of the median.
    [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (10, 1), (12, 2), (15, 3), (20, 5), (25, 7)],
)
def test_ranks_are_those_of_the_tables(runs: int, rank: int) -> None:
    found = Spread.of(range(100, 100 + runs))
    assert (found.low, found.high) == (100 + rank, 99 + runs - rank)
    assert found.is_confident == (runs >= 6)
    assert found.runs == runs


@pytest.mark.parametrize("runs", [6, 9, 10, 11])
def test_it_covers_the_median_often_enough(runs: int) -> None:
    """Which side of the true median each run falls on is a fair coin: all outcomes are counted."""
    covered = 0
    for sides in product((-1.0, 1.0), repeat=runs):
        found = Spread.of(side * (1 + k / 100) for k, side in enumerate(sides))
        covered += found.low <= 0.0 <= found.high
    assert covered / 2**runs >= 0.95


def test_medians_and_words() -> None:
    assert Spread.of([3.0, 1.0, 2.0]).median == 2.0
    assert Spread.of([4.0, 1.0]).median == 2.5
    assert Spread.of([4.0, 1.0]).words == "range of 2 runs"
    assert Spread.of(range(6)).words == "95 % interval"
    never = Spread.of([1.0, math.inf, math.inf])
    assert never.to_dict() == {"median": None, "low": 1.0, "high": None}
