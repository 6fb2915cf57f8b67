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
    "CFR": "equilibrist.solvers.full_traversal.cfr",
    "CFRBR": "equilibrist.solvers.full_traversal.best_response_solvers",
    "CHANCE": "equilibrist.game",
    "Callbacks": "equilibrist.progress",
    "EquilibristError": "equilibrist.errors",
    "Evaluation": "equilibrist.evaluation.response",
    "FSICFR": "equilibrist.solvers.full_traversal.fsicfr",
    "Game": "equilibrist.game",
    "GameTree": "equilibrist.tree.compile",
    "ImplicitMCCFR": "equilibrist.solvers.implicit.mccfr",
    "MCCFR": "equilibrist.solvers.sampling.mccfr",
    "PackedStrategy": "equilibrist.rules.strategy",
    "Progress": "equilibrist.progress",
    "RegretMatching": "equilibrist.solvers.matrix.regret_matching",
    "Result": "equilibrist.results.result",
    "Stop": "equilibrist.solvers.run.stopping",
    "StoredStrategy": "equilibrist.results.stored_strategy",
    "Strategy": "equilibrist.strategy",
    "TERMINAL": "equilibrist.game",
    "Variant": "equilibrist.solvers.variants.variant",
    "XFP": "equilibrist.solvers.full_traversal.best_response_solvers",
    "best_response": "equilibrist.evaluation.response",
    "check_game": "equilibrist.game_loading",
    "compare": "equilibrist.solving.comparison",
    "compile_game": "equilibrist.game_loading",
    "evaluate": "equilibrist.evaluation.response",
    "expected_values": "equilibrist.evaluation.response",
    "exploitability": "equilibrist.evaluation.response",
    "list_algorithms": "equilibrist.solvers.catalogue",
    "list_games": "equilibrist.games.registry",
    "list_samplers": "equilibrist.solvers.catalogue",
    "load_game": "equilibrist.games.registry",
    "load_result": "equilibrist.solving.files",
    "nash_conv": "equilibrist.evaluation.response",
    "poker": "equilibrist.poker",
    "solve": "equilibrist.solving.running",
    "solve_lp": "equilibrist.solvers.matrix.lp",
}

__all__ = ["__version__", *_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist import poker as poker
    from equilibrist.errors import EquilibristError as EquilibristError
    from equilibrist.evaluation.response import Evaluation as Evaluation
    from equilibrist.evaluation.response import best_response as best_response
    from equilibrist.evaluation.response import evaluate as evaluate
    from equilibrist.evaluation.response import expected_values as expected_values
    from equilibrist.evaluation.response import exploitability as exploitability
    from equilibrist.evaluation.response import nash_conv as nash_conv
    from equilibrist.game import CHANCE as CHANCE
    from equilibrist.game import TERMINAL as TERMINAL
    from equilibrist.game import Game as Game
    from equilibrist.game_loading import check_game as check_game
    from equilibrist.game_loading import compile_game as compile_game
    from equilibrist.games.registry import list_games as list_games
    from equilibrist.games.registry import load_game as load_game
    from equilibrist.progress import Callbacks as Callbacks
    from equilibrist.progress import Progress as Progress
    from equilibrist.results.result import Result as Result
    from equilibrist.results.stored_strategy import StoredStrategy as StoredStrategy
    from equilibrist.rules.strategy import PackedStrategy as PackedStrategy
    from equilibrist.solvers.catalogue import list_algorithms as list_algorithms
    from equilibrist.solvers.catalogue import list_samplers as list_samplers
    from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR as CFRBR
    from equilibrist.solvers.full_traversal.best_response_solvers import XFP as XFP
    from equilibrist.solvers.full_traversal.cfr import CFR as CFR
    from equilibrist.solvers.full_traversal.fsicfr import FSICFR as FSICFR
    from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR as ImplicitMCCFR
    from equilibrist.solvers.matrix.lp import solve_lp as solve_lp
    from equilibrist.solvers.matrix.regret_matching import RegretMatching as RegretMatching
    from equilibrist.solvers.run.stopping import Stop as Stop
    from equilibrist.solvers.sampling.mccfr import MCCFR as MCCFR
    from equilibrist.solvers.variants.variant import Variant as Variant
    from equilibrist.solving.comparison import compare as compare
    from equilibrist.solving.files import load_result as load_result
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


def _spot_pickles() -> Mapping[str, Any]:
    from equilibrist.poker.postflop.files.storage import load_pickled

    return {"load": load_pickled}


def _web_commands() -> Mapping[str, Any]:
    from equilibrist.web import COMMANDS

    return COMMANDS


extend("variants", _contrib_variants)
extend("samplers", _contrib_samplers)
extend("spot pickles", _spot_pickles)
extend("commands", _web_commands)
