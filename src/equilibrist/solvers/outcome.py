"""Outcome sampling and the averages that it can take on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.arguments import refused
from equilibrist.solvers.sampler import FitsAll, Tables

_COLUMNS = 3


def checked_epsilon(epsilon: object) -> float:
    """`epsilon` as a float in (0, 1]; ConfigError with the reason otherwise."""
    if isinstance(epsilon, int | float) and not isinstance(epsilon, bool) and 0 < epsilon <= 1:
        return float(epsilon)
    raise refused(
        "epsilon",
        epsilon,
        "a number above 0 and at most 1: it is the probability of trying any action, and an "
        "action that is never tried is never regretted",
    )


@dataclass(frozen=True)
class Outcome(FitsAll):
    """One trajectory per player: that player explores, all others and chance are on policy."""

    name: ClassVar[str] = "outcome"
    summary: ClassVar[str] = "one trajectory; the traverser explores, the others are on policy"
    paper: ClassVar[str] = (
        "Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in "
        "Extensive Games. NIPS 2009"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic", "strategy")

    epsilon: float = 0.6

    def __post_init__(self) -> None:
        """Refuse an epsilon outside (0, 1]."""
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`."""
        from equilibrist.kernels.outcome import outcome_sampling

        outcome_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            self.epsilon,
            weight,
            averaging == "stochastic",
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            np.zeros((tables.tree.depth + 1, _COLUMNS)),
            tables.touched,
        )
