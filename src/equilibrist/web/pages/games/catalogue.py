"""The race of algorithms."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.components.games.elements import Race
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph, style_sheet


@ui.page("/race", title="Race")
def race(request: Request) -> None:
    """Choose algorithms, and watch how fast they converge."""
    style_sheet("games.css")
    with frame(request, "Race", "race") as visit:
        heading("Race")
        paragraph("Several algorithms on one game, within the same limits, on one plot.")
        Race(visit.is_owner)
