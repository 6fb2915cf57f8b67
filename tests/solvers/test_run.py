"""The driver loop, on a clock of its own: what is measured, what stops it, what is saved."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import OutputError
from equilibrist.solvers import run as run_module
from equilibrist.solvers.run import Loop, Moment, Outcome, Stop
from equilibrist.solvers.trace import TracePoint, foresee, is_scheduled, next_scheduled


@dataclass(frozen=True)
class Reading:
    """A measurement that falls like 1 / iteration."""

    nash_conv: float
    exploitability: float | None
    values: tuple[float, ...] = (0.5, -0.5)

    @property
    def measure(self) -> float:
        return self.nash_conv if self.exploitability is None else self.exploitability


class Lab:
    """A solver, its measure, and the clock that they use up."""

    def __init__(self, cost: float = 1e-5, measure_cost: float = 2e-5) -> None:
        self.now = 100.0
        self.cost, self.measure_cost = cost, measure_cost
        self.iteration = 0
        self.chunks: list[int] = []
        self.moments: list[Moment[Reading]] = []
        self.saves: list[tuple[int, float, list[int]]] = []

    def perf_counter(self) -> float:
        return self.now

    def run(self, iterations: int) -> None:
        assert iterations >= 1
        self.chunks.append(iterations)
        self.iteration += iterations
        self.now += iterations * self.cost

    def measure(self) -> Reading:
        self.now += self.measure_cost
        value = 1.0 / self.iteration if self.iteration else 2.0
        return Reading(2 * value, value)

    def report(self, moment: Moment[Reading]) -> bool | None:
        self.moments.append(moment)
        return None

    def save(self, trace: tuple[TracePoint, ...], seconds: float) -> None:
        self.saves.append((self.iteration, self.now, [p.iteration for p in trace]))

    def loop(self, stop: Stop, **options: Any) -> Loop[Reading]:
        options.setdefault("report", self.report)
        return Loop(self, self.measure, stop, **options)


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    return on_clock(monkeypatch, Lab())


def on_clock(monkeypatch: pytest.MonkeyPatch, lab: Lab) -> Lab:
    monkeypatch.setattr(run_module, "time", lab)
    return lab


def iterations_of(outcome: Outcome[Reading]) -> list[int]:
    return [point.iteration for point in outcome.trace]


# When it measures


def test_the_schedule_is_squares_and_then_every_4_percent() -> None:
    points = [next_scheduled(0)]
    while points[-1] < 3000:
        points.append(next_scheduled(points[-1]))
    assert points[:50] == [k * k for k in range(1, 51)]
    assert points[50:] == [2600, 2704, 2812, 2924, 3040]


@given(st.integers(0, 10**7))
def test_the_schedule_depends_on_the_iteration_alone(iteration: int) -> None:
    point = next_scheduled(iteration)
    assert point > iteration
    assert is_scheduled(point)
    assert not is_scheduled(0)
    between = iteration + (point - iteration) // 2
    assert next_scheduled(between) == (point if between < point else next_scheduled(point))
    assert is_scheduled(between) == (between == iteration and is_scheduled(iteration))


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
    outcome = lab.loop(Stop(iterations=3000)).run()
    assert iterations_of(outcome) == [k * k for k in range(1, 51)] + [
        2600, 2704, 2812, 2924, 3000,
    ]  # fmt: skip
    assert outcome.stopped_by == "iterations"
    assert outcome.measured == Reading(2 / 3000, 1 / 3000)
    assert sum(lab.chunks) == lab.iteration == 3000


@pytest.mark.parametrize("cost", [1e-7, 1e-5, 1e-3])
def test_slices_are_short(monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
    lab = on_clock(monkeypatch, Lab(cost))
    lab.loop(Stop(iterations=int(5 / cost))).run()
    assert max(lab.chunks) * cost < 0.1
    assert len(lab.chunks) < 400


def test_slices_shrink_when_iterations_become_slow(lab: Lab) -> None:
    lab.iteration = 10**6

    def slow_down(moment: Moment[Reading]) -> None:
        if lab.iteration > 1_010_000:
            lab.cost = 5e-4

    lab.loop(Stop(iterations=1_030_000), report=slow_down).run()
    # One slice may still be as long as the old speed made it.
    assert max(lab.chunks) * 5e-4 < 3.0
    assert all(chunk * 5e-4 < 0.2 for chunk in lab.chunks[-8:])


# What stops it


def test_the_target_is_checked_at_measurements(lab: Lab) -> None:
    outcome = lab.loop(Stop(iterations=10_000, target=1 / 150)).run()
    assert outcome.stopped_by == "target"
    assert iterations_of(outcome)[-1] == lab.iteration == 169
    assert outcome.measured.measure == 1 / 169


def test_the_target_may_be_met_exactly(lab: Lab) -> None:
    assert iterations_of(lab.loop(Stop(target=1 / 144)).run())[-1] == 144


def test_the_last_iteration_may_meet_the_target(lab: Lab) -> None:
    outcome = lab.loop(Stop(iterations=150, target=1 / 150)).run()
    assert (outcome.stopped_by, lab.iteration) == ("target", 150)


def test_the_target_is_held_against_nash_conv_without_exploitability(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = Loop(lab, lambda: Reading(2.0 / lab.iteration, None), Stop(target=1 / 50))
    outcome = loop.run()
    assert lab.iteration == 100
    assert outcome.trace[-1].exploitability is None
    assert outcome.trace[-1].measure == 1 / 50


@pytest.mark.parametrize("cost", [1e-6, 1e-3, 0.04])
def test_time_is_kept(monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
    lab = on_clock(monkeypatch, Lab(cost))
    outcome = lab.loop(Stop(seconds=3.03)).run()
    assert outcome.stopped_by == "time"
    assert 0.0 <= lab.now - 103.03 < 0.005 + cost
    assert outcome.seconds == pytest.approx(lab.now - 100.0)
    assert iterations_of(outcome)[-1] == lab.iteration


def test_time_counts_from_this_call(lab: Lab) -> None:
    outcome = lab.loop(Stop(seconds=1.0), seconds=500.0).run()
    assert lab.now == pytest.approx(101.0, abs=0.06)
    assert outcome.seconds == pytest.approx(501.0, abs=0.06)


def test_seconds_leave_out_callbacks_and_saving(lab: Lab) -> None:
    def pause(*_: object) -> None:
        lab.now += 1.0

    outcome = lab.loop(Stop(iterations=100), report=pause, save=pause).run()
    # 100 iterations, and the measurements at 1, 4, ..., 100
    assert outcome.seconds == pytest.approx(100 * 1e-5 + 10 * 2e-5)


def test_a_callback_stops_it_by_returning_false(lab: Lab) -> None:
    answers = iter([None, True, 0, False])
    outcome = lab.loop(Stop(iterations=1000), report=lambda _: next(answers)).run()
    assert (outcome.stopped_by, lab.iteration) == ("callback", 16)
    assert iterations_of(outcome) == [1, 4, 9, 16]


@pytest.fixture
def default_interrupts() -> Iterator[None]:
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)


def press_at(iteration: int) -> Callable[[Moment[Reading]], None]:
    def press(moment: Moment[Reading]) -> None:
        if moment.iteration == iteration:
            os.kill(os.getpid(), signal.SIGINT)

    return press


@pytest.mark.usefixtures("default_interrupts")
def test_ctrl_c_ends_it_with_what_it_has(lab: Lab) -> None:
    outcome = lab.loop(Stop(iterations=10**6), report=press_at(49), save=lab.save).run()
    assert outcome.stopped_by == "interrupted"
    assert outcome.trace[-1].iteration == lab.iteration == lab.saves[-1][0]
    assert 49 <= lab.iteration <= 64
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("default_interrupts")
def test_ctrl_c_inside_an_iteration_does_not_tear_it(lab: Lab) -> None:
    whole = lab.run

    def run(iterations: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        whole(iterations)

    lab.run = run  # type: ignore[method-assign]
    outcome = lab.loop(Stop(iterations=1000)).run()
    assert (outcome.stopped_by, lab.iteration) == ("interrupted", 1)


@pytest.mark.usefixtures("default_interrupts")
def test_a_second_ctrl_c_ends_it_at_once_and_saves_nothing_torn(lab: Lab) -> None:
    def run(iterations: int) -> None:
        lab.iteration += 1
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    lab.run = run  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        lab.loop(Stop(iterations=1000), save=lab.save).run()
    assert lab.saves == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_program_is_left_alone(lab: Lab) -> None:
    seen = []
    old = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        outcome = lab.loop(Stop(iterations=100), report=press_at(49)).run()
    finally:
        signal.signal(signal.SIGINT, old)
    assert (seen, outcome.stopped_by) == ([1], "iterations")


def test_a_callback_that_raises_keyboard_interrupt_ends_it(lab: Lab) -> None:
    def report(moment: Moment[Reading]) -> None:
        raise KeyboardInterrupt

    assert lab.loop(Stop(iterations=100), report=report).run().stopped_by == "interrupted"


def test_a_callback_that_raises_it_at_the_very_end_changes_nothing(lab: Lab) -> None:
    def report(moment: Moment[Reading]) -> None:
        if moment.iteration == 100:
            raise KeyboardInterrupt

    outcome = lab.loop(Stop(iterations=100), report=report, save=lab.save).run()
    assert outcome.stopped_by == "iterations"
    assert outcome.trace[-1].iteration == 100
    assert lab.saves[-1][0] == 100


def test_it_runs_in_other_threads(lab: Lab) -> None:
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(lab.loop(Stop(iterations=100)).run()))
    thread.start()
    thread.join()
    assert outcomes[0].stopped_by == "iterations"


# What it reports


def test_every_measurement_is_reported_and_the_last_one_too(lab: Lab) -> None:
    outcome = lab.loop(Stop(iterations=120)).run()
    assert [m.iteration for m in lab.moments] == iterations_of(outcome)
    assert [m.measured_at for m in lab.moments] == iterations_of(outcome)
    assert lab.moments[-1].measured == outcome.measured


def test_slow_games_are_reported_between_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.3))
    lab.loop(Stop(iterations=30)).run()
    assert [m.iteration for m in lab.moments] == list(range(1, 31))
    assert [m.measured_at for m in lab.moments[:10]] == [1, 1, 1, 4, 4, 4, 4, 4, 9, 9]
    assert lab.moments[-1].iterations_per_second == pytest.approx(1 / 0.3)


def test_the_end_is_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.01, measure_cost=0.0))
    lab.loop(Stop(iterations=1000)).run()
    assert lab.moments[0].eta_seconds == pytest.approx(9.99)
    assert lab.moments[-1].eta_seconds == 0.0


def test_what_is_foreseen_is_the_target_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other limits may end the run before: they say nothing about when the target is met."""
    lab = on_clock(monkeypatch, Lab(cost=0.01, measure_cost=0.0))
    lab.loop(Stop(iterations=100, target=1 / 400, seconds=1.0)).run()
    assert lab.moments[0].eta_seconds is None  # one point says nothing
    early = lab.moments[12]
    assert early.eta_seconds == pytest.approx((400 - early.iteration) * 0.01)
    assert lab.moments[-1].eta_seconds == pytest.approx((400 - lab.iteration) * 0.01)


def test_time_is_foreseen_and_nothing_else_without_a_limit(lab: Lab) -> None:
    lab.loop(Stop(seconds=0.5)).run()
    assert lab.moments[0].eta_seconds == pytest.approx(0.5, abs=0.01)
    lab.moments.clear()
    answers = iter([None] * 20 + [False])
    etas: list[float | None] = []
    lab.loop(Stop(), report=lambda m: (etas.append(m.eta_seconds), next(answers))[1]).run()
    assert set(etas) == {None}


def points(*pairs: tuple[int, float]) -> list[TracePoint]:
    return [TracePoint(t, 0.0, 2 * y, y, ()) for t, y in pairs]


def test_foresee_continues_a_power_law() -> None:
    trace = points(*((t, 3.0 * t**-1.5) for t in (1, 4, 9, 16, 25)))
    assert foresee(trace, 3e-6) == pytest.approx(10_000)
    assert foresee(trace, 1.0) == 25
    assert foresee(trace, 0.0) is None
    assert foresee(trace[:2], 1e-3) is None
    assert foresee(points((1, 1.0), (4, 0.1), (9, 0.2)), 1e-3) is None  # it rises
    assert foresee(points((1, 1.0), (4, 1.0), (9, 0.999999)), 1e-9) is None  # in an age


# What it saves


def test_it_saves_every_few_seconds_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=0.001))
    outcome = lab.loop(Stop(iterations=1000), save=lab.save, save_every=0.2).run()
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

    lab.loop(Stop(iterations=20_000), save=save, save_every=0.0).run()
    assert len(lab.saves) * 0.1 < 0.06 * (lab.now - 100.0)


def test_a_save_that_fails_ends_the_run_but_not_the_result(lab: Lab) -> None:
    error = OutputError("the disk is full")

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        lab.save(trace, seconds)
        if len(lab.saves) == 3:
            raise error

    outcome = lab.loop(Stop(iterations=10_000), save=save, save_every=0.0).run()
    assert outcome.failure is error
    assert outcome.stopped_by == "interrupted"
    assert outcome.trace[-1].iteration == lab.iteration < 100
    assert len(lab.saves) == 3  # it does not try again


def test_a_callback_that_fails_costs_no_work(lab: Lab) -> None:
    def report(moment: Moment[Reading]) -> None:
        if moment.iteration > 500:
            raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        lab.loop(Stop(iterations=1000), report=report, save=lab.save).run()
    assert lab.saves[-1][0] == lab.iteration > 500


@pytest.mark.parametrize("where", ["run", "measure"])
def test_a_state_that_may_be_torn_is_not_saved(lab: Lab, where: str) -> None:
    def fail(*_: object) -> Any:
        raise MemoryError

    loop = lab.loop(Stop(iterations=1000), save=lab.save)
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
    straight = lab.loop(Stop(iterations=2700)).run()
    lab.iteration = 0
    trace: tuple[TracePoint, ...] = ()
    seconds = 0.0
    for end in [*breaks, 2700]:
        resumed = lab.loop(Stop(iterations=end), trace=trace, seconds=seconds).run()
        trace, seconds = resumed.trace, resumed.seconds
    plain = [(p.iteration, p.nash_conv, p.exploitability, p.values) for p in straight.trace]
    assert plain == [(p.iteration, p.nash_conv, p.exploitability, p.values) for p in trace]
    # A break costs at most two measurements more: one at its end, one after it.
    assert straight.seconds <= seconds <= straight.seconds + 2 * len(breaks) * 2e-5 + 1e-9


def test_a_run_that_is_over_stays_over(lab: Lab) -> None:
    for stop, ended in ((Stop(150), "iterations"), (Stop(150, 1 / 150), "target")):
        lab.iteration = 150
        outcome = lab.loop(stop).run()
        assert (outcome.stopped_by, lab.iteration) == (ended, 150)
    lab.iteration = 144
    assert lab.loop(Stop(target=1 / 144)).run().stopped_by == "target"
    assert lab.chunks == []


def test_a_resumed_run_checks_the_target_where_a_straight_one_does(lab: Lab) -> None:
    lab.iteration = 150  # beyond the target of 1/145, but no measurement is due before 169
    outcome = lab.loop(Stop(target=1 / 145)).run()
    assert (outcome.stopped_by, lab.iteration) == ("target", 169)


def test_points_of_the_future_are_dropped(lab: Lab) -> None:
    lab.iteration = 10
    trace = points((1, 1.0), (4, 0.25), (9, 1 / 9), (10, 0.1), (16, 1 / 16))
    outcome = lab.loop(Stop(iterations=16), trace=trace).run()
    assert iterations_of(outcome) == [1, 4, 9, 16]
