"""CFR on a game whose infosets are merged, by plain recursion over its histories.

The players may forget: own reach then differs among the histories of a merged infoset. Regrets are
sums over these histories, and the average weighs a strategy with the sum of chance times own reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.cfr import ReferenceCFR, Rule
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.matching import instant_regrets, mean
from equilibrist.reference.response import best_response


class MergedReferenceCFR(ReferenceCFR):
    """`ReferenceCFR` with one strategy for all infosets that are merged.

    Args:
        game: The full game, or its walk.
        merged: {infoset of the full game: merged infoset}.
        variant: The update, as coefficients of each iteration.
        alternating: Whether players are updated in turn.
    """

    def __init__(
        self,
        game: Game[Any] | GameWalk,
        merged: Mapping[str, str],
        variant: Rule,
        alternating: bool = True,
    ) -> None:
        super().__init__(game, variant, alternating)
        self.merged = merged
        self.owner = {merged[key]: infoset.player for key, infoset in self.game.infosets.items()}
        for table in (self.regret, self.strategy, self.strategy_sum):
            rows = {merged[key]: row for key, row in table.items()}
            table.clear()
            table.update(rows)

    def lifted(self) -> dict[str, list[float]]:
        """The average strategy at every infoset of the full game.

        Returns:
            {infoset: probabilities of its actions}.
        """
        average = self.average_strategy()
        return {key: average[self.merged[key]] for key in self.game.infosets}

    def instant_regrets(self, player: int) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Walk once with the current strategies; change nothing.

        Args:
            player: Whose regrets.

        Returns:
            The instantaneous regrets per merged infoset and action, and the weights of the average.
        """
        own_infosets = [key for key, owner in self.owner.items() if owner == player]
        regrets = {key: [0.0] * len(self.regret[key]) for key in own_infosets}
        weights = dict.fromkeys(own_infosets, 0.0)

        def value(node: Node, own: float, luck: float, others: float) -> float:
            """The player's expected payoff from here on; `luck` is the reach of chance alone."""
            if node.player == TERMINAL:
                return node.payoffs[player]
            if node.player == CHANCE:
                pairs = list(zip(node.chance, node.children, strict=True))
                below = [value(child, own, luck * p, others * p) for p, child in pairs]
                return mean(node.chance, below)
            sigma = self._played(node, player)
            pairs = list(zip(sigma, node.children, strict=True))
            if node.player != player:
                return mean(sigma, [value(child, own, luck, others * p) for p, child in pairs])
            key = self.merged[node.infoset]
            values = [value(child, own * p, luck, others) for p, child in pairs]
            for a, regret in enumerate(instant_regrets(values, sigma)):
                regrets[key][a] += others * regret
            weights[key] += luck * own
            return mean(sigma, values)

        value(self.game.root, 1.0, 1.0, 1.0)
        return regrets, weights

    def _played(self, node: Node, player: int) -> list[float]:
        """What is played at a history when `player` is valued."""
        return self.strategy[self.merged[node.infoset]]


class MergedReferenceCFRBR(MergedReferenceCFR):
    """CFR-BR: merged infosets learn against best responses that tell everything apart.

    Johanson, Bard, Burch and Bowling, AAAI 2012, for all players at once. A best response is not
    bound to the abstraction: it is computed in the full game, to the strategies that are played.

    Args:
        game: The full game, or its walk.
        merged: {infoset of the full game: merged infoset}.
        variant: The update, as coefficients of each iteration.
    """

    def __init__(self, game: Game[Any] | GameWalk, merged: Mapping[str, str], variant: Rule):
        super().__init__(game, merged, variant, alternating=False)
        self._replies: dict[str, int] = {}

    def instant_regrets(self, player: int) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Walk once, with the others' best responses; change nothing.

        Args:
            player: Whose regrets.

        Returns:
            The instantaneous regrets per merged infoset and action, and the weights of the average.
        """
        profile = {key: self.strategy[self.merged[key]] for key in self.game.infosets}
        self._replies = {}
        for other in range(self.game.num_players):
            self._replies |= best_response(self.game, profile, other)[1]
        return super().instant_regrets(player)

    def _played(self, node: Node, player: int) -> list[float]:
        if node.player == player:
            return super()._played(node, player)
        best = self._replies[node.infoset]
        return [1.0 if a == best else 0.0 for a in range(len(node.actions))]
