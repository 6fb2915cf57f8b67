"""The state of a solver, as it is copied, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class SolverState:
    """All that a run needs to go on: float64[S] arrays in engine order and the iteration.

    `kept` are those that a rule remembers besides regrets, by name.
    """

    regret: FloatArray
    behaviour: FloatArray
    strategy_sum: FloatArray
    iteration: int
    kept: Mapping[str, FloatArray] = field(default_factory=dict)


@dataclass(frozen=True)
class SamplingState:
    """All that a sampling run needs to go on: float64[Q] in public order, counts, and the seed.

    `kept` are the arrays that the sampler itself keeps between iterations, by name; `before` those
    of the tables as the present round began, if it is not over (`plan.Rounds`).
    """

    regret: FloatArray
    strategy_sum: FloatArray
    iteration: int
    nodes_touched: int
    seed: int
    kept: Mapping[str, np.ndarray] = field(default_factory=dict)
    before: Mapping[str, np.ndarray] = field(default_factory=dict)
