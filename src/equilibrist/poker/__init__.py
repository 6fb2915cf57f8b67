"""Hold'em: cards, ranges, equity, betting, and spots that are solved, saved and looked up.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.poker.batches import batch as batch
    from equilibrist.poker.betting import BettingRules as BettingRules
    from equilibrist.poker.betting_state import BettingState as BettingState
    from equilibrist.poker.betting_state import street_menus as street_menus
    from equilibrist.poker.cards import parse_board as parse_board
    from equilibrist.poker.equities import Equity as Equity
    from equilibrist.poker.equities import equity as equity
    from equilibrist.poker.locks import Lock as Lock
    from equilibrist.poker.node_view import Node as Node
    from equilibrist.poker.ranges import Range as Range
    from equilibrist.poker.reports import runouts as runouts
    from equilibrist.poker.saved_spot import load as load
    from equilibrist.poker.saved_spot import save as save
    from equilibrist.poker.size_syntax import parse_sizes as parse_sizes
    from equilibrist.poker.sizes import Thresholds as Thresholds
    from equilibrist.poker.solution import Solution as Solution
    from equilibrist.poker.spot import Spot as Spot
    from equilibrist.poker.spot_runs import resume as resume
    from equilibrist.poker.spot_runs import solve as solve
    from equilibrist.poker.spot_size import estimate as estimate
    from equilibrist.poker.tree_files import export as export

_PUBLIC = {
    "BettingRules": "equilibrist.poker.betting",
    "BettingState": "equilibrist.poker.betting_state",
    "Equity": "equilibrist.poker.equities",
    "Lock": "equilibrist.poker.locks",
    "Node": "equilibrist.poker.node_view",
    "Range": "equilibrist.poker.ranges",
    "Solution": "equilibrist.poker.solution",
    "Spot": "equilibrist.poker.spot",
    "Thresholds": "equilibrist.poker.sizes",
    "batch": "equilibrist.poker.batches",
    "equity": "equilibrist.poker.equities",
    "estimate": "equilibrist.poker.spot_size",
    "export": "equilibrist.poker.tree_files",
    "load": "equilibrist.poker.saved_spot",
    "parse_board": "equilibrist.poker.cards",
    "parse_sizes": "equilibrist.poker.size_syntax",
    "resume": "equilibrist.poker.spot_runs",
    "runouts": "equilibrist.poker.reports",
    "save": "equilibrist.poker.saved_spot",
    "solve": "equilibrist.poker.spot_runs",
    "street_menus": "equilibrist.poker.betting_state",
}

__all__ = list(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'equilibrist.poker' has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
