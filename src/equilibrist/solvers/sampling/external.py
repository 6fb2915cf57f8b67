"""External sampling, with or without baselines and pruning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.solvers.sampling.sampler import FitsAll, Tables
from equilibrist.solvers.sampling.variance_reduction import (
    baselines,
    checked_baseline,
    checked_prune,
    pruned,
)


@dataclass(frozen=True)
class External(FitsAll):
    """Chance and the other players draw one action each, the traverser tries them all.

    baseline ("none", "learned" or "oracle") corrects what was drawn by what was expected of it.

    prune is a threshold in units of payoff, None for none: 95 % of all traversals skip own actions
    whose regret is below -prune, unless they are played or end the game. What the others find
    there counts 20 times, so that nothing changes on average. Regrets are kept above -31/30 of the
    threshold, so that an action comes back soon after it has become a good one.
    """

    name: ClassVar[str] = "external"
    summary: ClassVar[str] = (
        "samples chance and the others' actions, tries all of the traverser's actions"
    )
    paper: ClassVar[str] = (
        "Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in "
        "Extensive Games. NIPS 2009"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    baseline: str = "none"
    prune: float | None = None

    def __post_init__(self) -> None:
        """Check the parameters; raises ConfigError."""
        object.__setattr__(self, "baseline", checked_baseline(self.baseline))
        object.__setattr__(self, "prune", checked_prune(self.prune))

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`; a visit where another player draws adds that player's strategy."""
        first = (tables.tree.arrays, start, count, tables.key, weight)
        sums = (tables.regret, tables.strategy_sum)
        stack = (tables.levels(np.int64), tables.levels(np.int64))
        rows = (tables.rows(), tables.rows())
        last = (tables.tree.max_actions, tables.touched)
        if self.baseline == "none" and self.prune is None:
            from equilibrist.kernels.sampling.external import external_sampling

            external_sampling(*first, *sums, *stack, *rows, *last)
            return
        lifts, poor = tables.levels(), tables.rows(np.bool_)
        pruning = pruned(tables, self.prune)
        if self.baseline == "none":
            from equilibrist.kernels.sampling.external_pruned import external_pruned

            external_pruned(*first, *pruning, *sums, *stack, lifts, *rows, poor, *last)
        else:
            from equilibrist.kernels.sampling.external_baseline import external_baseline

            exact, rate, table = baselines(tables, self.baseline)
            told = (*pruning, *sums, exact, rate, table, *stack, lifts, tables.levels())
            external_baseline(*first, *told, *rows, poor, *last)
