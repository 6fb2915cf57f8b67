"""A solution of a game."""

from __future__ import annotations

import asyncio

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.components.games.elements import Explore
from equilibrist.web.documents.games.infosets import solution_facts
from equilibrist.web.documents.games.options import options_again
from equilibrist.web.documents.games.solved import solved_game
from equilibrist.web.documents.solutions import run_document
from equilibrist.web.pages.games.timeouts import RESPONSE_SECONDS
from equilibrist.web.pages.layout.assets import style_sheet
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph
from equilibrist.web.pages.runs.texts import as_of


@ui.page("/explore/{name}", title="Solution", response_timeout=RESPONSE_SECONDS)
async def explore(request: Request, name: str) -> None:
    """Infosets, histories and tree of a solution; a sentence where there is none."""
    style_sheet("games.css")
    with frame(request, name, "library") as visit:
        solved = await asyncio.to_thread(solved_game, visit.services, name)
        heading(name)
        behind = as_of(run_document(name, visit.services.jobs), solved.iterations)
        if behind:
            paragraph(behind).classes("eq-muted")
        options = await asyncio.to_thread(options_again, visit.services, name)
        Explore(solution_facts(solved), options, visit.is_owner)
