"""Correlated equilibrium, devices that recommend, and teams that agree on plans beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "CONCEPTS": "equilibrist.equilibria.concepts",
    "Concept": "equilibrist.equilibria.concepts",
    "Correlated": "equilibrist.equilibria.optimal.correlated",
    "CorrelationDevice": "equilibrist.equilibria.device",
    "Gap": "equilibrist.evaluation.correlation",
    "GapMeter": "equilibrist.equilibria.gaps",
    "PlayHistory": "equilibrist.equilibria.history",
    "Recommendations": "equilibrist.equilibria.device",
    "TeamMaxmin": "equilibrist.equilibria.teams.maxmin",
    "Trigger": "equilibrist.evaluation.correlation",
    "concept_named": "equilibrist.equilibria.concepts",
    "correlated": "equilibrist.equilibria.optimal.correlated",
    "team_maxmin": "equilibrist.equilibria.teams.maxmin",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.equilibria.concepts import CONCEPTS as CONCEPTS
    from equilibrist.equilibria.concepts import Concept as Concept
    from equilibrist.equilibria.concepts import concept_named as concept_named
    from equilibrist.equilibria.device import CorrelationDevice as CorrelationDevice
    from equilibrist.equilibria.device import Recommendations as Recommendations
    from equilibrist.equilibria.gaps import GapMeter as GapMeter
    from equilibrist.equilibria.history import PlayHistory as PlayHistory
    from equilibrist.equilibria.optimal.correlated import Correlated as Correlated
    from equilibrist.equilibria.optimal.correlated import correlated as correlated
    from equilibrist.equilibria.teams.maxmin import TeamMaxmin as TeamMaxmin
    from equilibrist.equilibria.teams.maxmin import team_maxmin as team_maxmin
    from equilibrist.evaluation.correlation import Gap as Gap
    from equilibrist.evaluation.correlation import Trigger as Trigger
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
