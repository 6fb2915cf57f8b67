"""How good strategies of exact games are."""

from __future__ import annotations

from equilibrist.solvers.run.trace import HasMeasure
from equilibrist.typing import FloatArray


class ExactMeasure(HasMeasure):
    """How good the strategies of both seats are, in big blinds.

    Attributes:
        values: What each seat wins.
        best_values: What a best response wins in its place.
        nash_conv: The sum of what both best responses gain.
        exploitability: The mean.
    """

    def __init__(self, gains: FloatArray) -> None:
        self.values: tuple[float, ...] = tuple(gains[:, 0].tolist())
        self.best_values: tuple[float, ...] = tuple(gains[:, 1].tolist())
        self.nash_conv = float((gains[:, 1] - gains[:, 0]).sum())
        self.exploitability = 0.5 * self.nash_conv
