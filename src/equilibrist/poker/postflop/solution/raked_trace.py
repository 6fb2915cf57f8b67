"""Measurements of a run on a spot with rake, whose payoffs add up to no constant."""

from __future__ import annotations

from collections.abc import Iterable

from equilibrist.solvers.run.trace import TracePoint


class RakedPoint(TracePoint):
    """A measurement of a spot with rake: its `measure` is the mean gain, as that of the result."""

    @property
    def measure(self) -> float:
        """The mean gain, half of NashConv, in chips."""
        return self.nash_conv / 2

    @property
    def measure_name(self) -> str:
        """Mean gain."""
        return "mean gain"


def raked_trace(trace: Iterable[TracePoint]) -> tuple[RakedPoint, ...]:
    """The points without an exploitability, as which early files have the mean gain."""
    return tuple(RakedPoint(p.iteration, p.seconds, p.nash_conv, None, p.values) for p in trace)
