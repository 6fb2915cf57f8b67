"""When the loop measures solvers whose iterations cost less than a measurement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import Schedule, next_scheduled
from tests.solvers.run.clocked_lab import Lab, iterations_of


@given(st.integers(1, 10**6), st.integers(0, 10**8))
def test_points_depend_on_the_iteration_only_with_a_stride(stride: int, iteration: int) -> None:
    schedule = Schedule(stride)
    point = schedule.next(iteration)
    assert point > iteration
    assert schedule.includes(point)
    between = iteration + (point - iteration) // 2
    assert schedule.next(between) == (point if between < point else schedule.next(point))


@pytest.mark.parametrize("strides", [1, 3, 10, 100])
def test_measuring_takes_a_tenth_of_the_time(strides: int) -> None:
    """At a stride of ten measurements' worth of iterations; the first few points apart."""
    schedule, iterations = Schedule(1000), 1000 * strides
    count, point = 0, schedule.next(0)
    while point <= iterations:
        count, point = count + 1, schedule.next(point)
    assert (count - 3) * 100 <= iterations / 10 + 1


def test_a_stride_of_one_is_the_plain_schedule() -> None:
    assert all(Schedule().next(n) == next_scheduled(n) for n in range(5000))


def test_the_loop_follows_the_stride(lab: Lab) -> None:
    outcome = lab.loop(StopRule(iterations=2500), schedule=Schedule(256)).run()
    assert iterations_of(outcome) == [4, 16, 64, 256, 1024, 2304, 2500]


def test_slices_end_with_whole_step_multiples(lab: Lab) -> None:
    lab.loop(StopRule(iterations=50_000), schedule=Schedule(7000), step_multiple=700).run()
    ends = [sum(lab.chunks[: k + 1]) for k in range(len(lab.chunks))]
    early = [7000 // part for part in (64, 16, 4)]
    assert ends[-1] == 50_000
    assert [end for end in ends[:-1] if end % 700] == early
    assert len(ends) < 40
