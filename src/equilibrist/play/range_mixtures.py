"""What opponents do with their whole ranges: their action probabilities, as a player can know them.

During a hand the probabilities from which an opponent's action is drawn would give its cards away.
Averaged over all that it may hold they do not: they follow from what the player knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.play.words import action_words
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.levels import Levels
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class RangeMixture:
    """What an opponent does at a decision of this hand, averaged over its range there.

    Attributes:
        player: The opponent's place at the table.
        where: The line that led there, in a spot; empty in other games.
        actions: The labels of its actions.
        words: The best word for each action.
        probabilities: One per action: the mean over what the opponent may hold, weighted by how
            likely that is. None where the strategy never comes there.
        holdings: How many hands, or infosets, may be held.
        taken: The label of the action that was taken; None if the player cannot know.
    """

    player: int
    where: str
    actions: tuple[str, ...]
    words: tuple[str, ...]
    probabilities: tuple[float, ...] | None
    holdings: int
    taken: str | None

    def __repr__(self) -> str:
        return brief_repr(self)


@runtime_checkable
class Ranges(Protocol):
    """Anything that knows opponents' ranges: `StrategyRanges`; in hold'em `SolutionRanges`."""

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """Mix the opponents' actions so far over all that the player of an infoset may face.

        Args:
            infoset: The key of the player's infoset.

        Returns:
            One mixture per decision of an opponent, the first decision first.
        """
        ...


class StrategyRanges:
    """Ranges of opponents who play a strategy of a compiled game.

    What an opponent may hold at a decision are its infosets that lead to the player's infoset. They
    count by the probability that chance and the opponents bring them about before the decision.
    Where the player cannot tell how often the opponents have moved, the mixtures end.

    Args:
        strategy: The strategy of the opponents.
    """

    def __init__(self, strategy: Strategy) -> None:
        """Go by a strategy; the class describes the argument."""
        self._strategy = checked_strategy(strategy)
        self._levels: Levels | None = None
        self._reach: dict[int, FloatArray] = {}

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """Mix the opponents' actions so far over all that the player of an infoset may face.

        The answer depends on the infoset alone.

        Args:
            infoset: The key of the player's infoset.

        Returns:
            One mixture per decision of an opponent, the first decision first.

        Raises:
            UnknownNameError: The game has no such infoset.
        """
        tree = self._strategy.tree
        number = tree.index(infoset)
        player = int(tree.infoset_player[number])
        levels = self._opened
        ways = [
            list(self._decisions(int(at), player))[::-1]
            for at in np.flatnonzero(levels.infoset == number)
        ]
        mixtures = []
        for moves in zip(*ways, strict=False):
            movers = {int(tree.infoset_player[levels.infoset[at]]) for at, _ in moves}
            if len(movers) > 1:
                break
            mixtures.append(self._mixture(player, movers.pop(), moves))
        return tuple(mixtures)

    @property
    def _opened(self) -> Levels:
        if self._levels is None:
            self._levels = Levels.of(self._strategy.tree)
        return self._levels

    def _decisions(self, at: int, player: int) -> Iterator[tuple[int, int]]:
        """The decisions of others above a history: (history, action there), the last first."""
        levels, tree = self._opened, self._strategy.tree
        while at > 0:
            above, sequence = int(levels.parent[at]), int(levels.sequence[at])
            at = above
            if sequence < 0:
                continue
            number = int(levels.infoset[above])
            if int(tree.infoset_player[number]) != player:
                yield above, sequence - int(tree.action_offset[number])

    def _mixture(self, player: int, mover: int, moves: tuple[tuple[int, int], ...]) -> RangeMixture:
        """The mean over the distinct histories at which `mover` decides."""
        levels, tree = self._opened, self._strategy.tree
        reach = self._reached(player)
        sums: dict[str, float] = {}
        named: dict[str, str] = {}
        held, total = set(), 0.0
        for at in dict.fromkeys(at for at, _ in moves):
            number, weight = int(levels.infoset[at]), float(reach[at])
            labels = tree.action_labels[number]
            if number not in held:
                words = action_words(tree.game, tree.infoset_keys[number], labels)
                named |= {label: best for label, (best, *_) in zip(labels, words, strict=True)}
            held.add(number)
            total += weight
            row = self._strategy.probabilities[tree.actions_of(number)].tolist()
            for label, share in zip(labels, row, strict=True):
                sums[label] = sums.get(label, 0.0) + weight * share
        taken = {tree.action_labels[int(levels.infoset[at])][k] for at, k in moves}
        return RangeMixture(
            player=mover,
            where="",
            actions=tuple(sums),
            words=tuple(named[label] for label in sums),
            probabilities=tuple(x / total for x in sums.values()) if total > 0.0 else None,
            holdings=len(held),
            taken=taken.pop() if len(taken) == 1 else None,
        )

    def _reached(self, player: int) -> FloatArray:
        """float64[N]: the probability of each history if `player` did everything to get there."""
        if player not in self._reach:
            levels, tree = self._opened, self._strategy.tree
            edge = levels.edge_probability(self._strategy.probabilities)
            decided = np.flatnonzero(levels.sequence >= 0)
            movers = tree.infoset_player[levels.infoset[levels.parent[decided]]]
            edge[decided[movers == player]] = 1.0
            reach = np.ones(len(levels.node))
            for low, high in levels.ranges:
                reach[low:high] = reach[levels.parent[low:high]] * edge[low:high]
            self._reach[player] = reach
        return self._reach[player]
