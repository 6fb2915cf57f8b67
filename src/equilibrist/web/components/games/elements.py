"""The components as elements of pages."""

from __future__ import annotations

from nicegui import ui


class _GamesElement(ui.element, esm={"equilibrist-games": "shared"}):
    """What all of them need: the modules that they share."""


class Race(_GamesElement, component="race.js"):
    """Algorithms that race on one game.

    Args:
        owner: Whether the visitor may start and stop races.
    """

    def __init__(self, owner: bool) -> None:
        super().__init__()
        self._props["owner"] = owner
