"""Where the solving of a spot stands, as those who follow it are told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    Attributes:
        iteration: Iterations so far.
        seconds: Seconds of solving so far.
        mean_gain: The newest measurement, in chips: what best responses gain, the mean of both
            players. Without rake that is the exploitability.
        pot: The pot at the root, in chips.
        target: The mean gain that ends the run, in chips, if there is one.
        iterations_per_second: How fast it is.
        missed_frequency: By how much the newest measurement misses a locked frequency, as a share
            of the range, 0 without any.
        eta_seconds: Seconds until the target is met, or without one until the run stops; None
            where that cannot be foreseen.
        measure_name: What `mean_gain` is called: `exploitability`, or `mean gain` with rake.
    """

    iteration: int
    seconds: float
    mean_gain: float
    pot: int
    target: float | None
    iterations_per_second: float
    eta_seconds: float | None
    missed_frequency: float = 0.0
    measure_name: str = "exploitability"

    @property
    def mean_gain_percent(self) -> float:
        """The newest measurement in percent of the pot."""
        return 100 * self.mean_gain / self.pot
