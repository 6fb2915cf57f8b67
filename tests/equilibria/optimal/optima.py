"""Optimal correlated play whose device is measured before a test sees it."""

from __future__ import annotations

from typing import Any

from equilibrist.equilibria import Correlated, correlated
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import GameTree

ALL = ("ce", "efce", "efcce", "cce")
"""From the smallest set of equilibria to the largest."""
SHERIFF = "sheriff(rounds=1)"


def solved(
    spec: str | Game[Any] | GameTree, concept: str, objective: str, **given: Any
) -> Correlated:
    tree = spec if isinstance(spec, GameTree) else compile_game(spec)
    found = correlated(tree, concept, objective=objective, **given)
    assert max(found.gap.players) <= 1e-8 * max(1.0, tree.payoff_range)
    return found
