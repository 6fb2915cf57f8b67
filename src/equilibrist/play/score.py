"""The running score of a session, with intervals that hold for few hands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from equilibrist.evaluation.duplicates import Estimate, student_95


@dataclass(frozen=True)
class Score:
    """Payoffs per hand of each seat, in payoff units.

    Attributes:
        hands: Complete hands.
        totals: What each seat has won.
        means: The same per hand.
        half_widths: Half the width of the 95 % intervals of the means (Student's t over independent
            hands); None before the second hand, and as long as all hands paid the same: that says
            nothing yet about how much they vary.
        bounds: The least and the most that each seat can win in a hand; None if that is not known.
    """

    hands: int
    totals: tuple[float, ...]
    means: tuple[float, ...]
    half_widths: tuple[float | None, ...]
    bounds: tuple[tuple[float, float], ...] | None = None

    def interval(self, seat: int) -> tuple[float, float] | None:
        """The 95 % interval of a seat's mean.

        Args:
            seat: The seat.

        Returns:
            Its ends in payoff units, not beyond what a hand can pay; None where `half_widths` has
            None.
        """
        half = self.half_widths[seat]
        if half is None:
            return None
        mean = Estimate(self.means[seat], half)
        return mean.interval if self.bounds is None else mean.interval_within(*self.bounds[seat])


class Tally:
    """Running means and sums of squares of the payoffs (Welford's recurrence)."""

    def __init__(self, seats: int, bounds: tuple[tuple[float, float], ...] | None = None) -> None:
        self.hands, self.bounds = 0, bounds
        self._totals = [0.0] * seats
        self._means = [0.0] * seats
        self._squares = [0.0] * seats

    def add(self, payoffs: Sequence[float]) -> None:
        """Count one hand; `payoffs` by seat."""
        self.hands += 1
        for seat, payoff in enumerate(payoffs):
            self._totals[seat] += payoff
            before = payoff - self._means[seat]
            self._means[seat] += before / self.hands
            self._squares[seat] += before * (payoff - self._means[seat])

    @property
    def score(self) -> Score:
        """The score of the hands counted so far."""
        halves: list[float | None] = [None] * len(self._means)
        if self.hands > 1:
            t = student_95(self.hands)
            halves = [
                t * math.sqrt(squares / (self.hands - 1) / self.hands) if squares > 0.0 else None
                for squares in self._squares
            ]
        return Score(
            self.hands, tuple(self._totals), tuple(self._means), tuple(halves), self.bounds
        )
