"""The page of a solved spot."""

from __future__ import annotations

from nicegui import run, ui
from starlette.requests import Request

from equilibrist._version import __version__
from equilibrist.web.components.study.element import Study
from equilibrist.web.documents.solutions import spot_of
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading
from equilibrist.web.services import Services

_STYLE = f'<link rel="stylesheet" href="/assets/{__version__}/study.css">'


@ui.page("/study/{name}")
async def study(
    request: Request, name: str, line: str = "", versus: str = "", tab: str = ""
) -> None:
    """A node of a solved spot: `line` is its line, `versus` a solution to compare with."""
    ui.add_head_html(_STYLE)
    with frame(request, name, "library") as visit:
        title = await run.io_bound(_title, visit.services, name)
        if versus:
            visit.services.library.path(versus)  # or it says that there is none
        heading(title)
        Study(
            name, line[:500], is_owner=visit.is_owner, other=versus or None, tab=tab or None
        ).classes("eqs-root-element")


def _title(services: Services, name: str) -> str:
    """The heading of a solution; raises the error of one that is not there, or no spot's."""
    with services.library.opened(name) as result:
        solution = spot_of(name, result)
        return f"{name}: {solution.spot.board}"
