"""Local rules (Hedge, mirror descent, APCFR+) in plain Python, one infoset at a time.

A learner belongs to one infoset. In every iteration it receives the instantaneous counterfactual
regrets there and returns the strategy to play next. Its attributes hold what it remembers.
`ReferenceBottomUp` needs more than one infoset's regrets, and walks again for its predictions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from equilibrist.game import Game
from equilibrist.reference.cfr import Coefficients, ReferenceCFR, Rule
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.matching import regret_matching


class Learner(Protocol):
    """One infoset's memory and its answers."""

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        """Update `regret` in place and return the next strategy."""
        ...


class AdaptivePrediction:
    """APCFR+: CFR+ that expects the last regrets again, divided by 1 + a.

    The asymmetry `a` compares how wrong the predictions were (the squared steps from one
    instantaneous regret to the next) with how far the regrets moved. Meng et al., AAAI 2026,
    eq. (3).
    """

    def __init__(self, actions: int, cap: float = 5.0) -> None:
        self.cap = cap
        self.previous = [0.0] * actions
        self.surprise = 0.0
        self.movement = 0.0

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        """R <- max(R + r, 0); sigma <- regret matching on R + r / (1 + a)."""
        before = list(regret)
        regret[:] = [max(R + r, 0.0) for R, r in zip(before, instant, strict=True)]
        self.surprise += squared_distance(instant, self.previous)
        self.movement += squared_distance(regret, before)
        self.previous = list(instant)
        a = 0.0
        if self.movement > 0.0:
            a = min(math.sqrt(self.surprise / self.movement), self.cap)
        return regret_matching([R + r / (1.0 + a) for R, r in zip(regret, instant, strict=True)])


class Hedge:
    """Exponential weights: twice as likely for every ln(2) / step of regret more.

    The step is sqrt(8 ln(A) / sum of squared ranges), the one of the theory of prediction with
    expert advice where the payoffs of a round have a known range, times `eta`.
    """

    def __init__(self, actions: int, eta: float = 1.0) -> None:
        self.eta = eta
        self.spread = 0.0
        self.most = 8.0 * math.log(actions)

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        """R <- R + r; sigma in proportion to exp(step * R)."""
        regret[:] = [R + r for R, r in zip(regret, instant, strict=True)]
        self.spread += (max(instant) - min(instant)) ** 2
        step = self.eta * math.sqrt(self.most / self.spread) if self.spread > 0.0 else 0.0
        return softmax([step * R for R in regret])


class MirrorDescent:
    """Optimistic mirror descent, Euclidean distance: a step, repeated as a prediction."""

    def __init__(self, actions: int, eta: float = 2.0) -> None:
        self.eta = eta
        self.centre = [1.0 / actions] * actions
        self.previous = [0.0] * actions
        self.surprise = 0.0

    def learn(self, instant: list[float], regret: list[float]) -> list[float]:
        """Two steps: z <- nearest(z + step * r); sigma <- nearest(z + step * r)."""
        regret[:] = [R + r for R, r in zip(regret, instant, strict=True)]
        self.surprise += squared_distance(instant, self.previous)
        self.previous = list(instant)
        if self.surprise == 0.0 or not any(instant):
            return list(self.centre)  # nothing was at stake; projecting would blur exact zeros
        step = self.eta / math.sqrt(self.surprise)
        self.centre = nearest_distribution(
            [z + step * r for z, r in zip(self.centre, instant, strict=True)]
        )
        return nearest_distribution(
            [z + step * r for z, r in zip(self.centre, instant, strict=True)]
        )


class ReferenceRule(ReferenceCFR):
    """`ReferenceCFR` whose infosets learn by `learner`; `average` gives decay and weight."""

    def __init__(
        self,
        game: Game[Any] | GameWalk,
        learner: Callable[[int], Learner],
        average: Rule,
        alternating: bool = True,
        horizon: int | None = None,
    ) -> None:
        super().__init__(game, average, alternating, horizon)
        self.learners = {k: learner(len(i.actions)) for k, i in self.game.infosets.items()}

    def _learn(self, key: str, instant: list[float], _c: Coefficients) -> list[float]:
        return self.learners[key].learn(instant, self.regret[key])


class ReferenceBottomUp(ReferenceCFR):
    """PCFR+ as Farina, Kroer and Sandholm (AAAI 2021) predict: from the bottom up.

    The prediction is that the others play as they just did. What an action of mine will be worth
    then depends on what I will do afterwards. So the infosets at which I move last learn first, and
    those above walk the tree again, in which the later infosets already have their next strategies.
    `pcfr+` takes the regrets of this iteration's walk instead, with the old strategies everywhere.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._met: dict[int, dict[str, list[float]]] = {}

    def instant_regrets(self, player: int) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Walk once with the current strategies, and remember how all play.

        Args:
            player: Whose regrets.

        Returns:
            As `ReferenceCFR.instant_regrets`: regrets and own reach per infoset.
        """
        self._met[player] = dict(self.strategy)
        return super().instant_regrets(player)

    def update(
        self,
        player: int,
        regrets: dict[str, list[float]],
        reach: dict[str, float],
        numbers: Coefficients,
    ) -> None:
        """Add the regrets; then choose the next strategies, deepest infosets first.

        Args:
            player: Whose regrets.
            regrets: Per infoset, one number per action.
            reach: Per infoset, the probability that the player's own moves lead there.
            numbers: The coefficients of the iteration.
        """
        for key, instant in regrets.items():
            sums, total, sigma = self.strategy_sum[key], self.regret[key], self.strategy[key]
            for a, r in enumerate(instant):
                sums[a] = numbers.decay * sums[a] + numbers.weight * reach[key] * sigma[a]
                total[a] = max(total[a] + r, 0.0)
        others, self.strategy = self.strategy, self._met[player]
        depth = own_moves_before(self.game.root, player)
        for layer in sorted(set(depth.values()), reverse=True):
            # Strategies above this layer are still old; they do not count in its regrets, which
            # take for granted that the player gets there.
            predicted, _ = super().instant_regrets(player)
            for key in (key for key, moves in depth.items() if moves == layer):
                pairs = zip(self.regret[key], predicted[key], strict=True)
                self.strategy[key] = regret_matching([R + r for R, r in pairs])
        self.strategy = others | {key: self.strategy[key] for key in regrets}


def own_moves_before(root: Node, player: int) -> dict[str, int]:
    """Count how often a player has moved before each of their infosets.

    Args:
        root: The first node of the game.
        player: The player, who remembers all own moves.

    Returns:
        {infoset: moves}.
    """
    counts: dict[str, int] = {}

    def visit(node: Node, moves: int) -> None:
        own = node.player == player
        if own:
            counts[node.infoset] = moves
        for child in node.children:
            visit(child, moves + own)

    visit(root, 0)
    return counts


def softmax(x: Sequence[float]) -> list[float]:
    """Return exp(x), normalised; the greatest is subtracted first, so that none overflows.

    >>> softmax([1000.0, 1000.0])
    [0.5, 0.5]
    """
    best = max(x)
    weights = [math.exp(y - best) for y in x]
    total = math.fsum(weights)
    return [w / total for w in weights]


def nearest_distribution(x: Sequence[float]) -> list[float]:
    """Return the distribution nearest to `x` in Euclidean distance.

    It is max(x - c, 0) with the one c that makes the sum 1. Held, Wolfe and Crowder, Mathematical
    Programming 6, 1974: sort, and take the most numbers that stay positive.

    >>> nearest_distribution([0.5, 1.0, -7.0])
    [0.25, 0.75, 0.0]
    """
    total, c = 0.0, 0.0
    for count, y in enumerate(sorted(x, reverse=True), start=1):
        total += y
        if y <= (total - 1.0) / count:
            break
        c = (total - 1.0) / count
    return [max(y - c, 0.0) for y in x]


def squared_distance(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the sum of (x - y)^2."""
    return math.fsum((a - b) ** 2 for a, b in zip(x, y, strict=True))
