"""When a run is measured, which depends only on the iteration number, and the trace of results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from equilibrist.formatting.documents import document

_SQUARES_UNTIL = 2500
"""Up to here every square is measured."""
_SHARE = 25
"""From there on every 1/25 = 4 %, as wide as the gap between squares is at 2,500."""


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

    @property
    def constraints_met(self) -> bool:
        """Whether a target that is reached may end the run."""
        ...


@dataclass(frozen=True)
class Unmeasured:
    """What the loop holds in place of a measurement where nothing is measured."""

    values: tuple[float, ...] = ()
    nash_conv: float = math.nan
    exploitability: float | None = None
    measure: float = math.inf
    constraints_met: bool = True


TraceRow: TypeAlias = (
    tuple[int, float, float, float | None, list[float]]
    | tuple[int, float, float, float | None, list[float], int]
    | tuple[int, float, float, float | None, list[float], float, str]
)
"""A TracePoint as the headers of files hold it: its fields in their order, gap and concept only
where a gap was measured, nodes only where traversals were pruned."""


class HasMeasure:
    """One number for how good a strategy is, of what knows NashConv and exploitability."""

    nash_conv: float
    exploitability: float | None

    @property
    def gap_figure(self) -> tuple[str, float] | None:
        """The concept of correlated equilibrium whose gap is measured, and the gap; else None."""
        return None

    @property
    def measure(self) -> float:
        """The gap if one is measured, else exploitability where it exists, else NashConv.

        A target is held against it.
        """
        if self.gap_figure is not None:
            return self.gap_figure[1]
        return self.nash_conv if self.exploitability is None else self.exploitability

    @property
    def constraints_met(self) -> bool:
        """Whether a target that is reached may end the run: nothing else is waited for."""
        return True

    @property
    def measure_name(self) -> str:
        """What `measure` is: exploitability, NashConv, or `EFCE gap` and the like."""
        if self.gap_figure is not None:
            return f"{self.gap_figure[0].upper()} gap"
        return "NashConv" if self.exploitability is None else "exploitability"


@dataclass(frozen=True)
class TracePoint(HasMeasure):
    """One measurement of a run.

    Attributes:
        iteration: After how many iterations.
        seconds: After how many seconds of solving.
        nash_conv: The sum of the players' gains.
        exploitability: nash_conv / 2 where that has a meaning, else None.
        values: Each player's value.
        gap: The gap of `concept`, summed over players; None where none was measured.
        concept: `efce`, `efcce` or `nfcce`.
        nodes: Histories visited so far, where full traversals are pruned; else None.
    """

    iteration: int
    seconds: float
    nash_conv: float
    exploitability: float | None
    values: tuple[float, ...]
    gap: float | None = None
    concept: str | None = None
    nodes: int | None = None

    @property
    def gap_figure(self) -> tuple[str, float] | None:
        """Concept and gap."""
        return None if self.gap is None or self.concept is None else (self.concept, self.gap)

    @property
    def row(self) -> TraceRow:
        """The row that a file holds; `from_row` reads it."""
        plain = (
            self.iteration,
            self.seconds,
            self.nash_conv,
            self.exploitability,
            list(self.values),
        )
        if self.gap_figure is not None:
            return (*plain, *self.gap_figure[::-1])
        return plain if self.nodes is None else (*plain, self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them; gap, concept and nodes only where there are any.

        Returns:
            Values by name.
        """
        fields = document(self)
        if self.gap_figure is None:
            del fields["gap"], fields["concept"]
        if self.nodes is None:
            del fields["nodes"]
        return fields

    @classmethod
    def from_row(cls, row: TraceRow) -> TracePoint:
        """Read a row of a file.

        Args:
            row: The fields in their order.

        Returns:
            The measurement.
        """
        values = tuple(row[4])
        if len(row) == 6:
            return cls(*row[:4], values, nodes=row[5])
        return cls(*row[:4], values, *row[5:])


def next_scheduled(iteration: int) -> int:
    """The first iteration after `iteration` at which the measure is taken.

    Squares (1, 4, 9, ...) up to 2,500, then every 4 % (2,600, 2,704, ...). A measurement costs
    about as much as two to four iterations. At four, measuring adds 40 % to the first 100
    iterations, 13 % to the first 1,000 and 4 % to the first 10,000. Whole numbers only: the
    points are the same on all machines.
    """
    if iteration < _SQUARES_UNTIL:
        return (math.isqrt(iteration) + 1) ** 2
    point = _SQUARES_UNTIL
    while point <= iteration:
        point += point // _SHARE
    return point


@dataclass(frozen=True)
class Schedule:
    """The points of `next_scheduled` times `stride`, for iterations cheaper than a measurement.

    With a stride of ten measurements' worth of iterations, measuring takes at most a tenth of the
    time from there on. A few points before it (1/4, 1/16 and 1/64 of it) show the beginning.
    """

    stride: int = 1

    def next(self, iteration: int) -> int:
        """The first iteration after `iteration` at which the measure is taken."""
        if iteration < self.stride:
            early = (self.stride // part for part in (64, 16, 4))
            for point in early:
                if point > iteration:
                    return point
        return self.stride * next_scheduled(iteration // self.stride)

    def includes(self, iteration: int) -> bool:
        """Whether every run that gets to `iteration` takes a measurement there."""
        return iteration > 0 and self.next(iteration - 1) == iteration


NEVER: Final = Schedule(1 << 62)
"""For runs in which nothing is measured."""


def extrapolate_iterations(trace: Sequence[TracePoint], target: float) -> float | None:
    """The iteration at which a straight line in the log-log plot meets `target`.

    The line goes through the newest point and the one nearest to half as many iterations. None
    while it does not fall, or if it is met too far ahead to mean anything.
    """
    if len(trace) < 3:
        return None
    new = trace[-1]
    old = min(trace[:-1], key=lambda point: abs(point.iteration - new.iteration / 2))
    if new.measure <= target:
        return float(new.iteration)
    if target <= 0.0 or new.measure >= old.measure:
        return None
    slope = math.log(old.measure / new.measure) / math.log(new.iteration / old.iteration)
    exponent = math.log(new.measure / target) / slope
    return new.iteration * math.exp(exponent) if exponent < 50.0 else None
