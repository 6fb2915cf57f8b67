"""Equilibria beyond one strategy that nobody exploits: correlated, refined, selected, of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Correlated": "equilibrist.equilibria.optimal.correlated",
    "CorrelationDevice": "equilibrist.equilibria.device",
    "Gap": "equilibrist.evaluation.correlation",
    "GapMeter": "equilibrist.equilibria.gaps",
    "NashEquilibria": "equilibrist.equilibria.nash.solving",
    "NashEquilibrium": "equilibrist.equilibria.nash.solving",
    "TeamMaxmin": "equilibrist.equilibria.teams.maxmin",
    "correlated": "equilibrist.equilibria.optimal.correlated",
    "Selection": "equilibrist.equilibria.selection",
    "most_entropic_equilibrium": "equilibrist.equilibria.entropy",
    "nash_equilibria": "equilibrist.equilibria.nash.solving",
    "quantal_gap": "equilibrist.equilibria.quantal",
    "select_against": "equilibrist.equilibria.selection",
    "select_by_entropy": "equilibrist.equilibria.selection",
    "select_by_trembles": "equilibrist.equilibria.selection",
    "trembling_gap": "equilibrist.equilibria.quantal",
    "team_maxmin": "equilibrist.equilibria.teams.maxmin",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.equilibria.device import CorrelationDevice as CorrelationDevice
    from equilibrist.equilibria.entropy import (
        most_entropic_equilibrium as most_entropic_equilibrium,
    )
    from equilibrist.equilibria.gaps import GapMeter as GapMeter
    from equilibrist.equilibria.nash.solving import NashEquilibria as NashEquilibria
    from equilibrist.equilibria.nash.solving import NashEquilibrium as NashEquilibrium
    from equilibrist.equilibria.nash.solving import nash_equilibria as nash_equilibria
    from equilibrist.equilibria.optimal.correlated import Correlated as Correlated
    from equilibrist.equilibria.optimal.correlated import correlated as correlated
    from equilibrist.equilibria.quantal import quantal_gap as quantal_gap
    from equilibrist.equilibria.quantal import trembling_gap as trembling_gap
    from equilibrist.equilibria.selection import Selection as Selection
    from equilibrist.equilibria.selection import select_against as select_against
    from equilibrist.equilibria.selection import select_by_entropy as select_by_entropy
    from equilibrist.equilibria.selection import select_by_trembles as select_by_trembles
    from equilibrist.equilibria.teams.maxmin import TeamMaxmin as TeamMaxmin
    from equilibrist.equilibria.teams.maxmin import team_maxmin as team_maxmin
    from equilibrist.evaluation.correlation import Gap as Gap
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
