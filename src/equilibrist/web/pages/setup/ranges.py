"""A range of the form: its text, the grid to paint on, and the way to stored ranges."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from nicegui import ui

from equilibrist.errors import EquilibristError
from equilibrist.web.components.range_editor import Change, RangeEditor
from equilibrist.web.documents.ranges import range_of_weights, ranking, read_range
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.text import heading
from equilibrist.web.pages.setup.fields import form_field
from equilibrist.web.pages.setup.range_library import RangeDialog
from equilibrist.web.pages.setup.state import Setup

NAMES: Final = {"oop": "Out of position", "ip": "In position"}
_ORDER: Final = {"oop": "acts first", "ip": "acts last"}
_HINT: Final = (
    "In the notation of any program: 88+,A5s-A2s:0.5; a preset such as 6max-BTN; or 15% for the "
    "best hands"
)


def range_panel(setup: Setup, seat: str) -> None:
    """The panel of one player's range."""
    with ui.element("section").classes("eq-panel eq-stack su-range") as panel:
        panel.props["aria-label"] = f"Range {NAMES[seat].lower()}"
        with ui.element("div").classes("eq-row"):
            heading(NAMES[seat], 2)
            ui.label(_ORDER[seat]).classes("eq-muted eq-small")
        field = form_field(setup, seat, "Range", lines=3, hint=_HINT)
        painted = _Painted(setup, seat)
        editor = RangeEditor(NAMES[seat], painted.weights() or [0.0] * 1326, ranking(), painted)
        painted.editor, painted.show_text = editor, field.show
        setup.on_replaced.append(painted.follow)
        setup.on_checked.append(painted.follow)
        dialog = RangeDialog(setup, seat, NAMES[seat])
        with ui.element("div").classes("eq-row"):
            Button(
                "Presets, your ranges, other programs",
                dialog.open,
                name=f"Presets, your ranges, other programs: {NAMES[seat].lower()}",
            )


class _Painted:
    """Keeps the grid and the text of a range the same.

    Strokes and texts cross each other between browser and server: of the same hands, what reaches
    the server last counts.
    """

    def __init__(self, setup: Setup, seat: str) -> None:
        self._setup, self._seat = setup, seat
        self._shown = setup.version[seat]
        """The version of the text that the grid shows, apart from strokes on their way to it."""
        self._latest = 0
        self.editor: RangeEditor | None = None
        self.show_text: Any = None

    async def __call__(self, weights: list[float], change: Change) -> None:
        """Take what was painted, unless a text comes meanwhile."""
        version = self._setup.version
        before = version[self._seat]
        typed = None if before == self._shown else self.weights()
        if typed is not None and self.editor is not None:
            weights = change(typed)
            self.editor.show(weights)
        self._shown = before
        self._latest = number = self._latest + 1
        text = await asyncio.to_thread(range_of_weights, weights)
        if number != self._latest or version[self._seat] != before:
            self.follow()  # a later stroke has these weights, too; a later text has not
            return
        self._setup.take(**{self._seat: text})
        self._shown = version[self._seat]
        self.show_text(text)
        await self._setup.check()

    def weights(self) -> list[float] | None:
        """The weights of the text; None where it cannot be read."""
        try:
            return list(read_range(self._setup.form[self._seat]).weights.tolist())
        except EquilibristError:
            return None

    def follow(self, _checked: object = None) -> None:
        """Show the text of the form in the grid, unless the grid has it, or it cannot be read."""
        version = self._setup.version[self._seat]
        if version == self._shown or self.editor is None:
            return
        weights = self.weights()
        if weights is not None:
            self._shown = version
            self.editor.show(weights)
