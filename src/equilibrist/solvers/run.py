"""The loop around every iterative solver: when to measure, when to stop, when to save.

The state of a run never depends on how it is cut into pieces, so that pieces may follow the
clock. What is measured, and therefore where `target` is checked, depends on the iteration
number alone: a run that was killed and resumed leaves the same trace as one that was not.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Generic, Literal, Protocol, TypeVar

_SLICE_SECONDS = 0.05
"""How long kernels run between two looks at the clock, at the signals and at the callback."""
_SQUARES_UNTIL = 2500
"""Up to here every square is measured, then every 4 %: the gaps fit where they meet."""
_SHARE = 25

StopReason = Literal["target", "iterations", "time", "interrupted", "callback"]


class Solver(Protocol):
    """What the loop needs of a solver: it counts, and it runs on by `iterations`."""

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        ...

    def run(self, iterations: int, /) -> object:
        """Run that many more; the state must not depend on how they are cut into calls."""
        ...


class Measured(Protocol):
    """What a measure gives back (`evaluation.Evaluation` is one)."""

    @property
    def values(self) -> tuple[float, ...]:
        """Each player's value."""
        ...

    @property
    def nash_conv(self) -> float:
        """Sum of the players' gains."""
        ...

    @property
    def exploitability(self) -> float | None:
        """nash_conv / 2 where that has a meaning."""
        ...

    @property
    def measure(self) -> float:
        """The number that is held against the target."""
        ...


M = TypeVar("M", bound=Measured)


@dataclass(frozen=True)
class TracePoint:
    """One measurement: after `iteration` iterations and `seconds` of solving."""

    iteration: int
    seconds: float
    nash_conv: float
    exploitability: float | None
    values: tuple[float, ...]


@dataclass(frozen=True)
class Stop:
    """When to stop: whichever comes first; None never comes. `seconds` counts from this call."""

    iterations: int | None = None
    target: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Moment(Generic[M]):
    """What the loop reports about 20 times a second.

    `measured` is the newest measurement, made after `measured_at` iterations; `eta_seconds`
    estimates when the run will stop (None: unknown).
    """

    iteration: int
    seconds: float
    measured: M
    measured_at: int
    iterations_per_second: float
    eta_seconds: float | None


@dataclass(frozen=True)
class Outcome(Generic[M]):
    """How a run ended. `measured` is the state's, after the last iteration."""

    measured: M
    trace: tuple[TracePoint, ...]
    seconds: float
    stopped_by: StopReason


def is_scheduled(iteration: int) -> bool:
    """Whether the measure is taken after `iteration` iterations, in every run that gets there."""
    return iteration > 0 and next_scheduled(iteration - 1) == iteration


def next_scheduled(iteration: int) -> int:
    """The first iteration after `iteration` at which the measure is taken.

    Squares (1, 4, 9, ...) up to 2,500, then every 4 % (2,600, 2,704, ...). A measurement costs
    about as much as two iterations: that makes 20 % of the time after 100 iterations, 6 % after
    1,000 and 2 % after 10,000.
    """
    if iteration < _SQUARES_UNTIL:
        return (math.isqrt(iteration) + 1) ** 2
    point = _SQUARES_UNTIL
    while point <= iteration:
        point += point // _SHARE
    return point


class Loop(Generic[M]):
    """One run of a solver, from where it stands until something stops it."""

    def __init__(
        self,
        solver: Solver,
        measure: Callable[[], M],
        stop: Stop,
        *,
        trace: Sequence[TracePoint] = (),
        seconds: float = 0.0,
        report: Callable[[Moment[M]], bool | None] | None = None,
        save: Callable[[tuple[TracePoint, ...], float], None] | None = None,
        save_every: float = 10.0,
    ) -> None:
        """Prepare; `trace` and `seconds` are those of the run that is resumed.

        `report` is called about 20 times a second and stops the run by returning False. `save`
        is called every `save_every` seconds and at the end, with the trace and seconds so far.
        """
        self.solver, self.measure, self.stop = solver, measure, stop
        self.trace = [point for point in trace if is_scheduled(point.iteration)]
        self.seconds = seconds
        self.report, self.save, self.save_every = report, save, save_every
        self._measured: M | None = None
        self._measured_at = -1
        self._pace = _Pace()
        self._started = self._saved = time.perf_counter()
        self._save_cost = 0.0

    def run(self) -> Outcome[M]:
        """Run until something stops it. The solver holds the state."""
        self._started = self._saved = time.perf_counter()
        with _interrupts() as interrupt:
            reason = self._on_entry()
            while reason is None:
                reason = self._step(interrupt)
        if self.save is not None:
            self.save(tuple(self.trace), self.seconds)
        measured = self._measure()
        points = list(self.trace)
        if not points or points[-1].iteration != self.solver.iteration:
            points.append(self._point(measured))
        return Outcome(measured, tuple(points), self.seconds, reason)

    def _on_entry(self) -> StopReason | None:
        """A resumed run may stand where it should stop."""
        if self.solver.iteration == 0:
            return None
        at_point = is_scheduled(self.solver.iteration)
        if at_point and self._reached(self._measure()):
            return "target"
        return self._at_limit()

    def _step(self, interrupt: _Interrupt) -> StopReason | None:
        """One slice: iterate, measure if it is time, report, save. The reason to stop, or None."""
        self._iterate()
        iteration = self.solver.iteration
        if is_scheduled(iteration) or iteration == self.stop.iterations:
            measured = self._measure()
            if is_scheduled(iteration):
                self.trace.append(self._point(measured))
            if self._reached(measured):
                return "target"
        reason = self._at_limit()
        if reason is not None:
            return reason
        if interrupt.requested:
            return "interrupted"
        try:
            if not self._tell():
                return "callback"
        except KeyboardInterrupt:
            return "interrupted"
        self._save_if_due()
        return None

    def _iterate(self) -> None:
        """Run to the next measurement, or for a slice of time if that comes first."""
        iteration = self.solver.iteration
        end = next_scheduled(iteration)
        if self.stop.iterations is not None:
            end = min(end, self.stop.iterations)
        seconds = _SLICE_SECONDS
        if self.stop.seconds is not None:
            seconds = min(seconds, max(0.0, self.stop.seconds - self._elapsed()))
        count = min(end - iteration, self._pace.iterations_in(seconds))
        start = time.perf_counter()
        self.solver.run(count)
        spent = time.perf_counter() - start
        self.seconds += spent
        self._pace.add(count, spent)

    def _elapsed(self) -> float:
        return time.perf_counter() - self._started

    def _measure(self) -> M:
        """The measurement of the present state, taken once."""
        if self._measured is None or self._measured_at != self.solver.iteration:
            start = time.perf_counter()
            self._measured = self.measure()
            self.seconds += time.perf_counter() - start
            self._measured_at = self.solver.iteration
        return self._measured

    def _point(self, measured: M) -> TracePoint:
        return TracePoint(
            iteration=self.solver.iteration,
            seconds=self.seconds,
            nash_conv=measured.nash_conv,
            exploitability=measured.exploitability,
            values=measured.values,
        )

    def _reached(self, measured: M) -> bool:
        return self.stop.target is not None and measured.measure <= self.stop.target

    def _at_limit(self) -> StopReason | None:
        if self.stop.iterations is not None and self.solver.iteration >= self.stop.iterations:
            return "iterations"
        if self.stop.seconds is not None and self._elapsed() >= self.stop.seconds:
            return "time"
        return None

    def _tell(self) -> bool:
        if self.report is None:
            return True
        measured = self._measured if self._measured is not None else self._measure()
        moment = Moment(
            iteration=self.solver.iteration,
            seconds=self.seconds,
            measured=measured,
            measured_at=self._measured_at,
            iterations_per_second=self._pace.rate,
            eta_seconds=self._eta(),
        )
        return self.report(moment) is not False

    def _eta(self) -> float | None:
        """Seconds until the first of the stopping conditions, as far as they can be foreseen."""
        candidates = []
        if self.stop.seconds is not None:
            candidates.append(max(0.0, self.stop.seconds - self._elapsed()))
        wanted = []
        if self.stop.iterations is not None:
            wanted.append(float(self.stop.iterations))
        if self.stop.target is not None:
            at = foresee(self.trace, self.stop.target)
            if at is not None:
                wanted.append(at)
        if self._pace.rate > 0.0:
            candidates += [max(0.0, w - self.solver.iteration) / self._pace.rate for w in wanted]
        return min(candidates, default=None)

    def _save_if_due(self) -> None:
        # Saving may take at most a twentieth of the time, however large the state.
        wait = max(self.save_every, 20.0 * self._save_cost)
        if self.save is None or time.perf_counter() - self._saved < wait:
            return
        start = time.perf_counter()
        self.save(tuple(self.trace), self.seconds)
        self._saved = time.perf_counter()
        self._save_cost = self._saved - start


def foresee(trace: Sequence[TracePoint], target: float) -> float | None:
    """The iteration at which a straight line in the log-log plot meets `target`.

    The line goes through the newest point and the one nearest to half as many iterations; None
    while it does not fall.
    """
    if len(trace) < 3:
        return None
    new = trace[-1]
    old = min(trace[:-1], key=lambda point: abs(point.iteration - new.iteration / 2))
    y0, y1 = (p.nash_conv if p.exploitability is None else p.exploitability for p in (old, new))
    if y1 <= target:
        return float(new.iteration)
    if target <= 0.0 or y1 >= y0:
        return None
    slope = math.log(y0 / y1) / math.log(new.iteration / old.iteration)
    exponent = math.log(y1 / target) / slope
    return new.iteration * math.exp(exponent) if exponent < 50.0 else None


@dataclass
class _Pace:
    """How many iterations fit into a slice of time, learnt from those that ran."""

    rate: float = 0.0
    _largest: int = field(default=0)

    def iterations_in(self, seconds: float) -> int:
        """At least 1, and at most eight times what was tried before."""
        return max(1, min(int(self.rate * seconds), 8 * self._largest))

    def add(self, count: int, seconds: float) -> None:
        """Learn from `count` iterations; short runs say little about the rate."""
        self._largest = max(self._largest, count)
        new = count / max(seconds, 1e-9)
        share = min(1.0, max(0.3, seconds / _SLICE_SECONDS))
        self.rate = new if self.rate == 0.0 else self.rate + share * (new - self.rate)


@dataclass
class _Interrupt:
    """Whether Ctrl-C was pressed."""

    requested: bool = False


@contextmanager
def _interrupts() -> Iterator[_Interrupt]:
    """Note Ctrl-C instead of raising, so that no state is left half updated.

    A second Ctrl-C raises KeyboardInterrupt as usual. Does nothing outside the main thread, or
    where the program handles (or ignores) the signal itself.
    """
    interrupt = _Interrupt()
    ordinary = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or not ordinary:
        yield interrupt
        return

    def note(_number: int, _frame: FrameType | None) -> None:
        interrupt.requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
