"""The loop around every run that iterates or plays deals: when to measure, to stop and to save.

The state of a run never depends on how it is cut into pieces, so pieces may follow the clock.
What is measured, and with it where `target` is checked, depends on the iteration number alone:
a run that was killed and resumed leaves the same trace as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, Literal, Protocol, TypeVar, runtime_checkable

import numpy as np

from equilibrist.errors import ConfigError, OutputError
from equilibrist.solvers.run.interrupt import Interrupt, noted_interrupts
from equilibrist.solvers.run.stopping import StopReason, StopRule, allowed_overrun
from equilibrist.solvers.run.trace import Measured, Schedule, TracePoint, extrapolate_iterations

SLICE_SECONDS: Final = 0.05
"""How long kernels run between two checks of the clock, signals and callbacks."""
PIECE_SECONDS: Final = 0.25
"""How long they run at most where nothing but signals is looked at."""
_FINISH_SECONDS: Final = 30.0
"""How long a measurement may go on once the run is to end; what it fits then ends as it is."""


@dataclass
class IterationRate:
    """The speed of a run.

    Attributes:
        rate: Iterations per second.
        largest: The most iterations that ran at a time.
        runs: How many times iterations ran; the first may have compiled.
    """

    rate: float = 0.0
    largest: int = 0
    runs: int = 0

    def iterations_in(self, seconds: float) -> int:
        """How many iterations fit a stretch of time: at most eight times the most tried so far.

        Args:
            seconds: The stretch of time.
        """
        return max(1, min(int(self.rate * seconds), 8 * self.largest))

    def add(self, count: int, seconds: float) -> None:
        """Learn from iterations; short runs say little about the rate.

        Args:
            count: How many ran.
            seconds: What they took.
        """
        self.largest = max(self.largest, count)
        self.runs += 1
        new = count / max(seconds, 1e-9)
        share = min(1.0, max(0.3, seconds / SLICE_SECONDS))
        self.rate = new if self.rate == 0.0 else self.rate + share * (new - self.rate)


_LOOK_AHEAD = 100
"""Measurements to come that are counted one by one for the remaining time."""
_SAVE_SHARE = 20.0
"""Saving waits for this multiple of what the last save took: at most 5 % of the time."""

Answer = bool | Literal["save"] | None
"""What a report may answer: False stops the run, `"save"` saves its state at once."""
M = TypeVar("M", bound=Measured)


class Solver(Protocol):
    """What the loop needs of a solver: it counts, and it runs on.

    One that plays sampled deals counts them as `deals`, and plays none beyond the limit of its run.
    """

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        ...

    def run(self, iterations: int, /) -> object:
        """Run that many more; the state must not depend on how they are cut into calls.

        Where iterations only run in rounds, the last round may go beyond `iterations`.
        """
        ...


@runtime_checkable
class Leavable(Protocol):
    """A solver that can leave an iteration, and then has the state of before it.

    The loop sets `should_stop` while it runs; the solver asks it now and then in the middle of long
    iterations, and returns from `run` once it answers True. What is fitted for a measurement asks,
    too, and ends as it is.
    """

    should_stop: Callable[[], bool] | None


@dataclass(frozen=True)
class ProgressEvent(Generic[M]):
    """What the loop reports after every measurement, and about 20 times a second between them.

    `measured` is the newest measurement, made after `measured_at` iterations; `eta_seconds`
    estimates when the target will be met, or without a target when the run will stop (None: it
    cannot be estimated). `target` is the one that holds for that measurement. `deals`, and how
    many a second since the loop began, are those of a solver that counts them.
    """

    iteration: int
    seconds: float
    measured: M
    measured_at: int
    iterations_per_second: float
    eta_seconds: float | None
    target: float | None = None
    deals: int | None = None
    deals_per_second: float | None = None


@dataclass(frozen=True)
class Outcome(Generic[M]):
    """How a run ended. `measured` is the state's, after the last iteration.

    `failure` is what kept a checkpoint from being written; the run then stopped there. `target` is
    the one that `measured` was held against.
    """

    measured: M
    trace: tuple[TracePoint, ...]
    seconds: float
    stopped_by: StopReason
    failure: OutputError | None = None
    target: float | None = None


class Loop(Generic[M]):
    """One run of a solver, from its present state until something stops it."""

    def __init__(
        self,
        solver: Solver,
        measure: Callable[[], M],
        stop: StopRule,
        *,
        trace: Sequence[TracePoint] = (),
        seconds: float = 0.0,
        report: Callable[[ProgressEvent[M]], Answer] | None = None,
        save: Callable[[tuple[TracePoint, ...], float], None] | None = None,
        save_every: float = 10.0,
        schedule: Schedule = Schedule(),  # noqa: B008 - it is frozen
        step_multiple: int = 1,
        nodes: Callable[[], int] | None = None,
        stalled: Callable[[Sequence[TracePoint]], bool] | None = None,
        expected: float | None = None,
    ) -> None:
        """Prepare; `trace` and `seconds` are those of the run that is resumed.

        `report` stops the run by returning False, NumPy's too, and has its state saved at once by
        returning "save"; a resumed run reports before its first iteration, too. `save` is called
        every `save_every` seconds (less often if it is slow), with the trace and seconds so far,
        and when the run stops for whatever reason; it raises ConfigError for an invalid state.
        Iterations run
        best by multiples of `step_multiple`: so the time is cut. `nodes` gives what the trace shall
        say of the histories visited. `stalled` says of the trace whether more iterations are of no
        use, which stops the run. Where nothing is measured, `measure` is `Unmeasured` and the
        schedule `NEVER`. `expected` is after how many iterations such runs usually meet the
        target: with the measured speed it gives the remaining time until the trace does.
        """
        self.solver, self.measure, self.stop = solver, measure, stop
        self.schedule, self.step_multiple, self.nodes = schedule, step_multiple, nodes
        self.stalled, self._expected = stalled, expected
        done = solver.iteration
        self.trace = [p for p in trace if schedule.includes(p.iteration) and p.iteration <= done]
        self.seconds = seconds
        self.report, self.save, self.save_every = report, save, save_every
        self._measured: M | None = None
        self._measured_at, self._measure_seconds = -1, 0.0
        self._measures: list[float] = []  # seconds of the last two; the first may have compiled
        self._target = stop.target
        self._pace = IterationRate()
        self._began = (seconds, self._deals or 0)
        self._started = self._saved = time.perf_counter()
        self._paused_before = 0.0
        self._save_cost = 0.0
        self._failure: OutputError | None = None
        self._sound = True
        self._left: StopReason | None = None
        """Why an iteration that still runs is to be left; None where it is not."""
        self._left_at = self._asked_at = 0.0
        self._is_measuring = self._save_wanted = False

    def run(self) -> Outcome[M]:
        """Run until something stops it; the solver holds the state.

        What `report` raises passes through after the state has been saved; what the solver and
        `measure` raise passes through as it is, since the state may be half updated.
        """
        self._started = self._saved = time.perf_counter()
        self._paused_before = 0.0 if self.stop.since is not None else self._paused()
        with noted_interrupts() as interrupt:
            if isinstance(self.solver, Leavable):
                self.solver.should_stop = partial(self._is_to_be_left, interrupt)
            try:
                reason = self._on_entry(interrupt)
                while reason is None:
                    reason = self._step(interrupt)
                measured = self._measure()
                if reason in ("target", "iterations", "deals", "seconds", "stalled"):
                    with suppress(KeyboardInterrupt):  # it is over as it is
                        self._notify()
            except BaseException:
                with suppress(ConfigError):  # a state that is not for saving; this says more
                    self._save_if_sound()
                raise
            finally:
                if isinstance(self.solver, Leavable):
                    self.solver.should_stop = None
            self._save_if_sound()
        points = list(self.trace)
        if not points or points[-1].iteration != self.solver.iteration:
            points.append(self._point(measured))
        return Outcome(measured, tuple(points), self.seconds, reason, self._failure, self._target)

    def _on_entry(self, interrupt: Interrupt) -> StopReason | None:
        """A resumed run may already have reached its end, or be told to end where it is."""
        iteration = self.solver.iteration
        if iteration == 0:
            if self.report is not None and isinstance(self.solver, Leavable):
                self._measure()  # reports in the middle of the first iteration tell of it
            return None
        at_end = iteration == self.stop.iterations
        if (at_end or self.schedule.includes(iteration)) and self._reached(self._measure()):
            return "target"
        if at_end:
            return "iterations"
        if self._has_dealt():
            return "deals"
        return self._told_to_end(interrupt)

    def _step(self, interrupt: Interrupt) -> StopReason | None:
        """One slice: iterate, measure if it is time, report, save. The reason to stop, or None."""
        before = self.solver.iteration
        self._iterate()
        iteration = self.solver.iteration
        if iteration == before and self._left is not None:
            return self._left
        at_end = iteration == self.stop.iterations
        if at_end or self.schedule.includes(iteration):
            measured = self._measure()
            if self.schedule.includes(iteration):
                self.trace.append(self._point(measured))
            if self._reached(measured):
                return "target"
        if at_end:
            return "iterations"
        if self._has_dealt():
            return "deals"
        if self.schedule.includes(iteration) and self.stalled and self.stalled(self.trace):
            return "stalled"
        if self._left is not None:
            return self._left
        if self._is_over():
            return "seconds"
        told = self._told_to_end(interrupt)
        if told is not None:
            return told
        self._save_if_due()
        return None if self._failure is None else "interrupted"

    def _told_to_end(self, interrupt: Interrupt) -> StopReason | None:
        """Report, unless the user has interrupted the run; the reason to stop, or None."""
        if interrupt.requested:
            return "interrupted"
        try:
            return None if self._notify() else "callback"
        except KeyboardInterrupt:
            return "interrupted"

    def _is_to_be_left(self, interrupt: Interrupt) -> bool:
        """Whether an iteration is to be left where it is, or what a measurement fits is to end."""
        now = time.perf_counter()
        if self._left is None:
            seconds = self.stop.seconds
            if interrupt.requested:
                self._left = "interrupted"
            elif seconds is not None and self._elapsed() > seconds + allowed_overrun(seconds):
                self._left = "seconds"
            elif self._measured is not None and now - self._asked_at >= PIECE_SECONDS:
                self._left = self._told_to_end(interrupt)
                self._asked_at = time.perf_counter()
            self._left_at = now
        if self._left is None:
            return False
        return not self._is_measuring or now - self._left_at > _FINISH_SECONDS

    def _iterate(self) -> None:
        """Run to the next measurement, or for a slice of time if that comes first."""
        iteration = self.solver.iteration
        end = self.schedule.next(iteration)
        if self.stop.iterations is not None:
            end = min(end, self.stop.iterations)
        seconds = SLICE_SECONDS
        if self.stop.seconds is not None:
            seconds = min(seconds, max(0.0, self.stop.seconds - self._elapsed()))
        whole = (iteration + self._pace.iterations_in(seconds)) // self.step_multiple
        stop = max(whole, iteration // self.step_multiple + 1) * self.step_multiple
        count = min(end, stop) - iteration
        self._sound = False
        start = time.perf_counter()
        self.solver.run(count)
        self._sound = True
        spent = time.perf_counter() - start
        self.seconds += spent
        if self.solver.iteration > iteration:
            self._pace.add(self.solver.iteration - iteration, spent)

    @property
    def _deals(self) -> int | None:
        """The deals of a solver that counts them."""
        return getattr(self.solver, "deals", None)

    @property
    def _deals_per_second(self) -> float | None:
        """Since the loop began; None where no deals are counted, or no time has passed."""
        deals, (seconds, earlier) = self._deals, self._began
        if deals is None or self.seconds <= seconds:
            return None
        return (deals - earlier) / (self.seconds - seconds)

    def _has_dealt(self) -> bool:
        """Whether all deals of the limit have been played."""
        deals = self._deals
        return deals is not None and self.stop.deals is not None and deals >= self.stop.deals

    def _is_over(self) -> bool:
        """Whether the time is over, or would be by far after one more iteration."""
        if self.stop.seconds is None:
            return False
        left = self.stop.seconds - self._elapsed()
        needed = self._measures[-1] if len(self._measures) > 1 else 0.0
        if self._pace.runs > 1:
            needed += self.step_multiple / self._pace.rate
        return left <= 0.0 or needed > left + allowed_overrun(self.stop.seconds)

    def _elapsed(self) -> float:
        """Seconds that count against the limit."""
        since = self._started if self.stop.since is None else self.stop.since
        return time.perf_counter() - since - (self._paused() - self._paused_before)

    def _paused(self) -> float:
        """Seconds so far in which the run waited for others."""
        return 0.0 if self.stop.paused is None else self.stop.paused()

    def _measure(self) -> M:
        """The measurement of the present state, taken once."""
        if self._measured is None or self._measured_at != self.solver.iteration:
            self._sound, self._is_measuring = False, True
            start = time.perf_counter()
            try:
                self._measured = self.measure()
            finally:
                self._is_measuring = False
            if self.stop.target_of is not None:
                self._target = self.stop.target_of()
            self._sound = True
            self._measure_seconds = time.perf_counter() - start
            self._measures = [*self._measures[-1:], self._measure_seconds]
            self.seconds += self._measure_seconds
            self._measured_at = self.solver.iteration
        return self._measured

    def _point(self, measured: M) -> TracePoint:
        concept, gap = getattr(measured, "gap_figure", None) or (None, None)
        return TracePoint(
            iteration=self.solver.iteration,
            seconds=self.seconds,
            nash_conv=measured.nash_conv,
            exploitability=measured.exploitability,
            values=measured.values,
            gap=gap,
            concept=concept,
            nodes=None if self.nodes is None else self.nodes(),
        )

    def _reached(self, measured: M) -> bool:
        target = self._target
        return target is not None and measured.measure <= target and measured.constraints_met

    def _notify(self) -> bool:
        if self.report is None:
            return True
        measured = self._measured if self._measured is not None else self._measure()
        event = ProgressEvent(
            iteration=self.solver.iteration,
            seconds=self.seconds,
            measured=measured,
            measured_at=self._measured_at,
            iterations_per_second=self._pace.rate,
            eta_seconds=self._eta(),
            target=self._target,
            deals=self._deals,
            deals_per_second=self._deals_per_second,
        )
        answer = self.report(event)
        if isinstance(answer, str) and answer == "save":
            self._save_wanted = not self._sound  # in the middle of an iteration: after it
            self._save_if_sound()
        stopped = isinstance(answer, (bool, np.bool_)) and not answer
        return not stopped

    def _eta(self) -> float | None:
        """Seconds until the target is met; without one, until the run stops."""
        if self._target is not None:
            at = extrapolate_iterations(self.trace, self._target)
            if at is None and len(self.trace) < 3:  # which says nothing yet
                at = self._expected
            return None if at is None or self._pace.rate <= 0.0 else self._seconds_until(at)
        candidates = []
        if self.stop.seconds is not None:
            candidates.append(max(0.0, self.stop.seconds - self._elapsed()))
        if self.stop.iterations is not None and self._pace.rate > 0.0:
            candidates.append(self._seconds_until(self.stop.iterations))
        deals, speed = self._deals, self._deals_per_second
        if self.stop.deals is not None and deals is not None and speed:
            candidates.append(max(0.0, self.stop.deals - deals) / speed)
        return min(candidates, default=None)

    def _seconds_until(self, iteration: float) -> float:
        """Seconds up to an iteration at the present speed, its measurements included."""
        left = max(0.0, iteration - self.solver.iteration)
        if not self._measure_seconds or not left:
            return left / self._pace.rate
        measured, at = 0, self.solver.iteration
        while measured < _LOOK_AHEAD and (then := self.schedule.next(at)) <= iteration:
            measured, at = measured + 1, then
        share = left / (at - self.solver.iteration) if measured == _LOOK_AHEAD else 1.0
        return left / self._pace.rate + measured * share * self._measure_seconds

    def _save_if_due(self) -> None:
        wait = max(self.save_every, _SAVE_SHARE * self._save_cost)
        if self._save_wanted or time.perf_counter() - self._saved >= wait:
            self._save_wanted = False
            self._save_now()

    def _save_if_sound(self) -> None:
        if self._sound:
            self._save_now()

    def _save_now(self) -> None:
        """Save; a failure is kept, so that what was reached is not thrown away with it."""
        if self.save is None or self._failure is not None:
            return
        start = time.perf_counter()
        try:
            self.save(tuple(self.trace), self.seconds)
        except OutputError as error:
            self._failure = error
        self._saved = time.perf_counter()
        self._save_cost = self._saved - start
