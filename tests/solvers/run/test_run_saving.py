"""What the driver loop saves, and how it goes on from there."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import ConfigError, OutputError
from equilibrist.solvers.run.loop import ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import TracePoint
from tests.solvers.run.clocked_lab import Lab, Reading, iterations_of, on_clock, points


def test_it_saves_every_few_seconds_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.001))
    outcome = lab.loop(StopRule(iterations=1000), save=lab.save, save_every=0.2).run()
    times = [now for _, now, _ in lab.saves]
    assert len(times) == 5
    assert all(0.2 <= b - a < 0.3 for a, b in zip(times[:-2], times[1:-1], strict=True))
    assert lab.saves[-1][0] == 1000
    # The last point is off the schedule: a run that goes on must not have it.
    assert lab.saves[-1][2] == iterations_of(outcome)[:-1]
    assert all(at <= iteration for iteration, _, trace in lab.saves for at in trace)


def test_slow_saving_is_done_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.001))

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        lab.save(trace, seconds)
        lab.now += 0.1

    lab.loop(StopRule(iterations=20_000), save=save, save_every=0.0).run()
    assert len(lab.saves) * 0.1 < 0.06 * (lab.now - 100.0)


def test_a_report_has_the_state_saved_at_once(lab: Lab) -> None:
    asked: list[Any] = []

    def report(event: ProgressEvent[Reading]) -> str | None:
        if event.iteration < 500 or asked:
            return None
        asked.append(event.iteration)
        return "save"

    lab.loop(StopRule(iterations=1000), report=report, save=lab.save, save_every=1e9).run()
    assert [iteration for iteration, _, _ in lab.saves] == [asked[0], 1000]


def test_a_save_that_fails_ends_the_run_but_not_the_result(lab: Lab) -> None:
    error = OutputError("the disk is full")

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        lab.save(trace, seconds)
        if len(lab.saves) == 3:
            raise error

    outcome = lab.loop(StopRule(iterations=10_000), save=save, save_every=0.0).run()
    assert outcome.failure is error
    assert outcome.stopped_by == "interrupted"
    assert outcome.trace[-1].iteration == lab.iteration < 100
    assert len(lab.saves) == 3  # it does not try again


def test_a_callback_that_fails_costs_no_work(lab: Lab) -> None:
    def report(event: ProgressEvent[Reading]) -> None:
        if event.iteration > 500:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        lab.loop(StopRule(iterations=1000), report=report, save=lab.save).run()
    assert lab.saves[-1][0] == lab.iteration > 500


@pytest.mark.parametrize("where", ["run", "measure"])
def test_a_state_that_may_be_torn_is_not_saved(lab: Lab, where: str) -> None:
    def fail(*_: object) -> Any:
        raise MemoryError

    loop = lab.loop(StopRule(iterations=1000), save=lab.save)
    setattr(loop.solver if where == "run" else loop, where, fail)
    with pytest.raises(MemoryError):
        loop.run()
    assert lab.saves == []


# What it resumes


@pytest.mark.parametrize("breaks", [[1], [100], [57, 58, 59], [999], [7, 300, 2600, 2650]])
def test_a_resumed_run_leaves_the_same_trace(
    monkeypatch: pytest.MonkeyPatch, breaks: list[int]
) -> None:
    lab = on_clock(monkeypatch, Lab())
    straight = lab.loop(StopRule(iterations=2700)).run()
    lab.iteration = 0
    trace: tuple[TracePoint, ...] = ()
    seconds = 0.0
    for end in [*breaks, 2700]:
        resumed = lab.loop(StopRule(iterations=end), trace=trace, seconds=seconds).run()
        trace, seconds = resumed.trace, resumed.seconds
    plain = [(p.iteration, p.nash_conv, p.exploitability, p.values) for p in straight.trace]
    assert plain == [(p.iteration, p.nash_conv, p.exploitability, p.values) for p in trace]
    # A break costs at most two measurements more: one at its end, one after it.
    assert straight.seconds <= seconds <= straight.seconds + 2 * len(breaks) * 2e-5 + 1e-9


def test_a_run_that_is_over_stays_over(lab: Lab) -> None:
    for stop, ended in ((StopRule(150), "iterations"), (StopRule(150, target=1 / 150), "target")):
        lab.iteration = 150
        outcome = lab.loop(stop).run()
        assert (outcome.stopped_by, lab.iteration) == (ended, 150)
    lab.iteration = 144
    assert lab.loop(StopRule(target=1 / 144)).run().stopped_by == "target"
    assert lab.chunks == []


def test_a_resumed_run_checks_the_target_where_a_straight_one_does(lab: Lab) -> None:
    lab.iteration = 150  # beyond the target of 1/145, but no measurement is due before 169
    outcome = lab.loop(StopRule(target=1 / 145)).run()
    assert (outcome.stopped_by, lab.iteration) == ("target", 169)


def test_points_of_the_future_are_dropped(lab: Lab) -> None:
    lab.iteration = 10
    trace = points((1, 1.0), (4, 0.25), (9, 1 / 9), (10, 0.1), (16, 1 / 16))
    outcome = lab.loop(StopRule(iterations=16), trace=trace).run()
    assert iterations_of(outcome) == [1, 4, 9, 16]


@pytest.mark.parametrize("fails", [True, False])
def test_what_ended_a_run_says_more_than_a_state_that_is_no_good(fails: bool, lab: Lab) -> None:
    def report(event: ProgressEvent[Reading]) -> bool:
        if fails and event.iteration > 500:
            raise ValueError("a mistake")
        return event.iteration <= 500

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        if lab.iteration > 500:
            raise ConfigError("no numbers any more")

    with pytest.raises(ValueError if fails else ConfigError):
        lab.loop(StopRule(iterations=1000), report=report, save=save).run()
