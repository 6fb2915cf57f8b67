"""When two results are the same."""

from __future__ import annotations

from dataclasses import replace

from equilibrist.solving import Result


def same(one: Result, other: Result) -> bool:
    """Equal to the bit, but for the seconds."""
    return (
        one.strategy.probabilities.tobytes() == other.strategy.probabilities.tobytes()
        and one.evaluation == other.evaluation
        and one.iterations == other.iterations
        and one.stopped_by == other.stopped_by
        and [replace(p, seconds=0) for p in one.trace]
        == [replace(p, seconds=0) for p in other.trace]
    )
