"""The frame of every page: the bar with its sections, and the body."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from nicegui import ui
from starlette.requests import Request
from starlette.responses import RedirectResponse

from equilibrist.errors import EquilibristError
from equilibrist.web.documents.solutions import present_solution
from equilibrist.web.documents.visitor import SECTIONS
from equilibrist.web.pages.layout.notices import error_panel
from equilibrist.web.pages.layout.text import Text, paragraph
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.security.sessions import Role
from equilibrist.web.services import Services, check_owner, role_of, services_of

_LABELS: Final = {"spot": "Hold'em", "hands": "Preflop"}
"""What sections are called, where that is not their name."""


class DisplayMenu(ui.element, component="display_menu.js"):
    """Lets the reader choose light or dark, and the colours of actions; the browser keeps both."""


@dataclass(frozen=True)
class Visit:
    """A page that somebody has opened.

    Attributes:
        request: The request that opened it.
        services: What answers.
        role: Who asks; None stands for nobody, whom the guard refuses.
    """

    request: Request
    services: Services
    role: Role | None

    @classmethod
    def of(cls, request: Request) -> Visit:
        """The visit that begins with a request."""
        return cls(request, services_of(request), role_of(request))

    @property
    def is_owner(self) -> bool:
        """Whether the visitor may solve, upload and delete."""
        return self.role == "owner"

    def check_owner(self, what: str) -> None:
        """Raise ForbiddenError for guests; `what` ends the sentence "they may not ..."."""
        check_owner(self.request, what)


def _show_session(visit: Visit) -> None:
    """Show whether the visitor is a guest, and a button to sign out; nothing without tokens."""
    if visit.services.sessions.is_open or visit.request.scope.get(SESSION) is None:
        return
    if not visit.is_owner:
        Text("span", "Guest").classes("eq-small")
    with ui.element("form").props('method="post" action="/leave"'):
        button = Text("button", "Sign out").classes("eq-button")
        button.props["type"] = "submit"


def renamed(visit: Visit, name: str, stamp: str) -> RedirectResponse | None:
    """Lead to the page of the solution that a link means, where that has another name now.

    A solution that its own run has saved again since is the later one, which the page says.

    Args:
        visit: The visit of the page.
        name: The solution in the address.
        stamp: The stamp of its file when the link was made, and perhaps its run behind a dot; empty
            for whatever has the name.

    Returns:
        The answer of the page; None where the solution still has the name.

    Raises:
        NotFoundError: It has been replaced or deleted.
    """
    present, is_later = present_solution(visit.services, name, stamp)
    if present != name:
        url = visit.request.url
        return RedirectResponse(f"/{url.path.split('/')[1]}/{quote(present)}?{url.query}")
    if is_later:
        paragraph(
            "The run of this solution has saved it again since the table or drill was opened, "
            "which still goes by the earlier one."
        ).classes("eq-muted")
    return None


@contextmanager
def frame(request: Request, title: str, section: str | None = None) -> Iterator[Visit]:
    """Put a page into its frame.

    Args:
        request: The request that opens the page.
        title: The title of the window, and the heading of level 1 where the page shows none.
        section: The name in `SECTIONS` that is marked as the current one.

    Yields:
        The visit. What is made inside stands in the body of the page, below the bar. An
        EquilibristError that is raised inside is shown there.
    """
    visit = Visit.of(request)
    ui.page_title(f"{title} · Equilibrist")
    with ui.header(wrap=False, elevated=False, add_scroll_padding=False).classes("eq-bar"):
        ui.link("Skip to the content", "#content").classes("eq-skip")
        ui.link("Equilibrist", "/").classes("eq-brand")
        with ui.element("nav").classes("eq-sections").props('aria-label="Sections"'):
            for name, address in SECTIONS.items():
                link = ui.link(_LABELS.get(name, name.capitalize()), address)
                if name == section:
                    link.props('aria-current="page"')
        _show_session(visit)
        DisplayMenu()
    with ui.element("div").classes("eq-page").props('id="content" tabindex="-1"'):
        try:
            yield visit
        except EquilibristError as error:
            error_panel(error)
