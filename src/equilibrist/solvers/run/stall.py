"""When more iterations have ceased to help, and how to get back to the best strategy seen.

In low precision large sums absorb small additions: from some iteration on the measure stays where
it is, or rises again, and a target that it has not met by then is never met. A run has stalled if
over the last decade of iterations, from a tenth of them on, nothing measured was better than what
was measured before. No run stalls before 10,000 iterations.

The best strategy is not kept in between, which would take as much memory again as all averages, for
runs that hardly ever need it. Runs are deterministic, and it is in the first tenth: it is computed
again, in at most a tenth of the time that the run took.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.trace import TracePoint

LEAST_ITERATIONS: Final = 10_000
"""Iterations before which no run is taken to have stalled."""
_DECADE: Final = 10
_SLICES: Final = 200
"""Parts of the way back, between which an interrupt is noticed."""


class Restartable(Protocol):
    """A solver that can begin again."""

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        ...

    def run(self, iterations: int, /) -> object:
        """Run that many more; the state does not depend on how they are cut into calls."""
        ...

    def begin_again(self) -> None:
        """Forget all iterations."""
        ...


def has_stalled(trace: Sequence[TracePoint]) -> bool:
    """Whether the measure has not fallen for a decade of iterations.

    Args:
        trace: The measurements so far, in their order.
    """
    if not trace or trace[-1].iteration < LEAST_ITERATIONS:
        return False
    last = trace[-1].iteration
    before = [point.measure for point in trace if point.iteration * _DECADE <= last]
    since = [point.measure for point in trace if point.iteration * _DECADE > last]
    return bool(before) and 0.0 < min(before) <= min(since)


def best_point(trace: Sequence[TracePoint]) -> TracePoint:
    """The best measurement, the first of equals.

    Args:
        trace: The measurements, at least one.
    """
    return min(trace, key=lambda point: point.measure)


def go_back(solver: Restartable, iteration: int) -> None:
    """Bring a solver back to where it stood after so many iterations; Ctrl-C ends that earlier.

    Args:
        solver: The solver.
        iteration: How many, fewer than it has run.
    """
    with noted_interrupts() as interrupt:
        solver.begin_again()
        while solver.iteration < iteration and not interrupt.requested:
            solver.run(min(iteration - solver.iteration, iteration // _SLICES + 1))


def stall_text(measure: str, trace: Sequence[TracePoint], kept: int, remedy: str) -> str:
    """The sentence on a run that stalled: since when, what was kept, and the remedy.

    Args:
        measure: What its measure is called.
        trace: Its measurements.
        kept: The iteration whose strategies it ended with.
        remedy: What may go further.
    """
    best, last = best_point(trace).iteration, trace[-1].iteration
    back = f", and the strategies of iteration {kept:,} were kept" * (kept != last)
    return (
        f"{measure} has not fallen since iteration {best:,}, so the run stopped at iteration "
        f"{last:,}{back}; {remedy}"
    )
