"""The page on which a spot is set up."""

from __future__ import annotations

from typing import Final

from nicegui import app, ui
from starlette.requests import Request

from equilibrist.web.documents.setup import Form, blank_form, check_form, example_form
from equilibrist.web.documents.sources import form_of_job, form_of_solution, form_of_subject
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, style_sheet
from equilibrist.web.pages.setup.board import board_panel
from equilibrist.web.pages.setup.files import files_row
from equilibrist.web.pages.setup.ranges import range_panel
from equilibrist.web.pages.setup.sizes import chips_panel, sizes_panel
from equilibrist.web.pages.setup.solving import SolvePanel
from equilibrist.web.pages.setup.state import Setup
from equilibrist.web.pages.setup.tree import TreePanel
from equilibrist.web.store.drafts import Drafts

_RESPONSE_SECONDS: Final = 30.0
"""In which the form must have been read."""


@ui.page("/spot", title="Set up a spot · Equilibrist", response_timeout=_RESPONSE_SECONDS)
async def spot_page(
    request: Request,
    job: str | None = None,
    solution: str | None = None,
    subject: str | None = None,
    draft: str = "",
    copy: str = "",
) -> None:
    """Set up a spot: the draft of this tab, or what the address names; `copy` is another draft."""
    style_sheet("fields.css", "setup.css")
    with frame(request, "Set up a spot", "spot") as visit:
        browser, drafts = str(app.storage.browser["id"]), visit.services.drafts

        def begun() -> tuple[str, Form]:
            services = visit.services
            if job is not None:
                return drafts.new_tab(), form_of_job(services, job)
            if solution is not None:
                return drafts.new_tab(), form_of_solution(services, solution)
            if subject is not None:
                return drafts.new_tab(), form_of_subject(services)
            return _drafted(drafts, browser, draft, copy)

        tab, form = await visit.services.work.run(begun)
        checked = await visit.services.work.run(check_form, form)
        setup = Setup(visit, browser, tab, form, checked)
        # From now on this is the address: a reload must not lose what is typed.
        ui.add_head_html(f'<script>window.equilibristDraft("{tab}")</script>')
        heading("Set up a spot")
        files_row(setup)
        with ui.element("div").classes("su-grid"):
            range_panel(setup, "oop")
            range_panel(setup, "ip")
            with ui.element("div").classes("eq-stack"):
                board_panel(setup)
                chips_panel(setup)
            sizes_panel(setup)
            SolvePanel(setup)
            TreePanel(setup)
        ui.timer(0.05, setup.check, once=True)


def _drafted(drafts: Drafts, browser: str, draft: str, copy: str) -> tuple[str, Form]:
    """The name of a tab, and the form that it begins with.

    Args:
        drafts: The drafts of the server.
        browser: The name of the browser.
        draft: The tab that the address names, if any.
        copy: The tab whose draft is copied, if any.

    Returns:
        The tab of the address if it has a draft; otherwise a new one with a copy of the draft that
        was changed last, or with the example.
    """
    tab, form = draft, drafts.get(browser, draft)
    if form is None:
        tab, form = drafts.new_tab(), drafts.get(browser, copy) or drafts.newest(browser)
    return tab, example_form() if form is None else {**blank_form(), **form}
