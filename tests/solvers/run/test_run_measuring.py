"""When the driver loop measures: the iteration number alone decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.solvers.run.loop import ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import Schedule, next_scheduled
from tests.solvers.run.clocked_lab import Lab, Reading, iterations_of, on_clock


def test_the_schedule_is_squares_and_then_every_4_percent() -> None:
    points = [next_scheduled(0)]
    while points[-1] < 3000:
        points.append(next_scheduled(points[-1]))
    assert points[:50] == [k * k for k in range(1, 51)]
    assert points[50:] == [2600, 2704, 2812, 2924, 3040]


@given(st.integers(0, 10**7))
def test_the_schedule_depends_on_the_iteration_only(iteration: int) -> None:
    point = next_scheduled(iteration)
    assert point > iteration
    schedule = Schedule()
    assert schedule.includes(point)
    assert not schedule.includes(0)
    between = iteration + (point - iteration) // 2
    assert next_scheduled(between) == (point if between < point else next_scheduled(point))
    assert schedule.includes(between) == (between == iteration and schedule.includes(iteration))


@pytest.mark.parametrize(("iterations", "share"), [(100, 0.4), (1000, 0.13), (10_000, 0.04)])
def test_measuring_takes_a_small_share(iterations: int, share: float) -> None:
    """The shares that the docstring states, at four iterations per measurement."""
    count, point = 0, next_scheduled(0)
    while point <= iterations:
        count, point = count + 1, next_scheduled(point)
    assert 0.8 * share < 4 * count / iterations <= share + 0.005


@pytest.mark.parametrize("cost", [1e-7, 1e-5, 1e-3, 0.3])
def test_what_is_measured_does_not_depend_on_speed(
    monkeypatch: pytest.MonkeyPatch, cost: float
) -> None:
    lab = on_clock(monkeypatch, Lab(cost))
    outcome = lab.loop(StopRule(iterations=3000)).run()
    assert iterations_of(outcome) == [k * k for k in range(1, 51)] + [
        2600, 2704, 2812, 2924, 3000,
    ]  # fmt: skip
    assert outcome.stopped_by == "iterations"
    assert outcome.measured == Reading(2 / 3000, 1 / 3000)
    assert sum(lab.chunks) == lab.iteration == 3000


@pytest.mark.parametrize("cost", [1e-7, 1e-5, 1e-3])
def test_slices_are_short(monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
    lab = on_clock(monkeypatch, Lab(cost))
    lab.loop(StopRule(iterations=int(5 / cost))).run()
    assert max(lab.chunks) * cost < 0.1
    assert len(lab.chunks) < 400


def test_slices_shrink_when_iterations_become_slow(lab: Lab) -> None:
    lab.iteration = 10**6

    def slow_down(event: ProgressEvent[Reading]) -> None:
        if lab.iteration > 1_010_000:
            lab.cost = 5e-4

    lab.loop(StopRule(iterations=1_030_000), report=slow_down).run()
    # One slice may still be as long as the old speed made it.
    assert max(lab.chunks) * 5e-4 < 3.0
    assert all(chunk * 5e-4 < 0.2 for chunk in lab.chunks[-8:])
