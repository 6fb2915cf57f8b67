"""Ranges by name, with small pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments


class RangeList(ui.element, component="range_list.js"):
    """Ranges to choose from: a library with folders, or tiles.

    Args:
        label: What readers of the screen call the list.
        items: For each range its `name`, the text `title` that the mouse shows, `weights`, 169
            digits to base 36, and perhaps a `note` beside the name.
        on_use: Called with the name of a range that is chosen.
        tiles: Whether they stand side by side, without folders.
        actions: What is called with names where ranges and folders may be changed: `rename` and
            `remove` with one, `move` with the old and the new one.
    """

    def __init__(
        self,
        label: str,
        items: Sequence[dict[str, str]],
        on_use: Callable[[str], Any],
        *,
        tiles: bool = False,
        actions: dict[str, Callable[..., Any]] | None = None,
    ) -> None:
        super().__init__()
        self._props.update(
            {
                "label": label,
                "items": list(items),
                "tiles": tiles,
                "may": actions is not None,
            }
        )
        calls = {"use": on_use, **(actions or {})}
        for event, call in calls.items():
            self.on(event, _named(call))

    def show(self, items: Sequence[dict[str, str]]) -> None:
        """Replace the ranges."""
        self._props["items"] = list(items)


def _named(call: Callable[..., Any]) -> Callable[[GenericEventArguments], Any]:
    """A handler that calls with the names of an event."""

    async def heard(event: GenericEventArguments) -> None:
        names = [str(event.args[key]) for key in ("name", "to") if key in event.args]
        await call(*names)

    return heard
