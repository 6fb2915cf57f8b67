"""The histories of a compiled game as rules ask for them: whose turn it is, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import TERMINAL_MARK


@dataclass(frozen=True, eq=False)
class Moves:
    """All N histories of a game, by their places among its levels, as lists.

    Attributes:
        levels: The histories.
        first: The place of the first history after each; the others follow it.
        count: How many follow.
        player: Whose turn it is, CHANCE and TERMINAL included.
        payoff: What the players earn at the end; nothing elsewhere.
    """

    levels: Levels
    first: list[int]
    count: list[int]
    player: list[int]
    payoff: list[tuple[float, ...]]

    @classmethod
    def of(cls, levels: Levels) -> Moves:
        """List the histories of a game."""
        tree, total = levels.tree, len(levels.node)
        parent = levels.parent[1:]  # rising: children stand in the order of their parents
        count = np.bincount(parent, minlength=total)
        player = np.full(total, CHANCE, dtype=np.int64)
        decided = levels.infoset >= 0
        player[decided] = tree.infoset_player[levels.infoset[decided]]
        ends = levels.infoset == TERMINAL_MARK
        player[ends] = TERMINAL
        row = np.cumsum(tree.walk.infoset == TERMINAL_MARK) - 1
        payoff: list[tuple[float, ...]] = [()] * total
        rows = tree.walk.payoff[row[levels.node[ends]]].tolist()
        for place, earned in zip(np.flatnonzero(ends).tolist(), rows, strict=True):
            payoff[place] = tuple(earned)
        return cls(
            levels=levels,
            first=(1 + np.cumsum(count) - count).tolist(),
            count=count.tolist(),
            player=player.tolist(),
            payoff=payoff,
        )

    def __repr__(self) -> str:
        return brief_repr(self)

    def key(self, place: int) -> str:
        """The key of the infoset at a place.

        Args:
            place: The place of a decision.

        Returns:
            The key.
        """
        return self.levels.tree.infoset_keys[int(self.levels.infoset[place])]

    def labels(self, place: int) -> Sequence[str]:
        """What may be done at a place, or the numbers of what chance may do.

        Args:
            place: A place where the game is not over.

        Returns:
            The labels.
        """
        infoset = int(self.levels.infoset[place])
        if infoset >= 0:
            return self.levels.tree.action_labels[infoset]
        return [str(number) for number in range(self.count[place])]

    def chance(self, place: int) -> Sequence[float]:
        """The probabilities of what chance may do at a place.

        Args:
            place: A place where chance moves.

        Returns:
            One for each outcome.
        """
        first = self.first[place]
        odds: list[float] = self.levels.chance[first : first + self.count[place]].tolist()
        return odds
