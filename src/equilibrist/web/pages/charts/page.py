"""The page of charts: push or fold, solved hands, blueprints."""

from __future__ import annotations

from urllib.parse import quote

from nicegui import run, ui
from starlette.requests import Request
from starlette.responses import Response

from equilibrist.web.answers.solutions import ChartFacts
from equilibrist.web.components.study.element import Charts
from equilibrist.web.documents.charts import charts_facts
from equilibrist.web.pages.layout.frame import frame, renamed
from equilibrist.web.pages.layout.text import Text, heading, style_sheet
from equilibrist.web.services import Services

_RESPONSE_SECONDS = 30.0
"""In which the file must have been opened."""


@ui.page("/charts/{name}", response_timeout=_RESPONSE_SECONDS)
async def charts(
    request: Request, name: str, line: str = "", board: str = "", stamp: str = ""
) -> Response | None:
    """Decisions of a file with charts: `line` is that of the first, `board` the public cards.

    `stamp` is that of the file in links of tables and drills.
    """
    style_sheet("study.css")
    style_sheet("charts.css")
    with frame(request, name, "library") as visit:
        if elsewhere := renamed(visit, name, stamp):
            return elsewhere
        own = visit.services.library.stamp(name)
        opened = await run.io_bound(_opened, visit.services, name)
        if opened is None:  # the server ends
            return None
        with ui.element("div").classes("eq-row"):
            heading(name)
            address = f"/api/solutions/{quote(name)}/file"
            ui.link("Download", address).classes("eq-small").props("download")
        Text("p", opened["title"]).classes("eq-muted eqc-title")
        with ui.element("dl").classes("eqc-facts"):
            for word, text in opened["facts"]:
                with ui.element("div"):
                    Text("dt", word)
                    Text("dd", text)
        Charts(
            name, line[:500], own, board[:40], ev=opened["ev"], takes_board=opened["takes_board"]
        ).classes("eqs-root-element")
    return None


def _opened(services: Services, name: str) -> ChartFacts:
    """Open the charts of a file; raises the error of one that is not there, or has none."""
    with services.library.charts(name) as file:
        return charts_facts(file)
