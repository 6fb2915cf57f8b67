"""External sampling, with or without baselines and pruning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from equilibrist.solvers.sampling.formulas import (
    ALL_OR_ONE,
    BASELINE,
    DRAWN,
    OTHERS_PLAIN,
    PRUNE,
    SamplerFormulas,
)
from equilibrist.solvers.sampling.sampler import FitsAll, Kernel, Scratch, Setup, Tables
from equilibrist.solvers.sampling.variance_reduction import (
    baselines,
    checked_baseline,
    checked_prune,
    on_tree,
    pruning,
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
    when: ClassVar[str] = "the first choice: few assumptions, low variance"
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="all: q(a) = 1",
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1, as q(h) = pi_-i(h)",
        estimate=ALL_OR_ONE,
        regret="R(a) += u(a) - u(h)",
        averages={"stochastic": OTHERS_PLAIN},
        parameters={"baseline": BASELINE, "prune": PRUNE},
    )

    baseline: str = "none"
    prune: float | None = None

    def __post_init__(self) -> None:
        """Check the parameters; raises ConfigError."""
        object.__setattr__(self, "baseline", checked_baseline(self.baseline))
        object.__setattr__(self, "prune", checked_prune(self.prune))

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel `external_sampling` and its setup."""
        from equilibrist.kernels.sampling.external import ExternalSetup, external_sampling
        from equilibrist.kernels.traversal.visits import Stochastic

        return external_sampling, ExternalSetup(
            weight=0.0,
            visits=Stochastic(),
            pruning=pruning(self.prune, scratch),
            walked=scratch.whole_level(),
            strategy=scratch.rows(),
            utility=scratch.rows(),
            width=scratch.width,
        )

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1; a draw of another player adds their strategy."""
        scratch = tables.scratch()
        kernel, setup = self.kernel(scratch)
        setup = setup._replace(weight=weight, pruning=on_tree(setup.pruning, tables))
        if self.baseline != "none":
            setup = setup._replace(visits=baselines(tables, self.baseline, scratch))
        tables.run(kernel, setup, start, count)
