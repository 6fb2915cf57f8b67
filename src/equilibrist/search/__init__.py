"""Search: parts of a game solved anew below public states, with guarantees.

A trunk is a strategy of the whole game. Below some public states its play is replaced, one seat at
a time, by that of a subgame, whose gadget says what the opponent may count on. `resolve` does this
by linear programmes or by any variant of CFR, and says what it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "BoundValues": "equilibrist.search.leaf_values",
    "EquilibriumValues": "equilibrist.search.leaf_values",
    "GadgetGame": "equilibrist.search.gadgets",
    "HandValues": "equilibrist.search.resolved",
    "HistoryValues": "equilibrist.search.leaf_values",
    "LEAF_VALUES": "equilibrist.search.leaf_values",
    "LeafState": "equilibrist.search.leaf_values",
    "LeafValues": "equilibrist.search.leaf_values",
    "METHODS": "equilibrist.search.methods",
    "NestedHand": "equilibrist.search.holdem.nested",
    "NestedSearch": "equilibrist.search.holdem.nested",
    "OnlineSearch": "equilibrist.search.online",
    "PublicNode": "equilibrist.search.public_tree",
    "PublicTree": "equilibrist.search.public_tree",
    "Resolved": "equilibrist.search.resolved",
    "ResolvedSpot": "equilibrist.search.holdem.spots",
    "RootStep": "equilibrist.search.resolved",
    "SearchGame": "equilibrist.search.search_game",
    "SearchMethod": "equilibrist.search.methods",
    "StrategyValues": "equilibrist.search.leaf_values",
    "StreetSearch": "equilibrist.search.holdem.street_search",
    "Subgames": "equilibrist.search.subgames",
    "TableValues": "equilibrist.search.leaf_values",
    "TrunkValues": "equilibrist.search.values",
    "ZeroValues": "equilibrist.search.leaf_values",
    "find_roots": "equilibrist.search.roots",
    "gadget_game": "equilibrist.search.gadgets",
    "get_search_method": "equilibrist.search.methods",
    "resolve": "equilibrist.search.resolving",
    "resolve_spot": "equilibrist.search.holdem.spots",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.search.gadgets import GadgetGame as GadgetGame
    from equilibrist.search.gadgets import gadget_game as gadget_game
    from equilibrist.search.holdem.nested import NestedHand as NestedHand
    from equilibrist.search.holdem.nested import NestedSearch as NestedSearch
    from equilibrist.search.holdem.spots import ResolvedSpot as ResolvedSpot
    from equilibrist.search.holdem.spots import resolve_spot as resolve_spot
    from equilibrist.search.holdem.street_search import StreetSearch as StreetSearch
    from equilibrist.search.leaf_values import LEAF_VALUES as LEAF_VALUES
    from equilibrist.search.leaf_values import BoundValues as BoundValues
    from equilibrist.search.leaf_values import EquilibriumValues as EquilibriumValues
    from equilibrist.search.leaf_values import HistoryValues as HistoryValues
    from equilibrist.search.leaf_values import LeafState as LeafState
    from equilibrist.search.leaf_values import LeafValues as LeafValues
    from equilibrist.search.leaf_values import StrategyValues as StrategyValues
    from equilibrist.search.leaf_values import TableValues as TableValues
    from equilibrist.search.leaf_values import ZeroValues as ZeroValues
    from equilibrist.search.methods import METHODS as METHODS
    from equilibrist.search.methods import SearchMethod as SearchMethod
    from equilibrist.search.methods import get_search_method as get_search_method
    from equilibrist.search.online import OnlineSearch as OnlineSearch
    from equilibrist.search.public_tree import PublicNode as PublicNode
    from equilibrist.search.public_tree import PublicTree as PublicTree
    from equilibrist.search.resolved import HandValues as HandValues
    from equilibrist.search.resolved import Resolved as Resolved
    from equilibrist.search.resolved import RootStep as RootStep
    from equilibrist.search.resolving import resolve as resolve
    from equilibrist.search.roots import find_roots as find_roots
    from equilibrist.search.search_game import SearchGame as SearchGame
    from equilibrist.search.subgames import Subgames as Subgames
    from equilibrist.search.values import TrunkValues as TrunkValues
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
