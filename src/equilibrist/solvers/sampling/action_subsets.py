"""Samplers that try some of the traverser's actions: for games with many actions per decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.parsing.arguments import real_number, refused, whole_number
from equilibrist.solvers.sampling.sampler import FitsAll, Tables

_LARGEST = 1e300


@dataclass(frozen=True)
class AverageStrategy(FitsAll):
    """Each own action is tried with probability max(epsilon, (beta + tau s) / (beta + sum of s)).

    s are the infoset's strategy sums, whoever added them; probabilities above 1 count as 1, and
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
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    epsilon: float = 0.05
    tau: float = 1000.0
    beta: float = 1e6

    def __post_init__(self) -> None:
        """Check the parameters; raises ConfigError."""
        epsilon = real_number("epsilon", self.epsilon, 0.0, 1.0)
        if epsilon == 0.0:
            raise refused(
                "epsilon", self.epsilon, "more than 0: what is never tried is never learnt about"
            )
        tau = real_number("tau", self.tau, -math.inf, _LARGEST)
        if tau < 1.0:
            raise refused(
                "tau", self.tau, "at least 1: below, an action could be tried less than played"
            )
        beta = real_number("beta", self.beta, -math.inf, _LARGEST)
        if beta < 0.0:
            raise refused("beta", self.beta, "at least 0")
        for name, value in (("epsilon", epsilon), ("tau", tau), ("beta", beta)):
            object.__setattr__(self, name, value)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`."""
        from equilibrist.kernels.sampling.average_strategy import average_strategy_sampling

        average_strategy_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            self.epsilon,
            self.tau,
            self.beta,
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.levels(),
            tables.rows(),
            tables.rows(),
            tables.rows(),
            tables.tree.max_actions,
            tables.touched,
        )


@dataclass(frozen=True)
class Robust(FitsAll):
    """k own actions are tried, all sets equally likely; chance and the others draw one action.

    A visit where another player draws adds that player's strategy, divided by the probability of
    the traverser's draws: with two players right on average, with more the others' play enters.
    """

    name: ClassVar[str] = "robust"
    summary: ClassVar[str] = "tries k of the traverser's actions, sampled uniformly"
    paper: ClassVar[str] = (
        "Li, Hu, Zhang, Qi, Song: Double Neural Counterfactual Regret Minimization. ICLR 2020"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    k: int = 1

    def __post_init__(self) -> None:
        """Check the parameter; raises ConfigError."""
        object.__setattr__(self, "k", whole_number("k", self.k, 1))

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`."""
        from equilibrist.kernels.sampling.robust import robust_sampling

        robust_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            min(self.k, max(tables.tree.max_actions, 1)),
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.levels(),
            tables.levels(np.int64),
            tables.rows(),
            tables.rows(),
            tables.tree.max_actions,
            tables.touched,
        )


@dataclass(frozen=True)
class Probing(FitsAll):
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
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    k: int = 1

    def __post_init__(self) -> None:
        """Check the parameter; raises ConfigError."""
        object.__setattr__(self, "k", whole_number("k", self.k, 1))

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`."""
        from equilibrist.kernels.sampling.probing import probing_sampling

        probing_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            min(self.k, max(tables.tree.max_actions, 1)),
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.levels(),
            tables.levels(),
            tables.levels(np.int64),
            tables.rows(),
            tables.rows(),
            tables.tree.max_actions,
            tables.touched,
        )
