"""Samplers that try some of the traverser's actions: for games with many actions per decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from equilibrist.parsing.arguments import bad_argument, real_number, whole_number
from equilibrist.reference.sampling.average_strategy import trial_probabilities
from equilibrist.reference.sampling.choices import Choice, NodeView
from equilibrist.solvers.sampling.formulas import (
    DRAWN,
    OTHERS_DIVIDED,
    WEIGHTED,
    SamplerFormulas,
)
from equilibrist.solvers.sampling.sampler import FitsAll, Kernel, Scratch, Setup, Tables

_LARGEST = 1e300


class _TriesSome(FitsAll):
    """A sampler that tries some of the own actions; its selection says which."""

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel of subset sampling, and a setup with the selection of this sampler."""
        raise NotImplementedError

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1; a draw of another player adds their strategy."""
        kernel, setup = self.kernel(tables.scratch())
        tables.run(kernel, setup._replace(weight=weight), start, count)


@dataclass(frozen=True)
class AverageStrategy(_TriesSome):
    """Each own action is tried with probability max(epsilon, (beta + tau s) / (beta + sum of s)).

    s are the infoset's strategy sums; probabilities above 1 count as 1, and
    where beta and the sum are both zero all actions are tried. Greater tau and beta try more.

    A visit where another player draws adds that player's strategy, divided by the probability of
    the traverser's trials: with two players right on average, with more the others' play enters.
    """

    name: ClassVar[str] = "average-strategy"
    summary: ClassVar[str] = "tries the traverser's actions as often as the average plays them"
    paper: ClassVar[str] = (
        "Gibson, Burch, Lanctot, Szafron: Efficient Monte Carlo Counterfactual Regret "
        "Minimization in Games with Many Player Actions. NIPS 2012"
    )
    when: ClassVar[str] = "many actions per decision, most of them poor"
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own=(
            "each by a coin: q(a) = min(1, max(epsilon, (beta + tau s(a)) / (beta + sum of s))), "
            "where s are the strategy sums of the infoset"
        ),
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1 / x(h)",
        estimate=WEIGHTED,
        regret="R(a) += w(h) (u(a) - u(h))",
        averages={"stochastic": OTHERS_DIVIDED},
        parameters={
            "epsilon": "the least probability of trying an own action, above 0 and at most 1",
            "tau": (
                "how much what the average plays is preferred, at least 1: an action with a share "
                "of 1 / tau of the strategy sum is always tried"
            ),
            "beta": (
                "how large strategy sums must be to count, at least 0: all actions are tried while "
                "their sum is far below beta"
            ),
        },
    )

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6

    def __post_init__(self) -> None:
        """Check the parameters; raises ConfigError."""
        # above 0, so that every action is sampled
        epsilon = real_number("epsilon", self.epsilon, 0.0, 1.0, is_above=True)
        tau = real_number("tau", self.tau, -math.inf, _LARGEST)
        if tau < 1.0:
            raise bad_argument(
                "tau", self.tau, "at least 1: below, an action could be tried less than played"
            )
        beta = real_number("beta", self.beta, -math.inf, _LARGEST)
        if beta < 0.0:
            raise bad_argument("beta", self.beta, "at least 0")
        for name, value in (("epsilon", epsilon), ("tau", tau), ("beta", beta)):
            object.__setattr__(self, name, value)

    def choose(self, node: NodeView) -> Choice:
        """Each own action by a coin; one child of chance and of the others.

        Args:
            node: The history.

        Returns:
            The choice.
        """
        if not node.is_own:
            return node.one()
        chances = trial_probabilities(node.strategy_sum, self.epsilon, self.tau, self.beta)
        return node.each(chances)

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel, with the selection that follows the average strategy."""
        from equilibrist.kernels.sampling.action_subsets import AverageSelection

        chances, inverses = scratch.rows(), scratch.level()
        selection = AverageSelection(self.epsilon, self.tau, self.beta, chances, inverses)
        return _subsets(selection, scratch)


@dataclass(frozen=True)
class _TriesSoMany(_TriesSome):
    """A sampler that walks k own actions, all sets equally likely."""

    k: int = 1

    def __post_init__(self) -> None:
        """Check the parameter; raises ConfigError."""
        object.__setattr__(self, "k", whole_number("k", self.k, 1))

    def choose(self, node: NodeView) -> Choice:
        """K own actions; one child of chance and of the others.

        Args:
            node: The history.

        Returns:
            The choice.
        """
        if not node.is_own:
            return node.one()
        return node.some(self.k)


@dataclass(frozen=True)
class Robust(_TriesSoMany):
    """k own actions are tried, all sets equally likely; chance and the others draw one action.

    A visit where another player draws adds that player's strategy, divided by the probability of
    the traverser's draws: with two players right on average, with more the others' play enters.
    """

    name: ClassVar[str] = "robust"
    summary: ClassVar[str] = "tries k of the traverser's actions, sampled uniformly"
    paper: ClassVar[str] = (
        "Li, Hu, Zhang, Qi, Song: Double Neural Counterfactual Regret Minimization. ICLR 2020"
    )
    when: ClassVar[str] = "many actions per decision, all of them plausible"
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="k of n, all sets equally likely: q(a) = min(k, n) / n",
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1 / x(h)",
        estimate=WEIGHTED,
        regret="R(a) += w(h) (u(a) - u(h))",
        averages={"stochastic": OTHERS_DIVIDED},
        parameters={"k": "how many own actions are tried; from n on it is external sampling"},
    )

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel, with the selection of a number of actions."""
        from equilibrist.kernels.sampling.action_subsets import RobustSelection

        k = min(self.k, scratch.width)
        return _subsets(RobustSelection(k, scratch.whole_level(), scratch.level()), scratch)


@dataclass(frozen=True)
class Probing(_TriesSoMany):
    """k own actions are walked, each of the others is valued by playing on to the end once.

    Probes follow the current strategies and change nothing. The average is the same as with
    robust sampling.
    """

    name: ClassVar[str] = "probing"
    summary: ClassVar[str] = (
        "traverses k of the traverser's actions, and values the others by one probe each"
    )
    paper: ClassVar[str] = (
        "Gibson, Lanctot, Burch, Szafron, Bowling: Generalized Sampling and Variance in "
        "Counterfactual Regret Minimization. AAAI 2012"
    )
    when: ClassVar[str] = "as robust, with lower variance for slightly more work"
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="k of n, all sets equally likely: q(a) = min(k, n) / n; a probe for each of the rest",
        others=DRAWN,
        weight="w(h) = pi_-i(h) / q(h) = 1 / x(h)",
        estimate=(
            "u(a) = u(h a) if a was walked, else the payoff of one play to the end as everybody "
            "plays; u(h) = sum of sigma(a) u(a)"
        ),
        regret="R(a) += w(h) (u(a) - u(h))",
        averages={"stochastic": OTHERS_DIVIDED},
        parameters={"k": "how many own actions are walked; the rest is probed"},
    )
    estimate: ClassVar[str] = "probed"

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel, with the selection that probes the actions it leaves out."""
        from equilibrist.kernels.sampling.action_subsets import ProbingSelection

        k, wanted = min(self.k, scratch.width), scratch.whole_level()
        return _subsets(ProbingSelection(k, wanted, scratch.level(), scratch.level()), scratch)


def _subsets(selection: Any, scratch: Scratch) -> tuple[Kernel, Setup]:
    """The kernel of these samplers, and its arguments."""
    from equilibrist.kernels.sampling.action_subsets import SubsetSetup, subset_sampling

    return subset_sampling, SubsetSetup(
        weight=0.0,
        selection=selection,
        following=scratch.whole_level(),
        strategy=scratch.rows(),
        utility=scratch.rows(),
        width=scratch.width,
    )
