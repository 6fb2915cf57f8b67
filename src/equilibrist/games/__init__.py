"""Games by name: `load_game("leduc(players=3)")`, `load_game("rules.py:MyGame")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "CHANCE": "equilibrist.game",
    "EfgGame": "equilibrist.games.efg.game",
    "ForgetfulGame": "equilibrist.game",
    "Game": "equilibrist.game",
    "GameInfo": "equilibrist.games.registry",
    "Kuhn": "equilibrist.games.library.kuhn",
    "MatrixGame": "equilibrist.games.library.matrix",
    "OpenSpielGame": "equilibrist.games.openspiel",
    "Parameter": "equilibrist.games.parameters",
    "PublicGame": "equilibrist.game",
    "TERMINAL": "equilibrist.game",
    "efg_text": "equilibrist.games.efg.writer",
    "list_games": "equilibrist.games.registry",
    "load_game": "equilibrist.games.registry",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.game import CHANCE as CHANCE
    from equilibrist.game import TERMINAL as TERMINAL
    from equilibrist.game import ForgetfulGame as ForgetfulGame
    from equilibrist.game import Game as Game
    from equilibrist.game import PublicGame as PublicGame
    from equilibrist.games.efg.game import EfgGame as EfgGame
    from equilibrist.games.efg.writer import efg_text as efg_text
    from equilibrist.games.library.kuhn import Kuhn as Kuhn
    from equilibrist.games.library.matrix import MatrixGame as MatrixGame
    from equilibrist.games.openspiel import OpenSpielGame as OpenSpielGame
    from equilibrist.games.parameters import Parameter as Parameter
    from equilibrist.games.registry import GameInfo as GameInfo
    from equilibrist.games.registry import list_games as list_games
    from equilibrist.games.registry import load_game as load_game
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
