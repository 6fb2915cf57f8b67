"""Equilibrist: solve games of imperfect information with counterfactual regret minimisation.

Names are loaded on first use, so that `import equilibrist` stays cheap. The other public names are
in the packages `contrib`, `evaluation`, `games`, `interop`, `play`, `poker`, `reference`, `rules`,
`solvers`, `solving` and `tree`, and in the modules `errors`, `plotting` and `typing`.
"""

from __future__ import annotations

from equilibrist._extensions import extend
from equilibrist._lazy_names import lazy_names
from equilibrist._version import __version__ as __version__

TYPE_CHECKING = False  # type checkers know the name; importing `typing` takes longer than all else
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PUBLIC = {
    "Callbacks": "equilibrist.progress",
    "EquilibristError": "equilibrist.errors",
    "Files": "equilibrist.solving.option_groups",
    "GameAbstraction": "equilibrist.solving.option_groups",
    "GameLimits": "equilibrist.solving.option_groups",
    "GameTree": "equilibrist.tree.compile",
    "Progress": "equilibrist.progress",
    "Result": "equilibrist.results.result",
    "Sampling": "equilibrist.solving.option_groups",
    "Stop": "equilibrist.solvers.run.stopping",
    "Strategy": "equilibrist.strategy",
    "Traversal": "equilibrist.solving.option_groups",
    "check_game": "equilibrist.game_loading",
    "compare": "equilibrist.solving.comparison",
    "compile_game": "equilibrist.game_loading",
    "evaluate": "equilibrist.evaluation.response",
    "exploitability": "equilibrist.evaluation.response",
    "list_algorithms": "equilibrist.solvers.catalogue",
    "list_games": "equilibrist.games.registry",
    "load_game": "equilibrist.games.registry",
    "load_result": "equilibrist.solving.files",
    "nash_conv": "equilibrist.evaluation.response",
    "poker": "equilibrist.poker",
    "solve": "equilibrist.solving.running",
}

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist import poker as poker
    from equilibrist.errors import EquilibristError as EquilibristError
    from equilibrist.evaluation.response import evaluate as evaluate
    from equilibrist.evaluation.response import exploitability as exploitability
    from equilibrist.evaluation.response import nash_conv as nash_conv
    from equilibrist.game_loading import check_game as check_game
    from equilibrist.game_loading import compile_game as compile_game
    from equilibrist.games.registry import list_games as list_games
    from equilibrist.games.registry import load_game as load_game
    from equilibrist.progress import Callbacks as Callbacks
    from equilibrist.progress import Progress as Progress
    from equilibrist.results.result import Result as Result
    from equilibrist.solvers.catalogue import list_algorithms as list_algorithms
    from equilibrist.solvers.run.stopping import Stop as Stop
    from equilibrist.solving.comparison import compare as compare
    from equilibrist.solving.files import load_result as load_result
    from equilibrist.solving.option_groups import Files as Files
    from equilibrist.solving.option_groups import GameAbstraction as GameAbstraction
    from equilibrist.solving.option_groups import GameLimits as GameLimits
    from equilibrist.solving.option_groups import Sampling as Sampling
    from equilibrist.solving.option_groups import Traversal as Traversal
    from equilibrist.solving.running import solve as solve
    from equilibrist.strategy import Strategy as Strategy
    from equilibrist.tree.compile import GameTree as GameTree
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)


def _contrib_variants() -> Mapping[str, Any]:
    from equilibrist.contrib.hyperparameters import FAMILIES

    return FAMILIES


def _contrib_samplers() -> Mapping[str, Any]:
    from equilibrist.contrib.samplers import SAMPLERS

    return SAMPLERS


def _networks() -> Mapping[str, Any]:
    from equilibrist.learned.contenders import CONTENDERS

    return CONTENDERS


def _spot_pickles() -> Mapping[str, Any]:
    from equilibrist.poker.postflop.files.storage import load_pickled

    return {"load": load_pickled}


def _web_commands() -> Mapping[str, Any]:
    from equilibrist.web import COMMANDS

    return COMMANDS


def _mcp_commands() -> Mapping[str, Any]:
    from equilibrist.mcp import COMMANDS

    return COMMANDS


extend("variants", _contrib_variants)
extend("samplers", _contrib_samplers)
extend("contenders", _networks)
extend("spot pickles", _spot_pickles)
extend("commands", _web_commands)
extend("commands", _mcp_commands)
