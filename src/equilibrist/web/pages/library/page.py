"""The first page: where to begin, what runs, the library, and uploads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from nicegui import ui
from starlette.requests import Request

from equilibrist._version import __version__
from equilibrist.web.components.file_choosers import UploadZone
from equilibrist.web.documents.library import delete_uploaded
from equilibrist.web.documents.sources import game_page, subject_page
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.frame import Visit, frame
from equilibrist.web.pages.layout.text import Text, heading, paragraph, scrolled, style_sheet
from equilibrist.web.pages.library.solutions import SolutionsTable
from equilibrist.web.pages.runs.table import RunsTable
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.store.games import game_documents


def games_table(visit: Visit, on_changed: Callable[[], None]) -> None:
    """List the uploaded games, if there are any."""
    documents = game_documents(visit.services.folders.games)
    if not documents:
        return

    async def delete(name: str) -> None:
        if await confirmed(f"Delete the game {name}?", "Delete"):
            visit.check_owner("delete games")
            delete_uploaded(visit.services, name.removeprefix(UPLOADED))
            on_changed()

    heading("Uploaded games", 2)
    with scrolled("Uploaded games"), ui.element("table").classes("eq-table li-table"):
        with ui.element("thead"), ui.element("tr"):
            for head in ("Game", "Players", "Infosets", ""):
                Text("th", head).props("scope=col")
        with ui.element("tbody"):
            for game in documents:
                name = str(game["name"])
                with ui.element("tr"):
                    with ui.element("td"):
                        ui.link(name, game_page(name))
                    sizes: Mapping[str, object] = game.get("sizes") or {}
                    Text("td", _number(sizes.get("num_players")))
                    Text("td", _number(sizes.get("num_infosets")))
                    with ui.element("td"), ui.element("div").classes("eq-row ru-actions"):
                        if visit.is_owner:
                            Button("Delete", partial(delete, name), name=f"Delete {name}")


def _number(count: object) -> str:
    return f"{count:,}" if isinstance(count, int) else ""


_EVERY: Final = 1.0
_FIRST: Final = (
    ("Solve a spot", "/spot", "Heads-up postflop hold'em: ranges, a board and bet sizes."),
    ("Solve a game", "/games", "Kuhn, Leduc, Liar's Dice, matrix games, or a file of your own."),
    ("Play", "/play", "Hands against a solution, with the EV loss of each decision."),
)


@ui.page("/", title="Equilibrist")
async def library_page(request: Request) -> None:
    """Show the library. Texts of files are shown as texts, never as HTML."""
    style_sheet("runs.css", "fields.css", "library.css")
    with frame(request, "Library", "library") as visit:
        heading("Library")
        _subject(visit)
        entries = await asyncio.to_thread(visit.services.library.entries)
        if not entries:
            _begin()
        with ui.element("section").classes("eq-stack").props('aria-label="Running"'):
            with ui.element("div").classes("eq-row"):
                heading("Running now", 2)
                ui.link("All runs", "/runs").classes("eq-small")
            running = RunsTable(visit)
            running.follow()
        with ui.element("section").classes("eq-stack").props('aria-label="Solutions"'):
            heading("Solutions", 2)
            solutions = SolutionsTable(visit, entries)
        games = ui.element("section").classes("eq-stack").props('aria-label="Uploaded games"')

        def show_games() -> None:
            games.clear()
            with games:
                games_table(visit, show_games)

        show_games()
        if visit.is_owner:

            async def uploaded() -> None:
                show_games()
                await solutions.follow()

            limits = visit.services.settings.limits
            UploadZone(
                "solutions (.safetensors, .spot) and games (.efg)",
                ".safetensors,.spot,.efg",
                {".efg": limits.game_upload, "": limits.upload},
                uploaded,
            )
        with ui.element("div").classes("eq-row eq-muted eq-small"):
            ui.label(f"Equilibrist {__version__}")
            ui.link("Reports over boards", "/reports")
            ui.link("API", "/api/docs")

        async def follow() -> None:
            running.follow()
            await solutions.follow()

        ui.timer(_EVERY, follow)


def _begin() -> None:
    """Where a newcomer begins."""
    paragraph("No solutions yet. Three ways to start:")
    with ui.element("div").classes("li-cards"):
        for title, address, text in _FIRST:
            with ui.link(target=address).classes("eq-panel li-card"):
                Text("b", title)
                Text("span", text).classes("eq-muted eq-small")


def _subject(visit: Visit) -> None:
    """Show what the server was started with."""
    subject = visit.services.settings.subject
    if subject is None:
        return
    what = "Set it up" if subject.kind == "spot" else "Open it"
    with ui.element("div").classes("eq-row eq-panel"):
        ui.label(f"Started with the {subject.kind} {subject.name}")
        ui.link(what, subject_page(subject))
