"""The race of algorithms."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph, style_sheet

_COMPONENTS = "../../components/games"


class Race(
    ui.element,
    component=f"{_COMPONENTS}/race.js",
    esm={"equilibrist-games": f"{_COMPONENTS}/shared"},
):
    """Algorithms that race on one game.

    Args:
        owner: Whether the visitor may start and stop races.
    """

    def __init__(self, owner: bool) -> None:
        super().__init__()
        self._props["owner"] = owner


@ui.page("/race", title="Race")
def race(request: Request) -> None:
    """Choose algorithms, and watch how fast they converge."""
    style_sheet("games.css")
    with frame(request, "Race", "race") as visit:
        heading("Race")
        paragraph("Several algorithms on one game, within the same limits, on one plot.")
        Race(visit.is_owner)
