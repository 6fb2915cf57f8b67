"""Conversion of games and strategies to and from OpenSpiel and Gambit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "GambitGame": "equilibrist.interop.gambit",
    "from_gambit": "equilibrist.interop.gambit",
    "from_policy": "equilibrist.interop.openspiel",
    "from_profile": "equilibrist.interop.gambit",
    "to_gambit": "equilibrist.interop.gambit",
    "to_openspiel": "equilibrist.interop.openspiel",
    "to_policy": "equilibrist.interop.openspiel",
    "to_profile": "equilibrist.interop.gambit",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.interop.gambit import GambitGame as GambitGame
    from equilibrist.interop.gambit import from_gambit as from_gambit
    from equilibrist.interop.gambit import from_profile as from_profile
    from equilibrist.interop.gambit import to_gambit as to_gambit
    from equilibrist.interop.gambit import to_profile as to_profile
    from equilibrist.interop.openspiel import from_policy as from_policy
    from equilibrist.interop.openspiel import to_openspiel as to_openspiel
    from equilibrist.interop.openspiel import to_policy as to_policy
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
