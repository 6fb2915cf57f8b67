"""The games: a list, and a page for each."""

from __future__ import annotations

import asyncio
from typing import Final

from nicegui import ui
from starlette.requests import Request
from starlette.responses import Response

from equilibrist.web.components.games.elements import Explore, GameList, GamePage, Race
from equilibrist.web.documents.games.catalogue import listed_game
from equilibrist.web.documents.games.infosets import solution_facts
from equilibrist.web.documents.games.options import more_options, options_again
from equilibrist.web.documents.games.solved import solved_game
from equilibrist.web.documents.solutions import run_document
from equilibrist.web.pages.layout.frame import frame, renamed
from equilibrist.web.pages.layout.text import heading, paragraph, style_sheet
from equilibrist.web.pages.runs.texts import as_of

RESPONSE_SECONDS: Final = 60.0
"""Seconds; the first request on a busy machine compiles kernels and walks the game."""


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
        info, values = await asyncio.to_thread(listed_game, visit.services, game)
        heading(info["name"])
        paragraph(info.get("summary") or "These rules come from a file.")
        listed = info if "parameters" in info else None
        GamePage(info["name"], listed, values, more_options(), visit.is_owner)


@ui.page("/race", title="Race")
def race(request: Request) -> None:
    """Choose algorithms, and watch how fast they converge."""
    style_sheet("games.css")
    with frame(request, "Race", "race") as visit:
        heading("Race")
        paragraph("Several algorithms on one game, within the same limits, on one plot.")
        Race(visit.is_owner)


@ui.page("/explore/{name}", title="Solution", response_timeout=RESPONSE_SECONDS)
async def explore(request: Request, name: str, stamp: str = "") -> Response | None:
    """Infosets, histories and tree of a solution; a sentence where there is none.

    `stamp` is that of the file in links of tables and drills.
    """
    style_sheet("games.css")
    with frame(request, name, "library") as visit:
        if elsewhere := renamed(visit, name, stamp):
            return elsewhere
        own = visit.services.library.stamp(name)
        solved = await asyncio.to_thread(solved_game, visit.services, name)
        heading(name)
        behind = as_of(run_document(name, visit.services.jobs), solved.iterations)
        if behind:
            paragraph(behind).classes("eq-muted")
        options = await asyncio.to_thread(options_again, visit.services, name)
        Explore(solution_facts(solved), own, options, visit.is_owner)
    return None
