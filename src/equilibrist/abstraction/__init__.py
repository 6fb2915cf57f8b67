"""What a player may tell apart: maps of infosets, their sources, and what a merged game is worth.

An `Abstraction` maps each infoset of a compiled game to an abstract one, per player. A strategy
over abstract infosets is lifted to the full game, where everything is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Abstraction": "equilibrist.abstraction.abstraction",
    "AbstractionReport": "equilibrist.abstraction.measures.report",
    "ActionAbstraction": "equilibrist.abstraction.actions.action_abstraction",
    "ActionNumbers": "equilibrist.abstraction.actions.numbers",
    "Cut": "equilibrist.abstraction.cutting",
    "Lossless": "equilibrist.abstraction.symmetry.lossless",
    "Measures": "equilibrist.abstraction.measures.numbers",
    "Recall": "equilibrist.abstraction.recall",
    "SymmetryBound": "equilibrist.abstraction.measures.bounds",
    "ThreeNumbers": "equilibrist.abstraction.measures.numbers",
    "Translation": "equilibrist.abstraction.actions.translation",
    "TranslationNumbers": "equilibrist.abstraction.actions.numbers",
    "action_numbers": "equilibrist.abstraction.actions.numbers",
    "automatic_buckets": "equilibrist.abstraction.buckets.automatic",
    "cut_improbable": "equilibrist.abstraction.cutting",
    "classify_recall": "equilibrist.abstraction.recall",
    "find_lossless": "equilibrist.abstraction.symmetry.lossless",
    "lossless_of": "equilibrist.abstraction.symmetry.lossless",
    "make_abstraction": "equilibrist.abstraction.spec",
    "make_action_abstraction": "equilibrist.abstraction.actions.spec",
    "merged_tree": "equilibrist.abstraction.merging",
    "pseudo_harmonic": "equilibrist.abstraction.actions.mappings",
    "report": "equilibrist.abstraction.measures.report",
    "symmetry_bound": "equilibrist.abstraction.measures.bounds",
    "symmetry_by_names": "equilibrist.abstraction.symmetry.named_symmetries",
    "three_numbers": "equilibrist.abstraction.measures.numbers",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.abstraction.abstraction import Abstraction as Abstraction
    from equilibrist.abstraction.actions.action_abstraction import (
        ActionAbstraction as ActionAbstraction,
    )
    from equilibrist.abstraction.actions.mappings import pseudo_harmonic as pseudo_harmonic
    from equilibrist.abstraction.actions.numbers import ActionNumbers as ActionNumbers
    from equilibrist.abstraction.actions.numbers import TranslationNumbers as TranslationNumbers
    from equilibrist.abstraction.actions.numbers import action_numbers as action_numbers
    from equilibrist.abstraction.actions.spec import (
        make_action_abstraction as make_action_abstraction,
    )
    from equilibrist.abstraction.actions.translation import Translation as Translation
    from equilibrist.abstraction.buckets.automatic import automatic_buckets as automatic_buckets
    from equilibrist.abstraction.cutting import Cut as Cut
    from equilibrist.abstraction.cutting import cut_improbable as cut_improbable
    from equilibrist.abstraction.measures.bounds import SymmetryBound as SymmetryBound
    from equilibrist.abstraction.measures.bounds import symmetry_bound as symmetry_bound
    from equilibrist.abstraction.measures.numbers import Measures as Measures
    from equilibrist.abstraction.measures.numbers import ThreeNumbers as ThreeNumbers
    from equilibrist.abstraction.measures.numbers import three_numbers as three_numbers
    from equilibrist.abstraction.measures.report import AbstractionReport as AbstractionReport
    from equilibrist.abstraction.measures.report import report as report
    from equilibrist.abstraction.merging import merged_tree as merged_tree
    from equilibrist.abstraction.recall import Recall as Recall
    from equilibrist.abstraction.recall import classify_recall as classify_recall
    from equilibrist.abstraction.spec import make_abstraction as make_abstraction
    from equilibrist.abstraction.symmetry.lossless import Lossless as Lossless
    from equilibrist.abstraction.symmetry.lossless import find_lossless as find_lossless
    from equilibrist.abstraction.symmetry.lossless import lossless_of as lossless_of
    from equilibrist.abstraction.symmetry.named_symmetries import (
        symmetry_by_names as symmetry_by_names,
    )
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
