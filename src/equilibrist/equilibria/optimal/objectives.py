"""What the best correlated equilibrium is best at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.errors import UnknownNameError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.typing import FloatArray

NAMES = ("welfare", "fair", "player:0", "min:0", "min:welfare")
"""Examples of all kinds, for messages and help."""


@dataclass(frozen=True)
class Objective:
    """What is maximised.

    Attributes:
        name: How options name it.
        weights: What each player's payoff counts; empty for `fair`, the least payoff of all.
    """

    name: str
    weights: tuple[float, ...]

    def value(self, values: FloatArray) -> float:
        """What is maximised, in payoff units; of `min:...` the quantity that is minimised.

        Args:
            values: float64[P], the players' expected payoffs.

        Returns:
            The number.
        """
        total = self.maximised(values)
        return -total if self.name.startswith("min:") else total

    def maximised(self, values: FloatArray) -> float:
        """What programmes maximise: `value`, and minus `value` of `min:...`.

        Args:
            values: float64[P], the players' expected payoffs.

        Returns:
            The number.
        """
        return float(np.asarray(self.weights) @ values) if self.weights else float(values.min())


def objective_named(name: object, players: int) -> Objective:
    """Find an objective.

    Args:
        name: `welfare` (the sum), `fair` (the least of all payoffs), `player:I` (that of a player,
            from 0), `min:I` or `min:welfare` (as little as possible).
        players: How many players there are.

    Returns:
        The objective.

    Raises:
        UnknownNameError: There is none of that name.
        ConfigError: It is no text.
    """
    if not isinstance(name, str):
        raise bad_argument("objective", name, f"one of {', '.join(NAMES)}")
    text = name.strip().lower()
    if text == "fair":
        return Objective(text, ())
    kind, _, whose = text.partition(":")
    sign = -1.0 if kind == "min" else 1.0
    if text in ("welfare", "min:welfare"):
        return Objective(text, (sign,) * players)
    if kind in ("player", "min") and whose.isdecimal() and int(whose) < players:
        weights = [0.0] * players
        weights[int(whose)] = sign
        return Objective(f"{kind}:{int(whose)}", tuple(weights))
    of_players = [f"{kind}:{p}" for kind in ("player", "min") for p in range(players)]
    raise UnknownNameError("objective", name, ["welfare", "fair", *of_players, "min:welfare"])
