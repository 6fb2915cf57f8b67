"""Outcome sampling and the averages that it can take on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from equilibrist.parsing.arguments import bad_argument
from equilibrist.reference.sampling.choices import Choice, NodeView
from equilibrist.reference.sampling.outcome import exploring
from equilibrist.solvers.sampling.formulas import (
    BASELINE,
    DRAWN,
    OTHERS_DIVIDED,
    WEIGHTED,
    SamplerFormulas,
)
from equilibrist.solvers.sampling.sampler import FitsAll, Kernel, Scratch, Setup, Tables
from equilibrist.solvers.sampling.variance_reduction import baselines, checked_baseline
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

COLUMNS = 3


def checked_epsilon(epsilon: object) -> float:
    """`epsilon` as a float in (0, 1]; ConfigError with the reason otherwise."""
    if isinstance(epsilon, int | float) and not isinstance(epsilon, bool) and 0 < epsilon <= 1:
        return float(epsilon)
    raise bad_argument(
        "epsilon",
        epsilon,
        "a number above 0 and at most 1: it is the probability of trying any action, and an "
        "action that is never tried is never regretted",
    )


@dataclass(frozen=True)
class Outcome(FitsAll):
    """One trajectory per player: that player explores, all others play their current strategies.

    Averages, of which each estimates the sum over iterations of own reach times strategy:

    stochastic: where the others decide, divided by what the traverser's exploring did to the
    visit. Unbiased with two players; with more, a third player's reach enters.

    lazy: exact, for any number of players; needs perfect recall.

    optimistic: where the others decide, for all iterations since the last time; close, not exact.

    openspiel: where the traverser decides; biased (see the kernel), for comparisons.

    strategy: where the others decide, never divided; biased by what the traverser explores.

    baseline ("none", "learned" or "oracle") is what an action is worth that was not drawn; with
    one, of these averages there are stochastic and strategy.
    """

    name: ClassVar[str] = "outcome"
    summary: ClassVar[str] = (
        "one trajectory; the traverser explores, the others play the current strategy"
    )
    paper: ClassVar[str] = (
        "Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in "
        "Extensive Games. NIPS 2009"
    )
    when: ClassVar[str] = (
        "games with very many actions, or black-box opponents: one trajectory only"
    )
    averagings: ClassVar[tuple[str, ...]] = (
        "stochastic",
        "lazy",
        "optimistic",
        "openspiel",
        "strategy",
    )
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="one, with exploring: q(a) = epsilon / n + (1 - epsilon) sigma(a), for n actions",
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1 / x(h)",
        estimate=WEIGHTED,
        regret=(
            "R(a) += w(h) (u(a) - u(h)); by the end z of the trajectory, with w_I = u(z) pi_-i(h) "
            "/ q(z): w_I (pi(h a, z) - pi(h, z)) if a was drawn, else -w_I pi(h, z), where "
            "pi(h, z) is how probable the moves from h to z are as they are played"
        ),
        averages={
            "stochastic": OTHERS_DIVIDED,
            "lazy": (
                "S(a) += pi_j(I) sigma(a) summed over all iterations since the last visit, where "
                "another player j decides; exact"
            ),
            "optimistic": (
                "S(a) += (t - c_I) pi_j(I) sigma(a) where another player j decides, c_I the "
                "iteration of the last visit"
            ),
            "openspiel": "S(a) += pi_i(h) / q(h) sigma(a) where the traverser decides; biased",
            "strategy": "S(a) += sigma(a) where another player decides; biased",
        },
        parameters={
            "epsilon": (
                "how often the traverser explores: the share of evenly drawn own actions, above 0 "
                "and at most 1"
            ),
            "baseline": BASELINE,
        },
    )
    recalling: ClassVar[tuple[str, ...]] = ("lazy", "optimistic")
    pending: ClassVar[tuple[str, ...]] = ("taken", "seen", "clock")

    epsilon: float = 0.6
    baseline: str = "none"

    def __post_init__(self) -> None:
        """Refuse an epsilon outside (0, 1], and unknown baselines."""
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))
        if checked_baseline(self.baseline) != "none":
            object.__setattr__(self, "averagings", ("stochastic", "strategy"))

    def choose(self, node: NodeView) -> Choice:
        """One child: own actions with exploring, the others as they are played.

        Args:
            node: The history.

        Returns:
            The choice.
        """
        return node.one(exploring(node.strategy, self.epsilon) if node.is_own else None)

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel `outcome_sampling` and its setup."""
        from equilibrist.kernels.sampling.outcome import OutcomeSetup, outcome_sampling
        from equilibrist.kernels.traversal.visits import Stochastic

        return outcome_sampling, OutcomeSetup(
            epsilon=self.epsilon,
            weight=0.0,
            divided=True,
            visits=Stochastic(),
            drawn=scratch.whole_level(),
            path=scratch.columns(COLUMNS),
        )

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1, with the average that `averaging` names."""
        scratch = tables.scratch()
        kernel, setup = self.kernel(scratch)
        setup = setup._replace(weight=weight, divided=averaging == "stochastic")
        if self.baseline != "none":
            setup = setup._replace(visits=baselines(tables, self.baseline, scratch))
        elif averaging not in ("stochastic", "strategy"):
            setup = setup._replace(visits=_average(tables, averaging))
        tables.run(kernel, setup, start, count)

    def flushed(self, tables: Tables, averaging: str, tree: GameTree) -> FloatArray:
        """The strategy sums with all that is pending at infosets; leaves the tables alone."""
        if averaging not in self.recalling or "clock" not in tables.kept:
            return tables.strategy_sum
        form = tree.sequence_form
        now = float(tables.kept["clock"][0])
        sums = tables.strategy_sum.copy()
        strategy = np.zeros(max(tables.tree.max_actions, 1))
        if averaging == "lazy":
            from equilibrist.kernels.traversal.outcome_averages import hand_down

            arrived = np.full(form.num_sequences, now)
            hand_down(
                tree.action_offset,
                form.public_parent,
                form.sequence_of_public,
                tables.regret,
                tables.kept["taken"],
                sums,
                arrived,
                strategy,
            )
        else:
            from equilibrist.kernels.traversal.outcome_averages import count_the_rest

            reach = np.ones(form.num_sequences)
            count_the_rest(
                tree.action_offset,
                form.public_parent,
                form.sequence_of_public,
                now,
                tables.regret,
                tables.kept["seen"],
                sums,
                reach,
                strategy,
            )
        return sums


def _average(tables: Tables, averaging: str) -> Any:
    """The kernel arguments of averages that only outcome sampling can take."""
    from equilibrist.kernels.traversal.outcome_averages import Lazy, OpenSpiel, Optimistic

    if averaging == "openspiel":
        return OpenSpiel(np.zeros(1))
    size, clock = len(tables.regret), tables.keep("clock", 1)
    if averaging == "lazy":
        return Lazy(tables.keep("taken", size), clock, np.zeros(1))
    players = tables.tree.arrays.payoff.shape[1]
    return Optimistic(tables.keep("seen", size), clock, np.ones(players))
