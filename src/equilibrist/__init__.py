"""Equilibrist: solve games of imperfect information with counterfactual regret minimisation.

Names are loaded on first use, so that `import equilibrist` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from equilibrist._version import __version__ as __version__

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.errors import EquilibristError as EquilibristError
    from equilibrist.evaluation import best_response as best_response
    from equilibrist.evaluation import evaluate as evaluate
    from equilibrist.evaluation import expected_values as expected_values
    from equilibrist.evaluation import exploitability as exploitability
    from equilibrist.evaluation import nash_conv as nash_conv
    from equilibrist.game import CHANCE as CHANCE
    from equilibrist.game import TERMINAL as TERMINAL
    from equilibrist.game import Game as Game
    from equilibrist.game_loading import check_game as check_game
    from equilibrist.game_loading import compile_game as compile_game
    from equilibrist.games import list_games as list_games
    from equilibrist.games import load_game as load_game
    from equilibrist.rules.strategy import PackedStrategy as PackedStrategy
    from equilibrist.solution import Solution as Solution
    from equilibrist.solvers.full_traversal.cfr import CFR as CFR
    from equilibrist.solvers.sampling.mccfr import MCCFR as MCCFR
    from equilibrist.solvers.variants.variant import Variant as Variant
    from equilibrist.solving import Result as Result
    from equilibrist.solving import solve as solve
    from equilibrist.solving.comparison import compare as compare
    from equilibrist.solving.treeless import solve_without_tree as solve_without_tree
    from equilibrist.strategy import Strategy as Strategy
    from equilibrist.tree.compile import GameTree as GameTree

_PUBLIC = {
    "CFR": "equilibrist.solvers.full_traversal.cfr",
    "CHANCE": "equilibrist.game",
    "EquilibristError": "equilibrist.errors",
    "Game": "equilibrist.game",
    "GameTree": "equilibrist.tree.compile",
    "MCCFR": "equilibrist.solvers.sampling.mccfr",
    "PackedStrategy": "equilibrist.rules.strategy",
    "Result": "equilibrist.solving",
    "Solution": "equilibrist.solution",
    "Strategy": "equilibrist.strategy",
    "TERMINAL": "equilibrist.game",
    "Variant": "equilibrist.solvers.variants.variant",
    "best_response": "equilibrist.evaluation",
    "check_game": "equilibrist.game_loading",
    "compare": "equilibrist.solving.comparison",
    "compile_game": "equilibrist.game_loading",
    "evaluate": "equilibrist.evaluation",
    "expected_values": "equilibrist.evaluation",
    "exploitability": "equilibrist.evaluation",
    "list_games": "equilibrist.games",
    "load_game": "equilibrist.games",
    "nash_conv": "equilibrist.evaluation",
    "solve": "equilibrist.solving",
    "solve_without_tree": "equilibrist.solving.treeless",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name == "poker":
        return import_module("equilibrist.poker")
    if name not in _PUBLIC:
        raise AttributeError(f"module 'equilibrist' has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
