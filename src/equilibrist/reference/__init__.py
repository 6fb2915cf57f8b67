"""Reference algorithms in plain Python, readable, which the compiled kernels are tested against.

Start with `cfr`, whose docstring explains the algorithm step by step, and with `by_hand`, which
prints the figures of one infoset as one would work them out on paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "GameWalk": "equilibrist.reference.game_walk",
    "HistorySheet": "equilibrist.reference.by_hand",
    "InfosetSheet": "equilibrist.reference.by_hand",
    "RandomDraws": "equilibrist.reference.draws",
    "ReferenceCFR": "equilibrist.reference.cfr",
    "instant_regrets": "equilibrist.reference.matching",
    "mean": "equilibrist.reference.matching",
    "outcome_sampling": "equilibrist.reference.sampling.outcome",
    "regret_matching": "equilibrist.reference.matching",
    "regrets_by_hand": "equilibrist.reference.by_hand",
    "walk": "equilibrist.reference.game_walk",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.reference.by_hand import HistorySheet as HistorySheet
    from equilibrist.reference.by_hand import InfosetSheet as InfosetSheet
    from equilibrist.reference.by_hand import regrets_by_hand as regrets_by_hand
    from equilibrist.reference.cfr import ReferenceCFR as ReferenceCFR
    from equilibrist.reference.draws import RandomDraws as RandomDraws
    from equilibrist.reference.game_walk import GameWalk as GameWalk
    from equilibrist.reference.game_walk import walk as walk
    from equilibrist.reference.matching import instant_regrets as instant_regrets
    from equilibrist.reference.matching import mean as mean
    from equilibrist.reference.matching import regret_matching as regret_matching
    from equilibrist.reference.sampling.outcome import outcome_sampling as outcome_sampling
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
