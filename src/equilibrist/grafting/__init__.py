"""Grafting: new play in parts of a base strategy, found on top of it and measured in the full game.

A graft replaces what a player does in a block of infosets. `graft` finds and combines grafts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Block": "equilibrist.grafting.blocks",
    "GraftStep": "equilibrist.grafting.grafted",
    "Grafted": "equilibrist.grafting.grafted",
    "find_blocks": "equilibrist.grafting.blocks",
    "graft": "equilibrist.grafting.grafting",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.grafting.blocks import Block as Block
    from equilibrist.grafting.blocks import find_blocks as find_blocks
    from equilibrist.grafting.grafted import Grafted as Grafted
    from equilibrist.grafting.grafted import GraftStep as GraftStep
    from equilibrist.grafting.grafting import graft as graft
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
