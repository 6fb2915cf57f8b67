"""Equilibria beyond one strategy that nobody exploits: refinements and selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Selection": "equilibrist.equilibria.selection",
    "most_entropic_equilibrium": "equilibrist.equilibria.entropy",
    "quantal_gap": "equilibrist.equilibria.quantal",
    "select_against": "equilibrist.equilibria.selection",
    "select_by_entropy": "equilibrist.equilibria.selection",
    "select_by_trembles": "equilibrist.equilibria.selection",
    "trembling_gap": "equilibrist.equilibria.quantal",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.equilibria.entropy import (
        most_entropic_equilibrium as most_entropic_equilibrium,
    )
    from equilibrist.equilibria.quantal import quantal_gap as quantal_gap
    from equilibrist.equilibria.quantal import trembling_gap as trembling_gap
    from equilibrist.equilibria.selection import Selection as Selection
    from equilibrist.equilibria.selection import select_against as select_against
    from equilibrist.equilibria.selection import select_by_entropy as select_by_entropy
    from equilibrist.equilibria.selection import select_by_trembles as select_by_trembles
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
