"""The state of a solver, as it is copied, saved and restored."""

from __future__ import annotations

from dataclasses import dataclass

from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class SolverState:
    """All that a run needs to go on: float64[S] arrays in engine order and the iteration."""

    regret: FloatArray
    behaviour: FloatArray
    strategy_sum: FloatArray
    iteration: int
