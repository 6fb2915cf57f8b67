"""Solving: one function from a problem and options to an evaluated result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Comparison": "equilibrist.results.comparison",
    "FailedRun": "equilibrist.results.comparison",
    "ImplicitResult": "equilibrist.results.implicit",
    "ComparedRun": "equilibrist.results.comparison",
    "Files": "equilibrist.solving.option_groups",
    "GameAbstraction": "equilibrist.solving.option_groups",
    "GameLimits": "equilibrist.solving.option_groups",
    "Sampling": "equilibrist.solving.option_groups",
    "Traversal": "equilibrist.solving.option_groups",
    "Reached": "equilibrist.results.spread",
    "Result": "equilibrist.results.result",
    "PerturbedPlay": "equilibrist.results.details",
    "PrunedTraversals": "equilibrist.results.details",
    "SamplingDetails": "equilibrist.results.details",
    "Spread": "equilibrist.results.spread",
    "StateGraphStats": "equilibrist.results.details",
    "StoredAbstraction": "equilibrist.results.stored_abstraction",
    "StoredActions": "equilibrist.results.stored_actions",
    "StoredStrategy": "equilibrist.results.stored_strategy",
    "TracePoint": "equilibrist.solvers.run.trace",
    "compare": "equilibrist.solving.comparison",
    "solve": "equilibrist.solving.running",
    "warm_cache": "equilibrist.solving.kernel_cache",
    "warm_state": "equilibrist.solving.modifiers.warm_start",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.results.comparison import ComparedRun as ComparedRun
    from equilibrist.results.comparison import Comparison as Comparison
    from equilibrist.results.comparison import FailedRun as FailedRun
    from equilibrist.results.details import PerturbedPlay as PerturbedPlay
    from equilibrist.results.details import PrunedTraversals as PrunedTraversals
    from equilibrist.results.details import SamplingDetails as SamplingDetails
    from equilibrist.results.details import StateGraphStats as StateGraphStats
    from equilibrist.results.implicit import ImplicitResult as ImplicitResult
    from equilibrist.results.result import Result as Result
    from equilibrist.results.spread import Reached as Reached
    from equilibrist.results.spread import Spread as Spread
    from equilibrist.results.stored_abstraction import StoredAbstraction as StoredAbstraction
    from equilibrist.results.stored_actions import StoredActions as StoredActions
    from equilibrist.results.stored_strategy import StoredStrategy as StoredStrategy
    from equilibrist.solvers.run.trace import TracePoint as TracePoint
    from equilibrist.solving.comparison import compare as compare
    from equilibrist.solving.kernel_cache import warm_cache as warm_cache
    from equilibrist.solving.modifiers.warm_start import warm_state as warm_state
    from equilibrist.solving.option_groups import Files as Files
    from equilibrist.solving.option_groups import GameAbstraction as GameAbstraction
    from equilibrist.solving.option_groups import GameLimits as GameLimits
    from equilibrist.solving.option_groups import Sampling as Sampling
    from equilibrist.solving.option_groups import Traversal as Traversal
    from equilibrist.solving.running import solve as solve
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
