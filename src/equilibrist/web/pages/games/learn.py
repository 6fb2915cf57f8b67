"""Lessons: one iteration of CFR, step by step."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.components.games.elements import Lesson
from equilibrist.web.pages.layout.assets import style_sheet
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph


@ui.page("/learn", title="Learn")
def learn(request: Request) -> None:
    """An iteration, forward and back."""
    style_sheet("games.css")
    with frame(request, "Learn", "learn"):
        heading("Learn")
        paragraph("One iteration of counterfactual regret minimisation, every number worked out.")
        Lesson()
