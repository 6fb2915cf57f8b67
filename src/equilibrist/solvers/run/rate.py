"""How many iterations fit into a stretch of time, estimated from those that ran."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SLICE_SECONDS: Final = 0.05
"""How long kernels run between two checks of the clock, signals and callbacks."""
PIECE_SECONDS: Final = 0.25
"""How long they run at most where nothing but signals is looked at."""


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
        """At least 1, and at most eight times what was tried before.

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
