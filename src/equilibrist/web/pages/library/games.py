"""The table of uploaded games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from equilibrist.web.documents.library import delete_uploaded
from equilibrist.web.documents.sources import game_page
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.dialogs import confirmed
from equilibrist.web.pages.layout.frame import Visit
from equilibrist.web.pages.layout.text import Text, heading, scrolled
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.store.games import game_documents


def games_table(visit: Visit, on_changed: Callable[[], None]) -> None:
    """List the uploaded games, if there are any."""
    found = game_documents(visit.services.folders.games)
    if not found:
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
            for game in found:
                name = str(game["name"])
                with ui.element("tr"):
                    with ui.element("td"):
                        ui.link(name, game_page(name))
                    sizes = game.get("sizes") or {}
                    Text("td", _number(sizes.get("num_players")))
                    Text("td", _number(sizes.get("num_infosets")))
                    with ui.element("td"), ui.element("div").classes("eq-row ru-actions"):
                        if visit.is_owner:
                            Button("Delete", partial(delete, name), name=f"Delete {name}")


def _number(found: object) -> str:
    return f"{found:,}" if isinstance(found, int) else ""
