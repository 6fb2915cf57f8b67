"""What stops the driver loop: targets, time, callbacks, Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import pytest

from equilibrist.solvers.run.loop import Loop, ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from tests.solvers.run.clocked_lab import Lab, Reading, iterations_of, on_clock


def test_the_target_is_checked_at_measurements(lab: Lab) -> None:
    outcome = lab.loop(StopRule(iterations=10_000, target=1 / 150)).run()
    assert outcome.stopped_by == "target"
    assert iterations_of(outcome)[-1] == lab.iteration == 169
    assert outcome.measured.measure == 1 / 169


def test_the_target_may_be_met_exactly(lab: Lab) -> None:
    assert iterations_of(lab.loop(StopRule(target=1 / 144)).run())[-1] == 144


def test_the_last_iteration_may_meet_the_target(lab: Lab) -> None:
    outcome = lab.loop(StopRule(iterations=150, target=1 / 150)).run()
    assert (outcome.stopped_by, lab.iteration) == ("target", 150)


def test_the_target_is_held_against_nash_conv_without_exploitability(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = Loop(lab, lambda: Reading(2.0 / lab.iteration, None), StopRule(target=1 / 50))
    outcome = loop.run()
    assert lab.iteration == 100
    assert outcome.trace[-1].exploitability is None
    assert outcome.trace[-1].measure == 1 / 50


@pytest.mark.parametrize("cost", [1e-6, 1e-3, 0.04])
def test_time_is_kept(monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
    lab = on_clock(monkeypatch, Lab(cost))
    outcome = lab.loop(StopRule(seconds=3.03)).run()
    assert outcome.stopped_by == "seconds"
    assert 0.0 <= lab.now - 103.03 < 0.005 + cost
    assert outcome.seconds == pytest.approx(lab.now - 100.0)
    assert iterations_of(outcome)[-1] == lab.iteration


def test_time_counts_from_this_call(lab: Lab) -> None:
    outcome = lab.loop(StopRule(seconds=1.0), seconds=500.0).run()
    assert lab.now == pytest.approx(101.0, abs=0.06)
    assert outcome.seconds == pytest.approx(501.0, abs=0.06)


def test_time_may_count_from_an_earlier_moment(lab: Lab) -> None:
    outcome = lab.loop(StopRule(seconds=3.0, since=98.0)).run()
    assert outcome.stopped_by == "seconds"
    assert lab.now == pytest.approx(101.0, abs=0.06)
    assert outcome.seconds == pytest.approx(1.0, abs=0.06)


def test_one_iteration_is_made_when_the_time_is_over(lab: Lab) -> None:
    outcome = lab.loop(StopRule(seconds=3.0, since=0.0)).run()
    assert (outcome.stopped_by, lab.iteration) == ("seconds", 1)


def test_seconds_leave_out_callbacks_and_saving(lab: Lab) -> None:
    def pause(*_: object) -> None:
        lab.now += 1.0

    outcome = lab.loop(StopRule(iterations=100), report=pause, save=pause).run()
    # 100 iterations, and the measurements at 1, 4, ..., 100
    assert outcome.seconds == pytest.approx(100 * 1e-5 + 10 * 2e-5)


def test_a_callback_stops_it_by_returning_false(lab: Lab) -> None:
    answers = iter([None, True, 0, False])
    outcome = lab.loop(StopRule(iterations=1000), report=lambda _: next(answers)).run()
    assert (outcome.stopped_by, lab.iteration) == ("callback", 16)
    assert iterations_of(outcome) == [1, 4, 9, 16]


def press_at(iteration: int) -> Callable[[ProgressEvent[Reading]], None]:
    def press(event: ProgressEvent[Reading]) -> None:
        if event.iteration == iteration:
            os.kill(os.getpid(), signal.SIGINT)

    return press


def test_ctrl_c_ends_it_with_what_it_has(lab: Lab) -> None:
    outcome = lab.loop(StopRule(iterations=10**6), report=press_at(49), save=lab.save).run()
    assert outcome.stopped_by == "interrupted"
    assert outcome.trace[-1].iteration == lab.iteration == lab.saves[-1][0]
    assert 49 <= lab.iteration <= 64
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_inside_an_iteration_does_not_tear_it(lab: Lab) -> None:
    whole = lab.run

    def run(iterations: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        whole(iterations)

    lab.run = run  # type: ignore[method-assign]
    outcome = lab.loop(StopRule(iterations=1000)).run()
    assert (outcome.stopped_by, lab.iteration) == ("interrupted", 1)


def test_a_second_ctrl_c_ends_it_at_once_and_saves_nothing_torn(lab: Lab) -> None:
    def run(iterations: int) -> None:
        lab.iteration += 1
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    lab.run = run  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        lab.loop(StopRule(iterations=1000), save=lab.save).run()
    assert lab.saves == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_program_stays(lab: Lab) -> None:
    seen = []
    old = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        outcome = lab.loop(StopRule(iterations=100), report=press_at(49)).run()
    finally:
        signal.signal(signal.SIGINT, old)
    assert (seen, outcome.stopped_by) == ([1], "iterations")


def test_a_callback_that_raises_keyboard_interrupt_ends_it(lab: Lab) -> None:
    def report(event: ProgressEvent[Reading]) -> None:
        raise KeyboardInterrupt

    assert lab.loop(StopRule(iterations=100), report=report).run().stopped_by == "interrupted"


def test_a_callback_that_raises_it_at_the_very_end_changes_nothing(lab: Lab) -> None:
    def report(event: ProgressEvent[Reading]) -> None:
        if event.iteration == 100:
            raise KeyboardInterrupt

    outcome = lab.loop(StopRule(iterations=100), report=report, save=lab.save).run()
    assert outcome.stopped_by == "iterations"
    assert outcome.trace[-1].iteration == 100
    assert lab.saves[-1][0] == 100


def test_it_runs_in_other_threads(lab: Lab) -> None:
    outcomes = []
    thread = threading.Thread(
        target=lambda: outcomes.append(lab.loop(StopRule(iterations=100)).run())
    )
    thread.start()
    thread.join()
    assert outcomes[0].stopped_by == "iterations"


def test_no_iteration_is_begun_that_would_end_long_after_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Iterations of 8 s: two fit into 10 s and 2 more, a third would end 12 s too late."""
    lab = on_clock(monkeypatch, Lab(cost=8.0, measure_cost=0.0))
    outcome = lab.loop(StopRule(seconds=10.0)).run()
    assert (outcome.stopped_by, lab.iteration) == ("seconds", 2)
    lab = on_clock(monkeypatch, Lab(cost=8.0, measure_cost=0.0))
    assert lab.loop(StopRule(seconds=20.0)).run().stopped_by == "seconds"
    assert lab.iteration == 3  # which ends at 24 s: a fifth too late at most
    lab = on_clock(monkeypatch, Lab(cost=8.0, measure_cost=0.0))
    lab.loop(StopRule(seconds=18.0)).run()
    assert lab.iteration == 2


def test_the_last_measurement_counts_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Lab(cost=1.0, measure_cost=10.0))
    lab.loop(StopRule(seconds=30.0)).run()
    # Measured before the first report and after 1 and 2 iterations, until 32 s: 36 is the last.
    assert lab.now - 100.0 <= 36.0


class Long(Lab):
    """A solver whose iterations ask again and again whether they are to be left."""

    def __init__(self, steps: int, step_cost: float = 0.01) -> None:
        super().__init__()
        self.steps, self.step_cost = steps, step_cost
        self.should_stop: Callable[[], bool] | None = None
        self.fits: list[int] = []

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            if self._fit(self.steps) < self.steps:
                return
            self.iteration += 1

    def _fit(self, steps: int) -> int:
        """Steps that were made."""
        for step in range(steps):
            if self.should_stop is not None and self.should_stop():
                return step
            self.now += self.step_cost
        return steps


def test_a_long_iteration_is_left_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Long(10**9))
    outcome = lab.loop(StopRule(seconds=1.0), save=lab.save).run()
    assert (outcome.stopped_by, lab.iteration) == ("seconds", 0)
    assert lab.now == pytest.approx(103.0, abs=0.1)  # with the overrun that is allowed
    assert [saved[0] for saved in lab.saves] == [0]
    assert lab.should_stop is None


def test_a_long_iteration_is_finished_within_the_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Long(250))
    outcome = lab.loop(StopRule(seconds=1.0)).run()
    assert (outcome.stopped_by, lab.iteration) == ("seconds", 1)


def test_reports_come_and_end_it_in_the_middle_of_an_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = on_clock(monkeypatch, Long(10**9))
    reports: list[int] = []

    def report(event: ProgressEvent[Reading]) -> bool | str:
        reports.append(event.iteration)
        return "save" if len(reports) < 5 else False

    outcome = lab.loop(StopRule(), report=report, save=lab.save).run()
    assert (outcome.stopped_by, lab.iteration) == ("callback", 0)
    assert reports == [0] * 5
    assert len(lab.saves) == 1  # at the end: a state in the middle of an iteration is none


def test_a_save_that_is_asked_for_in_an_iteration_follows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = on_clock(monkeypatch, Long(100))
    answers = iter(["save"])
    loop = lab.loop(
        StopRule(iterations=3), report=lambda _: next(answers, None), save=lab.save, save_every=1e9
    )
    loop.run()
    assert [saved[0] for saved in lab.saves] == [1, 3]


def test_what_a_measurement_fits_ends_soon_after_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = on_clock(monkeypatch, Long(10))

    def measure() -> Reading:
        if lab.iteration:
            lab.fits.append(lab._fit(10**9))
        return Reading(2.0, 1.0)

    outcome = Loop(lab, measure, StopRule(seconds=1.0)).run()
    assert (outcome.stopped_by, lab.iteration) == ("seconds", 1)
    assert lab.now == pytest.approx(133.0, abs=0.2)
    assert len(lab.fits) == 1
