"""When more iterations have ceased to help, and how to get back to the best strategy seen.

In low precision large sums absorb small additions: from some iteration on the measure stays where
it is, or rises again, and a target that it has not met by then is never met. A run has stalled if
over the last decade of iterations, from a tenth of them on, nothing measured was better than what
was measured before. No run stalls before 10,000 iterations.

However a run ends, its last strategies are not what it is for if the measure is more than twice its
least, or no less than it was at a tenth of the iterations. Then the best ones are the result. What
rises by less is how measures waver on their way down.

The best strategy is not kept in between, which would take as much memory again as all averages, for
runs that hardly ever need it. Runs are deterministic: it is computed again. After a decade without
improvement that takes at most a tenth of the time of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.trace import TracePoint

LEAST_ITERATIONS: Final = 10_000
"""Iterations before which no run is taken to have stalled."""
_DECADE: Final = 10
_MUCH: Final = 2.0
"""How many times as large as the least a measure is that is worse by much."""
_SETTLED: Final = 0.99
"""What is left of a measure after a decade of iterations, at the least, where it has a floor."""
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


def has_settled(trace: Sequence[TracePoint]) -> bool:
    """Whether the measure has fallen by less than 1 % over the last decade of iterations.

    So it ends where it has a floor above 0: in an abstraction, with trembles, by an algorithm that
    does not converge in such a game. Measures that converge fall by a factor of 3 or more. After a
    warm start they rise at first: what falls within the decade has not settled either.

    Args:
        trace: The measurements so far, in their order.
    """
    if not trace or trace[-1].iteration < LEAST_ITERATIONS:
        return False
    last = trace[-1].iteration
    before, early, late = (
        [p.measure for p in trace if low * last < p.iteration <= high * last]
        for low, high in ((0.0, 1 / _DECADE), (1 / _DECADE, _DECADE**-0.5), (_DECADE**-0.5, 1.0))
    )
    if not before or not early:
        return False
    still_falls = min(late) <= _SETTLED * min(early)
    return not still_falls and min(*before, *early, *late) > _SETTLED * min(before)


def best_point(trace: Sequence[TracePoint]) -> TracePoint:
    """The best measurement, the first of equals.

    Args:
        trace: The measurements, at least one.
    """
    return min(trace, key=lambda point: point.measure)


def point_to_end_with(
    trace: Sequence[TracePoint], stopped_by: str, negligible: float = 0.0
) -> TracePoint:
    """The measurement whose strategies a run should end with.

    Args:
        trace: The measurements, at least one.
        stopped_by: What ended the run.
        negligible: The largest measure that counts as none.

    Returns:
        The last, or the best where the last is more than twice as large, or not less than one from
        the first tenth of the iterations.
    """
    best, last = best_point(trace), trace[-1]
    if stopped_by == "stalled":
        return best
    if stopped_by == "target" or last.measure <= max(best.measure, negligible):
        return last
    before = [point.measure for point in trace if point.iteration * _DECADE <= last.iteration]
    no_better = bool(before) and min(before) <= last.measure
    return best if no_better or last.measure > _MUCH * best.measure else last


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


def kept_text(
    measure: str,
    trace: Sequence[TracePoint],
    kept: int,
    stopped_by: str,
    negligible: float = 0.0,
) -> str:
    """The sentence on a run that was stopped while earlier strategies were better by much.

    Args:
        measure: What its measure is called.
        trace: Its measurements.
        kept: The iteration whose strategies it ended with.
        stopped_by: What ended it.
        negligible: As in `point_to_end_with`.

    Returns:
        The sentence; empty for all other runs.
    """
    if not trace:
        return ""
    last = trace[-1]
    if kept != last.iteration:
        return (
            f"the strategies of iteration {kept:,} were kept: {measure} was larger at iteration "
            f"{last.iteration:,}, {last.measure:.4g}"
        )
    best = point_to_end_with(trace, stopped_by, negligible)
    if best is last:
        return ""
    return (
        f"{measure} was less at iteration {best.iteration:,}, {best.measure:.4g}; a run of so many "
        "iterations gives its strategies"
    )
