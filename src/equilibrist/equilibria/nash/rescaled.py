"""Payoffs as other programs take them: not too large, not too small, and without offsets."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from equilibrist.evaluation.sequences import Sequences
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import payoff_spreads
from equilibrist.typing import FloatArray

_PLAIN: Final = (1e-3, 1e5)
"""Spreads of payoffs that are left as they are."""


class _Rescaled:
    """A game with (payoff - centre) / unit for each payoff of a player: it has the same equilibria.

    Args:
        game: The game.
        centre: float64[P].
        unit: float64[P], above 0.
    """

    def __init__(self, game: Game[Any], centre: FloatArray, unit: FloatArray) -> None:
        self._game, self._centre, self._unit = game, centre, unit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        """The payoffs of the game, rescaled."""
        paid = np.asarray(self._game.payoffs(state), dtype=np.float64)
        return tuple(((paid - self._centre) / self._unit).tolist())


def rescaled(tree: GameTree) -> GameTree:
    """The same game in units of which most payoffs are a few.

    Args:
        tree: A compiled game of perfect recall.

    Returns:
        The game itself where its payoffs are plain, else one with the same infosets and actions.

    Raises:
        RecallError: The game has imperfect recall.
    """
    sequences = Sequences.of(tree)
    spread = payoff_spreads(sequences.payoff[sequences.leaf_chance > 0.0])
    low, high = _PLAIN
    plain = (spread == 0.0) | ((spread >= low) & (spread <= high))
    if plain.all() and not sequences.centre.any():
        return tree
    exponents = [
        0 if one else math.floor(math.log10(s)) for s, one in zip(spread, plain, strict=True)
    ]
    unit = np.array([10.0**k for k in exponents])
    return compile_game(_Rescaled(tree.game, sequences.centre, unit))
