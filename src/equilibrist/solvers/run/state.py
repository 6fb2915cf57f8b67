"""The state of a solver, as it is copied, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from equilibrist.typing import FloatArray, Int64Array


def in_proportion(weights: FloatArray, offset: Int64Array) -> FloatArray:
    """Give strategies in proportion to weights.

    Args:
        weights: float64[Q], not negative.
        offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

    Returns:
        float64[Q]: probabilities; uniform where all weights of an infoset are zero.
    """
    counts = np.diff(offset)
    if not len(counts):
        return weights.copy()
    totals = np.repeat(np.add.reduceat(weights, offset[:-1]), counts)
    uniform = np.repeat(1.0 / counts, counts)
    return np.where(totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), uniform)


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
