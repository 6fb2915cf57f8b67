"""What a player may tell apart: maps of infosets, their sources, and what a merged game is worth.

An `Abstraction` maps each infoset of a compiled game to an abstract one, per player. A strategy
over abstract infosets is lifted to the full game, where everything is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Abstraction": "equilibrist.abstraction.abstraction",
    "Recall": "equilibrist.abstraction.recall",
    "classify_recall": "equilibrist.abstraction.recall",
    "make_abstraction": "equilibrist.abstraction.spec",
    "merged_tree": "equilibrist.abstraction.merging",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.abstraction.abstraction import Abstraction as Abstraction
    from equilibrist.abstraction.merging import merged_tree as merged_tree
    from equilibrist.abstraction.recall import Recall as Recall
    from equilibrist.abstraction.recall import classify_recall as classify_recall
    from equilibrist.abstraction.spec import make_abstraction as make_abstraction
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
