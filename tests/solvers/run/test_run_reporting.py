"""What the driver loop reports, and how it extrapolates."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.solvers.run.loop import ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import extrapolate_iterations
from tests.solvers.run.clocked_lab import Lab, Reading, iterations_of, on_clock, points


def test_every_measurement_is_reported_and_the_last_one_too(lab: Lab) -> None:
    outcome = lab.loop(StopRule(iterations=120)).run()
    assert [m.iteration for m in lab.events] == iterations_of(outcome)
    assert [m.measured_at for m in lab.events] == iterations_of(outcome)
    assert lab.events[-1].measured == outcome.measured


def test_slow_games_are_reported_between_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.3))
    lab.loop(StopRule(iterations=30)).run()
    assert [m.iteration for m in lab.events] == list(range(1, 31))
    assert [m.measured_at for m in lab.events[:10]] == [1, 1, 1, 4, 4, 4, 4, 4, 9, 9]
    assert lab.events[-1].iterations_per_second == pytest.approx(1 / 0.3)


def test_the_remaining_time_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.01, measure_cost=0.0))
    lab.loop(StopRule(iterations=1000)).run()
    assert lab.events[0].eta_seconds == pytest.approx(9.99)
    assert lab.events[-1].eta_seconds == 0.0


def test_the_estimate_is_of_the_target_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other limits may end the run before: they say nothing about when the target is met."""
    lab = on_clock(monkeypatch, Lab(cost=0.01, measure_cost=0.0))
    lab.loop(StopRule(iterations=100, target=1 / 400, seconds=1.0)).run()
    assert lab.events[0].eta_seconds is None  # one point says nothing
    early = lab.events[12]
    assert early.eta_seconds == pytest.approx((400 - early.iteration) * 0.01)
    assert lab.events[-1].eta_seconds == pytest.approx((400 - lab.iteration) * 0.01)


def test_until_the_trace_says_more_the_usual_iterations_give_the_remaining_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the measured speed: five times slower, five times longer, and less as it gets faster."""
    for cost in (0.1, 0.5):
        lab = on_clock(monkeypatch, Lab(cost=cost, measure_cost=0.0))
        lab.loop(StopRule(iterations=30, target=1 / 400), expected=200).run()
        assert lab.events[0].eta_seconds == pytest.approx((200 - 1) * cost)
        late = lab.events[-1]
        assert late.eta_seconds == pytest.approx((400 - late.iteration) * cost)
    lab = on_clock(monkeypatch, Lab(cost=0.5, measure_cost=0.0))
    etas = []

    def report(event: ProgressEvent[Reading]) -> None:
        etas.append(event.eta_seconds)
        lab.cost = 0.1  # other work ends

    lab.loop(StopRule(iterations=8, target=1 / 400), report=report, expected=200).run()
    assert etas[0] == pytest.approx(199 * 0.5)
    assert etas[6] == pytest.approx(193 * 0.1, rel=0.05)


def test_measurements_to_come_are_part_of_the_remaining_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.1, measure_cost=2.0))
    lab.loop(StopRule(iterations=1000)).run()
    end = lab.now
    lab = on_clock(monkeypatch, Lab(cost=0.1, measure_cost=2.0))
    told = []

    def report(event: ProgressEvent[Reading]) -> None:
        told.append((lab.now, event.eta_seconds))

    lab.loop(StopRule(iterations=1000), report=report).run()
    for now, eta in (told[0], told[20], told[-50]):
        assert now + eta == pytest.approx(end, rel=0.02)


def test_only_a_time_limit_gives_an_estimate_without_other_limits(lab: Lab) -> None:
    lab.loop(StopRule(seconds=0.5)).run()
    assert lab.events[0].eta_seconds == pytest.approx(0.5, abs=0.01)
    lab.events.clear()
    answers = iter([None] * 20 + [False])
    etas: list[float | None] = []

    def report(measured: Any) -> bool | None:
        etas.append(measured.eta_seconds)
        return next(answers)

    lab.loop(StopRule(), report=report).run()
    assert set(etas) == {None}


def test_extrapolation_continues_a_power_law() -> None:
    trace = points(*((t, 3.0 * t**-1.5) for t in (1, 4, 9, 16, 25)))
    assert extrapolate_iterations(trace, 3e-6) == pytest.approx(10_000)
    assert extrapolate_iterations(trace, 1.0) == 25
    assert extrapolate_iterations(trace, 0.0) is None
    assert extrapolate_iterations(trace[:2], 1e-3) is None
    assert extrapolate_iterations(points((1, 1.0), (4, 0.1), (9, 0.2)), 1e-3) is None  # it rises
    assert (
        extrapolate_iterations(points((1, 1.0), (4, 1.0), (9, 0.999999)), 1e-9) is None
    )  # far off
