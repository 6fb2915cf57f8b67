"""What play is worth from each history on, looked up by the actions that lead there."""

from __future__ import annotations

from typing import cast

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.levels import Levels
from equilibrist.typing import FloatArray


class HistoryValues:
    """Expected payoffs of all players from every history on, under a strategy of all players.

    Histories are found by the numbers of the actions and chance outcomes from the beginning.

    Args:
        tree: A compiled game.
        probabilities: float64[Q] in public order: what all players do.
    """

    def __init__(self, tree: GameTree, probabilities: FloatArray) -> None:
        self._levels = Levels.of(tree)
        self._values = self._levels.values(self._levels.edge_probability(probabilities))

    def of(self, position: int) -> FloatArray:
        """The expected payoffs from a history on.

        Args:
            position: A history, from `child`; 0 is the beginning.

        Returns:
            float64[P], in payoff units.
        """
        return cast("FloatArray", self._values[position])

    def child(self, position: int, action: int) -> int:
        """The history after an action or a chance outcome.

        Args:
            position: A history that is not terminal.
            action: The number of the action there.

        Returns:
            The position of the next history.
        """
        # Children stand side by side, in the order of their parents.
        return int(np.searchsorted(self._levels.parent[1:], position)) + 1 + action
