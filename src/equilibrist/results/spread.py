"""Spread: the median of several runs, and an interval for it; Reached: when they came so far."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from equilibrist.formatting.documents import document

_MISSED: Final = 0.05
"""How often the interval may miss the median of all possible runs."""


@dataclass(frozen=True)
class Spread:
    """The median of some runs, and an interval for the median of all possible runs.

    The interval lies between two of the values, chosen so that it contains the true median with a
    probability of at least 95 %, whatever the distribution (order statistics). Fewer than six runs
    have no such interval: it is then their whole range.

    Attributes:
        median: The median of the values.
        low: The lower end of the interval.
        high: The upper end.
        runs: How many values there are.
    """

    median: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """The spread of at least one value.

        Args:
            values: A number from each run, infinite where a run got to none.

        Returns:
            The spread.
        """
        ordered = sorted(values)
        rank = _rank(len(ordered))
        return cls(median(ordered), ordered[rank], ordered[-1 - rank], len(ordered))

    @property
    def is_confident(self) -> bool:
        """Whether the interval is one of 95 %, and not the range of too few runs."""
        return self.runs >= 6

    @property
    def words(self) -> str:
        """What the interval is: `95 % interval`, or `range of 5 runs`."""
        return "95 % interval" if self.is_confident else f"range of {self.runs} runs"

    def to_dict(self) -> dict[str, float | None]:
        """Median and interval as JSON can hold them: None for what is infinite.

        Returns:
            The keys median, low and high.
        """
        numbers = document(self, "median low high")
        return {name: x if math.isfinite(x) else None for name, x in numbers.items()}


@dataclass(frozen=True)
class Reached:
    """When the runs of one algorithm first measured at most a level.

    Attributes:
        count: With how many seeds they did.
        iterations: After how many iterations; infinite for those that did not.
        seconds: After how many seconds.
    """

    count: int
    iterations: Spread
    seconds: Spread

    @property
    def text(self) -> str:
        """The medians, such as `1,200 it 0.3 s`; a dash if fewer than half of the seeds did."""
        runs = self.iterations.runs
        some = "" if self.count in (0, runs) else f" ({self.count} of {runs})"
        if not math.isfinite(self.iterations.median):
            return f"-{some}"
        return f"{count_text(self.iterations.median)} {self.seconds.median:.3g} s{some}"

    def to_dict(self) -> dict[str, Any]:
        """Make a document of how often and when the level was reached.

        Returns:
            The keys count, iterations and seconds.
        """
        return document(self)


def count_text(iterations: float) -> str:
    """Iterations; an algorithm that solves directly has none."""
    return f"{iterations:,.0f} it" if iterations else "exact"


def _rank(runs: int) -> int:
    """Count the smallest values that the interval leaves out, and as many of the largest."""
    # 2 P(Bin(runs, 1/2) <= k): the probability that the median lies outside what is left.
    outside, rank = 0.0, 0
    for k in range(runs // 2):
        outside += 2.0 * math.comb(runs, k) / 2.0**runs
        if outside > _MISSED:
            break
        rank = k
    return rank
