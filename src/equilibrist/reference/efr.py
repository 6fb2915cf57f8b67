"""Extensive-form regret minimisation (EFR) in plain Python, one infoset at a time.

Morrill, D'Orazio, Lanctot, Wright, Bowling and Greenwald, Efficient Deviation Types and Learning
for Hindsight Rationality in Extensive-Form Games, ICML 2021.

The idea. CFR asks at each infoset: how much better would action a have been than my strategy, if I
had tried to get here? EFR asks the same of more ways to deviate. A *deviation* here is what a
player does at an infoset in place of what the strategy says:

- external, all -> a: play a whatever the strategy recommends;
- internal, a -> b: play b where the strategy recommends a, else obey.

And a player may come to the infoset in more ways than by trying to get here: by following the
strategy up to some earlier infoset, say, and leaving it from there on. Each of those ways has a
*memory probability*, the probability that the strategy's recommendations allow it. `remember`
lists them for each family of deviations. The regret of a deviation and a way is the gain of the
deviation at the infoset, in counterfactual values, times the memory probability.

The next strategy is chosen from the top down: each deviation weighs as much as its positive regrets
times the memory probabilities under the strategies just chosen above, and the strategy is a fixed
point of the mixture of deviations, so that the regrets cannot grow together.
"""

from __future__ import annotations

from typing import Any, Final

from equilibrist.game import Game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import GameWalk, Infoset
from equilibrist.reference.matching import regret_matching

FAMILIES: Final = ("cfr", "a", "bps", "cfps", "csps", "tips", "bhv", "cfr_in")
"""The families of deviations."""
NEGLIGIBLE: Final = 1e-12
"""The share of all weights at a decision below which one is taken for rounding."""
Deviation = tuple[int | None, int]
"""From which recommended action, None for all of them, to which action."""


def remember(family: str, memory: list[float], strategy: list[float], action: int) -> list[float]:
    """The memory probabilities at the next own infoset.

    >>> remember("bps", [1.0], [0.25, 0.75], 1)
    [1.0, 0.75]
    >>> remember("tips", [1.0], [0.25, 0.75], 1)
    [1.0, 0.25, 0.75]

    Args:
        family: One of FAMILIES.
        memory: Those at this infoset. In all families but `bhv` the last one is the probability
            that the player's own moves lead here, if it counts at all.
        strategy: The probability of each action here.
        action: The action that leads on.

    Returns:
        A list, of which the last entry again belongs to obedience throughout.
    """
    obeyed = memory[-1] * strategy[action]
    if family in ("cfr", "cfr_in"):
        return [1.0]
    if family == "a":
        return [obeyed]
    if family in ("bps", "cfps"):
        return [*memory, obeyed]
    if family in ("csps", "tips"):
        left = [memory[-1] * p for b, p in enumerate(strategy) if b != action]
        return [*memory, *left, obeyed]
    return [weight * p for weight in memory for p in strategy]


def deviations(family: str, actions: int, last: bool) -> list[Deviation]:
    """The deviations that a family considers at an infoset.

    Args:
        family: One of FAMILIES.
        actions: How many actions there are.
        last: Whether they are for the last of the memory probabilities.

    Returns:
        All external ones or all internal ones.
    """
    if family in ("cfr", "bps") or (family == "csps" and not last):
        return [(None, b) for b in range(actions)]
    return [(a, b) for a in range(actions) for b in range(actions) if a != b]


def fixed_point(weights: dict[Deviation, float], actions: int) -> list[float]:
    """The strategy that the weighted mixture of deviations leaves as it is.

    It is the stationary distribution of a Markov chain that goes from the recommended action to the
    one played instead. Where the chain falls apart there are several; then it is the one of least
    Euclidean norm, which is uniform where no deviation weighs anything. Rates below NEGLIGIBLE of
    their sum are taken for rounding. It is found by eliminating one action after another as
    Grassmann, Taksar and Heyman do (Operations Research 33, 1985), without subtraction.

    >>> fixed_point({(0, 1): 1.0, (1, 0): 3.0}, 2)
    [0.75, 0.25]
    >>> fixed_point({(0, 1): 1.0}, 3)
    [0.0, 0.5, 0.5]

    Args:
        weights: The weight of each deviation, not negative.
        actions: How many actions there are.

    Returns:
        One probability per action.
    """
    everything = range(actions)
    rates = [
        [weights.get((a, b), 0) + weights.get((None, b), 0) if a != b else 0 for b in everything]
        for a in everything
    ]
    least = NEGLIGIBLE * sum(sum(row) for row in rates)
    rates = [[rate if rate > least else 0 for rate in row] for row in rates]
    present = list(everything)
    eliminated: list[tuple[int, float, list[int]]] = []
    for k in reversed(everything):
        others = [a for a in present if a != k]
        leaves = sum(rates[k][b] for b in others)
        if leaves <= 0:
            continue  # nothing leads away from k
        present = others
        eliminated.append((k, leaves, others))
        for a in others:
            for b in others:
                if a != b:
                    rates[a][b] += rates[a][k] * (rates[k][b] / leaves)
    point: list[float] = [0] * actions
    for root in present:  # one of each set of actions that the chain does not leave
        measure: list[float] = [0] * actions
        measure[root] = 1
        for k, leaves, others in reversed(eliminated):
            measure[k] = sum(measure[a] * rates[a][k] for a in others) / leaves
        # Of length s and square q, it has the norm sqrt(q) / s as a distribution: the mixture of
        # such with the least norm takes each in inverse proportion to the square of its norm.
        share = sum(measure) / sum(x * x for x in measure)
        for a in everything:
            point[a] += share * measure[a]
    whole = sum(point)
    return [x / whole for x in point]


class ReferenceEFR:
    """EFR on any game with perfect recall, all players updating at once.

    `strategy` (what is played next) and `strategy_sum` map an infoset key to one float per action,
    `regret` to one dictionary of deviations per memory probability. Infosets with one action have
    no regrets.

    Args:
        game: The game, or its walk.
        family: One of FAMILIES.
    """

    def __init__(self, game: Game[Any] | GameWalk, family: str = "tips") -> None:
        self.family = family
        self._cfr = ReferenceCFR(game, _NoCoefficients(), alternating=False)
        self.game = self._cfr.game
        self.strategy = self._cfr.strategy
        self.strategy_sum = self._cfr.strategy_sum
        self.iteration = 0
        self.regret: dict[str, list[dict[Deviation, float]]] = {}
        for key, memory in self.memories().items():
            actions = len(self.game.infosets[key].actions)
            last = len(memory) - 1
            self.regret[key] = [
                dict.fromkeys(deviations(family, actions, entry == last), 0.0)
                for entry in range(len(memory))
            ]

    def run(self, iterations: int) -> None:
        """Run more iterations.

        Args:
            iterations: How many.
        """
        players = range(self.game.num_players)
        for _ in range(iterations):
            self.iteration += 1
            walks = [self._cfr.instant_regrets(player) for player in players]
            memories = self.memories()
            for regrets, reach in walks:
                for key, instant in regrets.items():
                    self._add(key, instant, memories.get(key, []))
                    for a, p in enumerate(self.strategy[key]):
                        self.strategy_sum[key][a] += reach[key] * p
            self._choose()

    def average_strategy(self) -> dict[str, list[float]]:
        """The average strategy; uniform at infosets that were never reached.

        Returns:
            {infoset: probabilities of its actions}.
        """
        return {key: regret_matching(sums) for key, sums in self.strategy_sum.items()}

    def memories(self) -> dict[str, list[float]]:
        """The memory probabilities under the current strategy.

        Returns:
            {infoset with more than one action: its list}.
        """
        memories: dict[str, list[float]] = {}
        for key in self._from_the_top():
            memories[key] = self._memory(key, memories)
        return memories

    def _memory(self, key: str, above: dict[str, list[float]]) -> list[float]:
        """The list of one infoset, of which those above are known."""
        path = [step for step in self.game.infosets[key].path if step[0] in above]
        if not path:
            return [1.0]
        before, action = path[-1]
        return remember(self.family, above[before], self.strategy[before], action)

    def _from_the_top(self) -> list[str]:
        """The infosets with more than one action, those after fewer own moves first."""
        open_ones: dict[str, Infoset] = {
            key: infoset for key, infoset in self.game.infosets.items() if len(infoset.actions) > 1
        }
        return sorted(open_ones, key=lambda key: len(open_ones[key].path))

    def _add(self, key: str, instant: list[float], memory: list[float]) -> None:
        """Add what each deviation would have gained in this iteration."""
        sigma = self.strategy[key]
        for weight, regrets in zip(memory, self.regret.get(key, []), strict=True):
            for source, target in regrets:
                gain = instant[target]
                if source is not None:
                    gain = sigma[source] * (instant[target] - instant[source])
                regrets[source, target] += weight * gain

    def _choose(self) -> None:
        """The next strategies, each from those above it."""
        memories: dict[str, list[float]] = {}
        for key in self._from_the_top():
            memories[key] = self._memory(key, memories)
            weights: dict[Deviation, float] = {}
            for weight, regrets in zip(memories[key], self.regret[key], strict=True):
                for deviation, regret in regrets.items():
                    weights[deviation] = weights.get(deviation, 0.0) + weight * max(regret, 0.0)
            self.strategy[key] = fixed_point(weights, len(self.strategy[key]))


class _NoCoefficients:
    """A stand-in for a rule in the walks of `ReferenceCFR`, which need no coefficients."""

    def coefficients(self, t: int, horizon: int | None, /) -> Any:
        """Never asked."""
        raise NotImplementedError
