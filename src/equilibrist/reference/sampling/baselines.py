"""Baselines: what an action is expected to be worth before it is tried.

Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, Variance reduction in Monte Carlo counterfactual
regret minimization (VR-MCCFR) for extensive form games using baselines (AAAI 2019).
"""

from __future__ import annotations

from typing import Protocol

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.sampling.addition import Profile
from equilibrist.reference.walk import Node


class Baseline(Protocol):
    """A guess at the traverser's utility after each action, and after each outcome of chance."""

    def value(self, node: Node, k: int, traverser: int) -> float:
        """The guess for child number k of `node`."""
        ...

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        """Take note of what a trajectory through child number k found there."""
        ...


class NoBaseline:
    """Guess 0."""

    def value(self, node: Node, k: int, traverser: int) -> float:
        """As `Baseline.value`."""
        return 0.0

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        """As `Baseline.learn`."""


class OracleBaseline:
    """The exact utility under a profile: every estimate is then exact, whatever is drawn."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def value(self, node: Node, k: int, traverser: int) -> float:
        """As `Baseline.value`."""
        return self._utility(node.children[k], traverser)

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        """As `Baseline.learn`: there is nothing to learn."""

    def _utility(self, node: Node, traverser: int) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        chance = node.player == CHANCE
        weights = node.chance if chance else self._profile[node.infoset]
        return sum(
            p * self._utility(child, traverser)
            for p, child in zip(weights, node.children, strict=True)
        )


class LearnedBaseline:
    """A running mean per traverser and action: of an infoset for players, of a node for chance.

    b <- (1 - beta) b + beta * found, where `found` is the estimate at the child, whose expectation
    is the child's utility. The corrected estimate b + (found - b) / drawn has not that expectation
    once it is known that the child was drawn; learning from it overshoots where `drawn` < beta and
    diverges where `drawn` < beta / 2.
    """

    def __init__(self, beta: float = 0.5) -> None:
        self.beta = beta
        self.guesses: dict[tuple[int, object, int], float] = {}

    def value(self, node: Node, k: int, traverser: int) -> float:
        """As `Baseline.value`; 0 before anything was found."""
        return self.guesses.get(self._key(node, k, traverser), 0.0)

    def learn(self, node: Node, k: int, traverser: int, found: float) -> None:
        """As `Baseline.learn`."""
        key = self._key(node, k, traverser)
        old = self.guesses.get(key, 0.0)
        self.guesses[key] = old + self.beta * (found - old)

    def _key(self, node: Node, k: int, traverser: int) -> tuple[int, object, int]:
        return traverser, node.history if node.player == CHANCE else node.infoset, k
