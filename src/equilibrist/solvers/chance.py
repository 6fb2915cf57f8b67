"""Chance sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.solvers.sampler import FitsAll, Tables


@dataclass(frozen=True)
class Chance(FitsAll):
    """Chance draws one outcome wherever it moves, all actions of all players are walked.

    Its average adds own reach times strategy where the player itself decides. No player draws, so
    that nothing of how they play enters: right on average for any number of players.
    """

    name: ClassVar[str] = "chance"
    summary: ClassVar[str] = "chance draws, all actions of all players are walked"
    paper: ClassVar[str] = (
        "Zinkevich, Johanson, Bowling, Piccione: Regret Minimization in Games with Incomplete "
        "Information. NIPS 2007"
    )
    averagings: ClassVar[tuple[str, ...]] = ("own-reach",)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`; an own visit adds own reach times strategy."""
        from equilibrist.kernels.chance import chance_sampling

        chance_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.levels(),
            tables.levels(),
            tables.rows(),
            tables.rows(),
            np.zeros_like(tables.regret),
            np.empty(len(tables.tree.arrays.node), dtype=np.int32),
            tables.tree.max_actions,
            tables.touched,
        )
