"""Baselines: expected values of actions, as control variates for sampled values.

Schmid, Burch, Lanctot, Moravcik, Kadlec, Bowling, Variance reduction in Monte Carlo counterfactual
regret minimization (VR-MCCFR) for extensive form games using baselines (AAAI 2019).
"""

from __future__ import annotations

from typing import Protocol

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Profile


class Baseline(Protocol):
    """A guess at the traverser's utility after each action, and after each outcome of chance."""

    def value(self, node: Node, k: int, traverser: int) -> float:
        """The guess for child number k of `node`."""
        ...

    def learn(self, node: Node, k: int, traverser: int, estimate: float) -> None:
        """Take note of what a trajectory through child number k found there."""
        ...


class NoBaseline:
    """Guess 0."""

    def value(self, node: Node, k: int, traverser: int) -> float:
        """Guess 0 for every child."""
        return 0.0

    def learn(self, node: Node, k: int, traverser: int, estimate: float) -> None:
        """Learn nothing."""


class OracleBaseline:
    """The exact utility under a profile: every estimate is then exact, whatever is drawn."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def value(self, node: Node, k: int, traverser: int) -> float:
        """The exact utility of child number k of `node` for the traverser."""
        return self._utility(node.children[k], traverser)

    def learn(self, node: Node, k: int, traverser: int, estimate: float) -> None:
        """Learn nothing: the profile stays as it is."""

    def _utility(self, node: Node, traverser: int) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        weights = node.chance if node.player == CHANCE else self._profile[node.infoset]
        return mean(weights, [self._utility(child, traverser) for child in node.children])


class LearnedBaseline:
    """A running mean per traverser, history and action (or outcome of chance).

    b <- (1 - rate) b + rate * e, where e is the `estimate` at the child, whose expectation is the
    child's utility. The corrected estimate b + (e - b) / drawn has not that expectation once it is
    known that the child was drawn; learning from it overshoots where `drawn` < rate and diverges
    where `drawn` < rate / 2.
    """

    def __init__(self, rate: float = 0.5) -> None:
        self.rate = rate
        self.guesses: dict[tuple[int, Node], float] = {}

    def value(self, node: Node, k: int, traverser: int) -> float:
        """What was learnt for child number k of `node`; 0 before anything was."""
        return self.guesses.get((traverser, node.children[k]), 0.0)

    def learn(self, node: Node, k: int, traverser: int, estimate: float) -> None:
        """Move the guess for child number k of `node` towards an estimate of its utility."""
        old = self.value(node, k, traverser)
        self.guesses[traverser, node.children[k]] = old + self.rate * (estimate - old)


def estimates(
    baseline: Baseline, node: Node, traverser: int, choice: int, drawn: float, estimate: float
) -> list[float]:
    """One estimate per child of `node`, of which `choice` was drawn with probability `drawn`.

    The baseline, plus (estimate - baseline) / drawn for the one that was drawn: right on average
    for any baseline that does not depend on the draw, and without variance if it is right.
    """
    guesses = [baseline.value(node, k, traverser) for k in range(len(node.children))]
    baseline.learn(node, choice, traverser, estimate)
    guesses[choice] += (estimate - guesses[choice]) / drawn
    return guesses
