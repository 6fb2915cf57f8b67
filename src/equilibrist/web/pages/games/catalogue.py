"""The games: a list, and a page for each."""

from __future__ import annotations

import asyncio

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.components.games.elements import GameList, GamePage
from equilibrist.web.documents.games.catalogue import listed_game
from equilibrist.web.documents.games.options import more_options
from equilibrist.web.pages.games.timeouts import RESPONSE_SECONDS
from equilibrist.web.pages.layout.assets import style_sheet
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph


@ui.page("/games", title="Games")
def games(request: Request) -> None:
    """All games, with search and upload."""
    style_sheet("games.css")
    with frame(request, "Games", "games") as visit:
        heading("Games")
        paragraph(
            "Choose a game to solve it, walk through it or draw its tree. You can upload your own."
        )
        GameList(visit.is_owner)


@ui.page("/games/{game:path}", title="Game", response_timeout=RESPONSE_SECONDS)
async def game(request: Request, game: str) -> None:
    """One game."""
    style_sheet("games.css")
    with frame(request, game, "games") as visit:
        info, given = await asyncio.to_thread(listed_game, visit.services, game)
        heading(info["name"])
        paragraph(info.get("summary") or "These rules come from a file.")
        listed = info if "parameters" in info else None
        GamePage(info["name"], listed, given, more_options(), visit.is_owner)
