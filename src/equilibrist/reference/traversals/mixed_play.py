"""CFR in which play is a mixture of what is learnt and of what is given, one history at a time.

As `reference.cfr`, with three changes. At an infoset with the probability p of the given play m the
player plays (1 - p) * sigma + p * m, where sigma is what the regrets say; reaches and values are
those of what is played. Regrets compare each action with sigma. And one player, the viewer, may see
an opponent who follows a given strategy for the whole game with some probability.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.cfr import Coefficients, ReferenceCFR, Rule
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.matching import instant_regrets, mean

Rows = Mapping[str, list[float]]


class ReferenceMixedCFR(ReferenceCFR):
    """Full-tree CFR with mixed play; attributes as those of ReferenceCFR.

    Args:
        game: The game, or its walk.
        variant: The update, as coefficients of each iteration.
        shares: The probability of the given play per infoset; 0 where it is left out.
        given: The given play per infoset.
        viewer: The player who sees a restricted opponent, or -1.
        restricted: What that opponent plays with probability `viewed`.
        viewed: That probability, for a whole game.
        alternating: Whether players are updated in turn.
    """

    def __init__(
        self,
        game: Game[Any] | GameWalk,
        variant: Rule,
        shares: Mapping[str, float],
        mixed_in: Rows,
        *,
        viewer: int = -1,
        restricted: Rows | None = None,
        viewed: float = 0.0,
        alternating: bool = True,
    ) -> None:
        super().__init__(game, variant, alternating)
        self.shares, self.mixed_in = shares, mixed_in
        self.viewer, self.restricted, self.viewed = viewer, restricted or {}, viewed

    def played(self, key: str) -> list[float]:
        """The strategy that is played at an infoset.

        Args:
            key: The infoset.

        Returns:
            The probabilities of its actions.
        """
        p = self.shares.get(key, 0.0)
        if p == 0.0:
            return self.strategy[key]
        pairs = zip(self.strategy[key], self.mixed_in[key], strict=True)
        return [(1.0 - p) * learnt + p * other for learnt, other in pairs]

    def instant_regrets(self, player: int) -> tuple[dict[str, list[float]], dict[str, float]]:
        """Walk once with what is played; change nothing.

        Args:
            player: Whose regrets.

        Returns:
            As `ReferenceCFR.instant_regrets`.
        """
        own_infosets = {k: i for k, i in self.game.infosets.items() if i.player == player}
        regrets = {key: [0.0] * len(i.actions) for key, i in own_infosets.items()}
        reach = dict.fromkeys(own_infosets, 0.0)
        viewed = self.viewed if player == self.viewer else 0.0

        def worth(node: Node, own: float, free: float, fixed: float) -> float:
            """Payoffs from here on, weighted with how likely all others lead there."""
            if node.player == TERMINAL:
                return ((1.0 - viewed) * free + viewed * fixed) * node.payoffs[player]
            if node.player == CHANCE:
                pairs = zip(node.chance, node.children, strict=True)
                return sum(worth(child, own, free * p, fixed * p) for p, child in pairs)
            played = self.played(node.infoset)
            if node.player != player:
                theirs = self.restricted.get(node.infoset, played)
                moves = zip(played, theirs, node.children, strict=True)
                return sum(worth(child, own, free * p, fixed * q) for p, q, child in moves)
            values = [
                worth(child, own * p, free, fixed)
                for p, child in zip(played, node.children, strict=True)
            ]
            row = regrets[node.infoset]
            for a, r in enumerate(instant_regrets(values, self.strategy[node.infoset])):
                row[a] += r
            reach[node.infoset] = own
            return mean(played, values)

        worth(self.game.root, 1.0, 1.0, 1.0)
        return regrets, reach

    def update(
        self,
        player: int,
        regrets: dict[str, list[float]],
        reach: dict[str, float],
        numbers: Coefficients,
    ) -> None:
        """Add the instantaneous regrets, and compute what the player learns next.

        Args:
            player: Whose regrets.
            regrets: Per infoset, one number per action.
            reach: Per infoset, the probability that the player's own moves lead there.
            numbers: The coefficients of the iteration.
        """
        for key, instant in regrets.items():
            sums, played = self.strategy_sum[key], self.played(key)
            for a in range(len(sums)):
                sums[a] = numbers.decay * sums[a] + numbers.weight * reach[key] * played[a]
            self.strategy[key] = self._learn(key, instant, numbers)
