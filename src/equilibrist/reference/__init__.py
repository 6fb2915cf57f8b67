"""Reference algorithms in plain Python, readable, which the compiled kernels are tested against.

Start with `cfr`, whose docstring explains the algorithm step by step, and with `by_hand`, which
prints the figures of one infoset as one would work them out on paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Addition": "equilibrist.reference.sampling.addition",
    "GameWalk": "equilibrist.reference.game_walk",
    "HistorySheet": "equilibrist.reference.by_hand",
    "InfosetSheet": "equilibrist.reference.by_hand",
    "RandomDraws": "equilibrist.reference.draws",
    "ReferenceCFR": "equilibrist.reference.cfr",
    "Step": "equilibrist.reference.sampling.addition",
    "TablesByInfoset": "equilibrist.reference.sampling.addition",
    "Trajectory": "equilibrist.reference.sampling.outcome",
    "Visit": "equilibrist.reference.sampling.outcome",
    "average_strategy_sampling": "equilibrist.reference.sampling.average_strategy",
    "chance_sampling": "equilibrist.reference.sampling.chance",
    "escher_sampling": "equilibrist.reference.sampling.escher",
    "every_run": "equilibrist.reference.draws",
    "external_sampling": "equilibrist.reference.sampling.external",
    "instant_regrets": "equilibrist.reference.matching",
    "mean": "equilibrist.reference.matching",
    "outcome_sampling": "equilibrist.reference.sampling.outcome",
    "probing_sampling": "equilibrist.reference.sampling.subsets",
    "public_chance_sampling": "equilibrist.reference.sampling.chance",
    "pure_sampling": "equilibrist.reference.sampling.pure",
    "regret_matching": "equilibrist.reference.matching",
    "regrets_by_hand": "equilibrist.reference.by_hand",
    "robust_sampling": "equilibrist.reference.sampling.subsets",
    "textbook_outcome": "equilibrist.reference.sampling.textbook",
    "walk": "equilibrist.reference.game_walk",
    "weighted_sampling": "equilibrist.reference.sampling.weighted",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.reference.by_hand import HistorySheet as HistorySheet
    from equilibrist.reference.by_hand import InfosetSheet as InfosetSheet
    from equilibrist.reference.by_hand import regrets_by_hand as regrets_by_hand
    from equilibrist.reference.cfr import ReferenceCFR as ReferenceCFR
    from equilibrist.reference.draws import RandomDraws as RandomDraws
    from equilibrist.reference.draws import every_run as every_run
    from equilibrist.reference.game_walk import GameWalk as GameWalk
    from equilibrist.reference.game_walk import walk as walk
    from equilibrist.reference.matching import instant_regrets as instant_regrets
    from equilibrist.reference.matching import mean as mean
    from equilibrist.reference.matching import regret_matching as regret_matching
    from equilibrist.reference.sampling.addition import Addition as Addition
    from equilibrist.reference.sampling.addition import Step as Step
    from equilibrist.reference.sampling.addition import TablesByInfoset as TablesByInfoset
    from equilibrist.reference.sampling.average_strategy import (
        average_strategy_sampling as average_strategy_sampling,
    )
    from equilibrist.reference.sampling.chance import chance_sampling as chance_sampling
    from equilibrist.reference.sampling.chance import (
        public_chance_sampling as public_chance_sampling,
    )
    from equilibrist.reference.sampling.escher import escher_sampling as escher_sampling
    from equilibrist.reference.sampling.external import external_sampling as external_sampling
    from equilibrist.reference.sampling.outcome import Trajectory as Trajectory
    from equilibrist.reference.sampling.outcome import Visit as Visit
    from equilibrist.reference.sampling.outcome import outcome_sampling as outcome_sampling
    from equilibrist.reference.sampling.pure import pure_sampling as pure_sampling
    from equilibrist.reference.sampling.subsets import probing_sampling as probing_sampling
    from equilibrist.reference.sampling.subsets import robust_sampling as robust_sampling
    from equilibrist.reference.sampling.textbook import textbook_outcome as textbook_outcome
    from equilibrist.reference.sampling.weighted import weighted_sampling as weighted_sampling
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
