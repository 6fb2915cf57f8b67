"""Counterfactual regret minimisation, as in the textbook, one history at a time.

The idea. A big game is cut into many small decisions, the infosets: all histories that look
alike to the player who moves. At each infoset a regret matcher learns on its own. What it
receives after each iteration are *counterfactual* regrets, and the theorem (Zinkevich et al. 2007)
is that a player's total regret is at most the sum of the positive regrets of the infosets. If
both players of a two-player zero-sum game have little average regret, their average strategies
are close to an equilibrium. With more players, or sums that are not constant, small regrets mean
coarse correlated play and promise no Nash equilibrium.

One iteration, for the player who updates ("I"):

1. Walk the tree. Carry two numbers to each history h: `own`, the product of my own
   probabilities on the way, and `others`, the product of everybody else's, chance included.
2. At the end of a branch, the value is my payoff. At other nodes the value of h is the mean over
   its children, by the probabilities of chance or of the strategy of whoever moves.
3. At a history of mine, compare each action's value with the value of h. Weighted with `others`
   -- how likely we are here if I *try* to get here -- and summed over the histories of the
   infoset this is the instantaneous counterfactual regret r of the action.
4. Add r to the cumulative regrets R. Add the strategy just played, weighted with `own`, to the
   strategy sum S: the average over iterations has to be taken over whole plans, so a decision
   counts as often as I get to it.
5. The new strategy at each infoset is regret matching on R.

The members of the family differ in what they multiply R and S by, in a floor under R, and in
whether the last r is expected again; see `Coefficients` for the three lines that say it.

Alternating updates let player 1 answer to what player 0 has just learnt; simultaneous updates
take all players' regrets from the same strategies. Each infoset belongs to one player and each
player's histories weigh the same infoset, so a walk per player is all there is to it.
"""

from __future__ import annotations

from typing import Any, Protocol

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.matching import instant_regrets, mean, regret_matching


class Coefficients(Protocol):
    """Seven numbers for one iteration.

    R     <- max(where(R > 0, positive, negative) * R + r, floor)
    S     <- decay * S + weight * own * sigma        with the sigma that was just played
    sigma <- regret matching on lookahead * R + prediction * r
    """

    @property
    def positive(self) -> float: ...  # noqa: D102
    @property
    def negative(self) -> float: ...  # noqa: D102
    @property
    def floor(self) -> float: ...  # noqa: D102
    @property
    def lookahead(self) -> float: ...  # noqa: D102
    @property
    def prediction(self) -> float: ...  # noqa: D102
    @property
    def decay(self) -> float: ...  # noqa: D102
    @property
    def weight(self) -> float: ...  # noqa: D102


class Rule(Protocol):
    """Anything that knows the coefficients of iteration t = 1, 2, ..."""

    def coefficients(self, t: int, horizon: int | None, /) -> Coefficients:
        """Return the numbers of iteration `t` of a run planned for `horizon` iterations."""
        ...


class ReferenceCFR:
    """Full-tree CFR on any game with perfect recall, with any number of players.

    `regret`, `strategy` (what is played next) and `strategy_sum` map an infoset key to one float
    per action; they are live, `average_strategy()` is a copy. `iteration` counts finished ones.

    Args:
        game: The game, or its walk.
        variant: The update, as coefficients of each iteration.
        alternating: Whether players are updated in turn.
        horizon: The planned number of iterations, for variants that need it.
    """

    def __init__(
        self,
        game: Game[Any] | GameWalk,
        variant: Rule,
        alternating: bool = True,
        horizon: int | None = None,
    ) -> None:
        self.game = game if isinstance(game, GameWalk) else walk(game)
        self.variant = variant
        self.alternating = alternating
        self.horizon = horizon
        self.iteration = 0
        self.regret: dict[str, list[float]] = {}
        self.strategy: dict[str, list[float]] = {}
        self.strategy_sum: dict[str, list[float]] = {}
        for key, infoset in self.game.infosets.items():
            n = len(infoset.actions)
            self.regret[key] = [0.0] * n
            self.strategy[key] = [1.0 / n] * n
            self.strategy_sum[key] = [0.0] * n

    def run(self, iterations: int) -> None:
        """Run more iterations.

        Args:
            iterations: How many.
        """
        for _ in range(iterations):
            self.iteration += 1
            numbers = self.variant.coefficients(self.iteration, self.horizon)
            players = range(self.game.num_players)
            if self.alternating:
                for player in players:
                    self.update(player, *self.instant_regrets(player), numbers)
            else:
                walks = [self.instant_regrets(player) for player in players]
                for player in players:
                    self.update(player, *walks[player], numbers)

    def average_strategy(self) -> dict[str, list[float]]:
        """The average strategy; uniform at infosets that were never reached.

        Returns:
            {infoset: probabilities of its actions}.
        """
        return {key: regret_matching(sums) for key, sums in self.strategy_sum.items()}

    def instant_regrets(self, player: int) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Walk once with the current strategies; change nothing.

        Args:
            player: Whose regrets.

        Returns:
            The player's instantaneous counterfactual regrets per infoset and action, and the
            probability per infoset that the player's own moves lead there.
        """
        own_infosets = {k: i for k, i in self.game.infosets.items() if i.player == player}
        regrets = {key: [0.0] * len(i.actions) for key, i in own_infosets.items()}
        reach = dict.fromkeys(own_infosets, 0.0)

        def value(node: Node, own: float, others: float) -> float:
            """Return the player's expected payoff from here on, noting regrets on the way."""
            if node.player == TERMINAL:
                return node.payoffs[player]
            if node.player != player:
                weights = node.chance if node.player == CHANCE else self.strategy[node.infoset]
                pairs = zip(weights, node.children, strict=True)
                return mean(weights, [value(child, own, others * p) for p, child in pairs])
            sigma = self.strategy[node.infoset]
            values = [
                value(child, own * p, others) for p, child in zip(sigma, node.children, strict=True)
            ]
            row = regrets[node.infoset]
            for a, regret in enumerate(instant_regrets(values, sigma)):
                row[a] += others * regret
            # The same at every history of the infoset: the player remembers all own moves.
            reach[node.infoset] = own
            return mean(sigma, values)

        value(self.game.root, 1.0, 1.0)
        return regrets, reach

    def update(
        self,
        player: int,
        regrets: dict[str, list[float]],
        reach: dict[str, float],
        numbers: Coefficients,
    ) -> None:
        """Add the instantaneous regrets, and compute the player's next strategy.

        Args:
            player: Whose regrets.
            regrets: Per infoset, one number per action.
            reach: Per infoset, the probability that the player's own moves lead there.
            numbers: The coefficients of the iteration.
        """
        c = numbers
        for key, instant in regrets.items():
            sums, sigma = self.strategy_sum[key], self.strategy[key]
            for a in range(len(sums)):
                sums[a] = c.decay * sums[a] + c.weight * reach[key] * sigma[a]
            self.strategy[key] = self._learn(key, instant, c)

    def _learn(self, key: str, instant: list[float], c: Coefficients) -> list[float]:
        """Fold the instantaneous regrets into the regrets and return the next strategy."""
        total = self.regret[key]
        for a, r in enumerate(instant):
            old = total[a] * (c.positive if total[a] > 0.0 else c.negative)
            total[a] = max(old + r, c.floor)
        return regret_matching(
            [c.lookahead * R + c.prediction * r for R, r in zip(total, instant, strict=True)]
        )
