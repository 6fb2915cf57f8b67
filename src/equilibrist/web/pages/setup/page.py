"""The page on which a spot is set up."""

from __future__ import annotations

from nicegui import app, ui
from starlette.requests import Request

from equilibrist.errors import EquilibristError
from equilibrist.web.documents.setup import Form, blank_form, check_form, example_form
from equilibrist.web.documents.sources import form_of_job, form_of_solution, form_of_subject
from equilibrist.web.pages.layout.assets import style_sheet
from equilibrist.web.pages.layout.frame import Visit, frame
from equilibrist.web.pages.layout.text import heading
from equilibrist.web.pages.setup.board import board_panel
from equilibrist.web.pages.setup.files import files_row
from equilibrist.web.pages.setup.ranges import range_panel
from equilibrist.web.pages.setup.sizes import chips_panel, sizes_panel
from equilibrist.web.pages.setup.solving import SolvePanel
from equilibrist.web.pages.setup.state import Setup
from equilibrist.web.pages.setup.tree import TreePanel


@ui.page("/spot", title="Set up a spot · Equilibrist")
async def spot_page(
    request: Request,
    job: str | None = None,
    solution: str | None = None,
    subject: str | None = None,
) -> None:
    """Set up a spot: the draft of this browser, or what the address names."""
    style_sheet("fields.css", "setup.css")
    with frame(request, "Set up a spot", "spot") as visit:
        browser = str(app.storage.browser["id"])
        form = await visit.services.work.run(_form, visit, browser, job, solution, subject)
        if isinstance(form, EquilibristError):
            raise form
        checked = await visit.services.work.run(check_form, form)
        setup = Setup(visit, browser, form, checked)
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

        async def begin() -> None:
            if job or solution or subject:
                # From now on this is the draft: a reload must not lose what is typed.
                ui.run_javascript('history.replaceState(history.state, "", "/spot")')
            await setup.check()

        ui.timer(0.05, begin, once=True)


def _form(
    visit: Visit, browser: str, job: str | None, solution: str | None, subject: str | None
) -> Form | EquilibristError:
    """What the page begins with."""
    services = visit.services
    try:
        if job is not None:
            return form_of_job(services, job)
        if solution is not None:
            return form_of_solution(services, solution)
        if subject is not None:
            return form_of_subject(services)
    except EquilibristError as error:
        return error
    draft = services.drafts.get(browser)
    return example_form() if draft is None else {**blank_form(), **draft}
