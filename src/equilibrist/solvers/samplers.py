"""What an iteration of Monte Carlo CFR draws, and what it tries: one class per sampler.

A sampler is a frozen dataclass of its parameters; `run` hands the tables to its kernel. It knows
neither the variant nor how the average is taken, except what its kernel adds on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.solvers.chance import Chance
from equilibrist.solvers.escher import Escher
from equilibrist.solvers.few_actions import AverageStrategy, Probing, Robust
from equilibrist.solvers.outcome import Outcome
from equilibrist.solvers.pure import Pure
from equilibrist.solvers.sampler import FitsAll, Sampler, Tables
from equilibrist.solvers.textbook import Textbook

__all__ = [
    "SAMPLERS",
    "AverageStrategy",
    "Chance",
    "Escher",
    "External",
    "FitsAll",
    "Outcome",
    "Probing",
    "Pure",
    "Robust",
    "Sampler",
    "Tables",
    "Textbook",
]


@dataclass(frozen=True)
class External(FitsAll):
    """Chance and the other players draw one action each, the traverser tries them all."""

    name: ClassVar[str] = "external"
    summary: ClassVar[str] = "chance and the others draw, the traverser tries every action"
    paper: ClassVar[str] = (
        "Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in "
        "Extensive Games. NIPS 2009"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`; a visit where another player draws adds that player's strategy."""
        from equilibrist.kernels.external import external_sampling

        external_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.rows(),
            tables.rows(),
            tables.tree.max_actions,
            tables.touched,
        )


SAMPLERS: dict[str, type[Sampler]] = {
    cls.name: cls
    for cls in (
        External,
        Outcome,
        Chance,
        AverageStrategy,
        Robust,
        Probing,
        Pure,
        Escher,
        Textbook,
    )
}
"""All samplers by name."""
