"""How older iterations of a training count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Discount:
    """How older iterations count: before iteration t, with n = t - 1, sums are multiplied.

    Attributes:
        regret: Positive regrets by n^regret / (n^regret + 1).
        negative: Negative regrets likewise.
        average: Average strategies by (n / t)^average.
    """

    regret: float = 1.5
    negative: float = 0.0
    average: float = 2.0

    def factors(self, iteration: int) -> NDArray[np.float32]:
        """The factors before an iteration.

        Args:
            iteration: The iteration, counted from 1.

        Returns:
            float32[3]: of positive regrets, negative regrets and average strategies.
        """
        before = iteration - 1.0
        if not before:
            return np.zeros(3, np.float32)
        powers = before**self.regret, before**self.negative
        found = [power / (power + 1.0) for power in powers]
        return np.array([*found, (before / iteration) ** self.average], np.float32)


DCFR: Final = Discount()
"""Discounted CFR: negative regrets are halved each time."""
LINEAR: Final = Discount(1.0, 1.0, 1.0)
"""Iteration t has weight t: linear CFR."""
DEFAULT: Final = LINEAR
"""What training takes if nothing is given."""
