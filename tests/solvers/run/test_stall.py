"""Stalled runs: when a run has stalled, and the way back to its best strategy."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from equilibrist.solvers.run.stall import (
    LEAST_ITERATIONS,
    best_point,
    go_back,
    has_settled,
    has_stalled,
    kept_text,
    point_to_end_with,
)
from equilibrist.solvers.run.trace import TracePoint


def trace(*points: tuple[int, float]) -> list[TracePoint]:
    return [TracePoint(t, 1.0, 2 * measure, measure, ()) for t, measure in points]


@pytest.mark.parametrize(
    ("points", "stalled"),
    [
        ((), False),
        (((10, 1.0), (LEAST_ITERATIONS - 1, 2.0)), False),
        (((10, 1.0), (LEAST_ITERATIONS, 2.0)), True),
        (((10, 1.0), (LEAST_ITERATIONS, 0.5)), False),
        (((10, 1.0), (50_000, 0.9), (100_000, 2.0)), False),
        (((10, 1.0), (10_000, 0.9), (50_000, 0.9), (100_000, 2.0)), True),
        (((10, 0.0), (LEAST_ITERATIONS, 0.0)), False),  # there is nothing left to gain
        (((20_000, 1.0), (100_000, 2.0)), False),  # a decade has not passed
    ],
)
def test_a_decade_without_a_better_measure(
    points: Sequence[tuple[int, float]], *, stalled: bool
) -> None:
    assert has_stalled(trace(*points)) == stalled


@pytest.mark.parametrize(
    ("points", "settled"),
    [
        ((), False),
        (((10, 1.0), (5_000, 1.0), (LEAST_ITERATIONS - 1, 1.0)), False),
        (((10, 1.0), (3_000, 1.0), (LEAST_ITERATIONS, 0.995)), True),
        (((10, 1.0), (3_000, 1.0), (LEAST_ITERATIONS, 0.98)), False),
        (((10, 1.0), (3_000, 5.0), (LEAST_ITERATIONS, 2.0)), False),  # a warm start, before
        (((10, 1.0), (LEAST_ITERATIONS, 1.0)), False),  # nobody knows whether it falls
    ],
)
def test_a_measure_with_a_floor(points: Sequence[tuple[int, float]], *, settled: bool) -> None:
    assert has_settled(trace(*points)) == settled


def test_the_first_of_the_best() -> None:
    assert best_point(trace((1, 3.0), (2, 1.0), (3, 2.0), (4, 1.0))).iteration == 2


@pytest.mark.parametrize(
    ("points", "stopped_by", "end"),
    [
        (((10, 1.0),), "iterations", 10),
        (((10, 1.0), (20, 0.5), (30, 1.0)), "iterations", 30),  # it wavers
        (((10, 1.0), (20, 0.5), (30, 1.0)), "stalled", 20),
        (((10, 9.0), (20, 0.5), (30, 1.1)), "iterations", 20),
        (((10, 9.0), (20, 0.5), (30, 1.1)), "seconds", 20),
        (((10, 9.0), (20, 0.5), (30, 1.1)), "target", 30),  # met after it was raised
        (((10, 9.0), (20, 1e-9), (30, 1e-8)), "iterations", 30),  # both are as good as none
        (((10, 1.0), (60, 0.6), (99, 1.0)), "iterations", 99),
        (((10, 1.0), (60, 0.6), (100, 1.0)), "iterations", 60),  # a decade has improved nothing
        (((10, 1.0), (100, 1.0)), "iterations", 100),
    ],
)
def test_what_a_run_ends_with(
    points: Sequence[tuple[int, float]], stopped_by: str, end: int
) -> None:
    found = trace(*points)
    assert point_to_end_with(found, stopped_by, 1e-8).iteration == end
    last = points[-1][0]
    told = kept_text("exploitability", found, end, stopped_by, 1e-8)
    assert bool(told) == (end != last)
    if stopped_by != "stalled" and end != last:  # it could not go back
        assert str(end) in kept_text("exploitability", found, last, stopped_by, 1e-8)


class Counter:
    def __init__(self) -> None:
        self.iteration, self.calls = 77_000, 0

    def run(self, iterations: int, /) -> None:
        self.iteration += iterations
        self.calls += 1

    def begin_again(self) -> None:
        self.iteration = 0


@pytest.mark.parametrize("iteration", [1, 200, 7_653])
def test_the_way_back(iteration: int) -> None:
    solver = Counter()
    go_back(solver, iteration)
    assert solver.iteration == iteration
    assert 1 <= solver.calls <= 200
