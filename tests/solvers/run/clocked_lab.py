"""A solver and its measure on a clock of their own, to test the driver loop with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from equilibrist.solvers.run import loop as run_module
from equilibrist.solvers.run.loop import Loop, Outcome, ProgressEvent
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import HasMeasure, TracePoint


@dataclass(frozen=True)
class Reading(HasMeasure):
    """A measurement that falls like 1 / iteration."""

    nash_conv: float
    exploitability: float | None
    values: tuple[float, ...] = (0.5, -0.5)


class Lab:
    """A solver, its measure, and the clock that they use up."""

    def __init__(self, cost: float = 1e-5, measure_cost: float = 2e-5) -> None:
        self.now = 100.0
        self.cost, self.measure_cost = cost, measure_cost
        self.iteration = 0
        self.chunks: list[int] = []
        self.events: list[ProgressEvent[Reading]] = []
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

    def report(self, event: ProgressEvent[Reading]) -> bool | None:
        self.events.append(event)
        return None

    def save(self, trace: tuple[TracePoint, ...], seconds: float) -> None:
        self.saves.append((self.iteration, self.now, [p.iteration for p in trace]))

    def loop(self, stop: StopRule, **options: Any) -> Loop[Reading]:
        options.setdefault("report", self.report)
        return Loop(self, self.measure, stop, **options)


AnyLab = TypeVar("AnyLab", bound=Lab)


def on_clock(monkeypatch: pytest.MonkeyPatch, lab: AnyLab) -> AnyLab:
    monkeypatch.setattr(run_module, "time", lab)
    return lab


def iterations_of(outcome: Outcome[Reading]) -> list[int]:
    return [point.iteration for point in outcome.trace]


def points(*pairs: tuple[int, float]) -> list[TracePoint]:
    return [TracePoint(t, 0.0, 2 * y, y, ()) for t, y in pairs]
