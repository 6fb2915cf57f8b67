"""Hold'em: cards, ranges, equity, betting, and spots that are solved, saved and looked up.

Names are loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.poker.betting.bet_size_parser import parse_sizes as parse_sizes
    from equilibrist.poker.betting.bet_sizes import Thresholds as Thresholds
    from equilibrist.poker.betting.rules import BettingRules as BettingRules
    from equilibrist.poker.betting.state import BettingState as BettingState
    from equilibrist.poker.betting.state import street_menus as street_menus
    from equilibrist.poker.cards.cards import parse_board as parse_board
    from equilibrist.poker.equities.equity import Equity as Equity
    from equilibrist.poker.equities.equity import equity as equity
    from equilibrist.poker.estimates.size import estimate as estimate
    from equilibrist.poker.files.batch import batch as batch
    from equilibrist.poker.files.runout_report import runouts as runouts
    from equilibrist.poker.files.storage import load as load
    from equilibrist.poker.files.storage import save as save
    from equilibrist.poker.files.tree_export import export as export
    from equilibrist.poker.ranges.range import Range as Range
    from equilibrist.poker.solutions.node import Node as Node
    from equilibrist.poker.solutions.solution import PostflopResult as PostflopResult
    from equilibrist.poker.solving.spot_runs import resume as resume
    from equilibrist.poker.solving.spot_runs import solve as solve
    from equilibrist.poker.spots.lock import Lock as Lock
    from equilibrist.poker.spots.spot import Spot as Spot

_PUBLIC = {
    "BettingRules": "equilibrist.poker.betting.rules",
    "BettingState": "equilibrist.poker.betting.state",
    "Equity": "equilibrist.poker.equities.equity",
    "Lock": "equilibrist.poker.spots.lock",
    "Node": "equilibrist.poker.solutions.node",
    "PostflopResult": "equilibrist.poker.solutions.solution",
    "Range": "equilibrist.poker.ranges.range",
    "Spot": "equilibrist.poker.spots.spot",
    "Thresholds": "equilibrist.poker.betting.bet_sizes",
    "batch": "equilibrist.poker.files.batch",
    "equity": "equilibrist.poker.equities.equity",
    "estimate": "equilibrist.poker.estimates.size",
    "export": "equilibrist.poker.files.tree_export",
    "load": "equilibrist.poker.files.storage",
    "parse_board": "equilibrist.poker.cards.cards",
    "parse_sizes": "equilibrist.poker.betting.bet_size_parser",
    "resume": "equilibrist.poker.solving.spot_runs",
    "runouts": "equilibrist.poker.files.runout_report",
    "save": "equilibrist.poker.files.storage",
    "solve": "equilibrist.poker.solving.spot_runs",
    "street_menus": "equilibrist.poker.betting.state",
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
