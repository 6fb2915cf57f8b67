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
        bounds: float64[2, P], the least and the greatest payoffs that chance lets be reached; what
            lies beyond is behind outcomes of probability 0, and is moved there.
    """

    def __init__(
        self, game: Game[Any], centre: FloatArray, unit: FloatArray, bounds: FloatArray
    ) -> None:
        self._game, self._centre, self._unit, self._bounds = game, centre, unit, bounds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        """The payoffs of the game, rescaled."""
        paid = np.clip(np.asarray(self._game.payoffs(state), dtype=np.float64), *self._bounds)
        return tuple(((paid - self._centre) / self._unit).tolist())


def rescaled(tree: GameTree) -> GameTree:
    """Rescale a game to units of which most payoffs are a few.

    Args:
        tree: A compiled game of perfect recall.

    Returns:
        The game itself where its payoffs are plain, else one with the same infosets and actions.

    Raises:
        RecallError: The game has imperfect recall.
    """
    sequences = Sequences.of(tree)
    reached = sequences.payoff[sequences.leaf_chance > 0.0]
    bounds = np.array([reached.min(axis=0), reached.max(axis=0)])
    spread = payoff_spreads(reached)
    low, high = _PLAIN
    plain = (spread == 0.0) | ((spread >= low) & (spread <= high))
    inside = (sequences.payoff >= bounds[0]) & (sequences.payoff <= bounds[1])
    if plain.all() and inside.all() and not sequences.centre.any():
        return tree
    exponents = [
        0 if is_plain else math.floor(math.log10(s))
        for s, is_plain in zip(spread, plain, strict=True)
    ]
    unit = np.array([10.0**k for k in exponents])
    return compile_game(_Rescaled(tree.game, sequences.centre, unit, bounds))
