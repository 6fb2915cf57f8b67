"""ESCHER's sampling with exact values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.solvers.sampling.sampler import FitsAll, Tables


@dataclass(frozen=True)
class Escher(FitsAll):
    """The traverser draws evenly, chance and the others as they play; values are exact.

    The expected regrets of an infoset are the full ones times the probability with which even
    draws lead there: always the same, so that no importance weight is needed, and regret matching
    does not see it. The same holds of the average where the other player draws (two players).
    All nodes below the traverser's first decision are valued in every traversal: an iteration
    costs more than with other samplers, and grows with the game.
    """

    name: ClassVar[str] = "escher"
    summary: ClassVar[str] = (
        "samples the traverser's actions uniformly; exact values, no importance weights"
    )
    paper: ClassVar[str] = (
        "McAleer, Farina, Lanctot, Sandholm: ESCHER: Eschewing Importance Sampling in Games by "
        "Computing a History Value Function to Estimate Regret. ICLR 2023"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`."""
        from equilibrist.kernels.sampling.escher import EscherSetup, escher_sampling

        setup = EscherSetup(weight, np.empty(len(tables.tree.arrays.node)))
        tables.run(escher_sampling, setup, start, count)
