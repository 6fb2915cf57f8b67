"""Games by name: `load_game("leduc(players=3)")`, `load_game("rules.py:MyGame")`."""

from __future__ import annotations

from equilibrist.games.library.matrix import MatrixGame
from equilibrist.games.parameters import Parameter
from equilibrist.games.registry import GameInfo, list_games, load_game

__all__ = ["GameInfo", "MatrixGame", "Parameter", "list_games", "load_game"]
