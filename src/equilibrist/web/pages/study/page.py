"""The page of a solved spot."""

from __future__ import annotations

from urllib.parse import quote

from nicegui import run, ui
from starlette.requests import Request
from starlette.responses import Response

from equilibrist.web.components.study.element import Study
from equilibrist.web.documents.solutions import run_document, spot_of
from equilibrist.web.pages.layout.frame import frame, renamed
from equilibrist.web.pages.layout.text import heading, paragraph, style_sheet
from equilibrist.web.pages.runs.texts import as_of
from equilibrist.web.services import Services

_RESPONSE_SECONDS = 30.0
"""In which the file must have been opened."""


@ui.page("/study/{name}", response_timeout=_RESPONSE_SECONDS)
async def study(
    request: Request,
    name: str,
    line: str = "",
    hand: str = "",
    versus: str = "",
    tab: str = "",
    stamp: str = "",
) -> Response | None:
    """A node of a solved spot: `line` is its line, `hand` one to look at, `versus` a solution.

    `stamp` is that of the file in links of tables and drills.
    """
    style_sheet("study.css")
    with frame(request, name, "library") as visit:
        if elsewhere := renamed(visit, name, stamp):
            return elsewhere
        own = visit.services.library.stamp(name)
        opened = await run.io_bound(_opened, visit.services, name)
        if opened is None:  # the server ends
            return None
        board, cards, iterations = opened
        other = visit.services.library.stamp(versus) if versus else None  # if there is one
        with ui.element("div").classes("eq-row"):
            heading(f"{name}: {board}")
            ui.link("Play", f"/play/{quote(name)}").classes("eq-small")
            ui.link("Drill", f"/drill/{quote(name)}").classes("eq-small")
            if visit.is_owner:
                again = f"/spot?solution={quote(name)}"
                ui.link("Edit the spot", again).classes("eq-small")
        behind = as_of(run_document(name, visit.services.jobs), iterations)
        if behind:
            paragraph(behind).classes("eq-muted")
        Study(
            name,
            line[:500],
            own,
            cards=cards,
            is_owner=visit.is_owner,
            other=versus or None,
            other_stamp=other,
            tab=tab or None,
            hand=hand[:4] or None,
        ).classes("eqs-root-element")
    return None


def _opened(services: Services, name: str) -> tuple[str, int, int]:
    """The board of a solution, how many more cards its file keeps, and its iterations.

    Raises the error of a solution that is not there, or is none of a spot.
    """
    from equilibrist.poker.postflop.solution.spot_file import kept_streets

    with services.library.opened(name) as result:
        solution = spot_of(name, result)
        more = kept_streets(solution.spot, solution.keep) - 1
        return solution.spot.board, more, solution.iterations
