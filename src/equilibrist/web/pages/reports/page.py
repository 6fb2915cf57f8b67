"""The pages of reports: which there are, and one of them."""

from __future__ import annotations

from urllib.parse import quote

from nicegui import run, ui
from starlette.requests import Request

from equilibrist.web.components.study.element import Report
from equilibrist.web.documents.reports import reports
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, paragraph, style_sheet
from equilibrist.web.store.folders import existing_path

_RESPONSE_SECONDS = 30.0
"""In which the folder must have been read."""


@ui.page("/reports", response_timeout=_RESPONSE_SECONDS)
async def listed(request: Request) -> None:
    """The batches of the data folder, and a way to open any other report."""
    style_sheet("study.css")
    with frame(request, "Reports", "library") as visit:
        heading("Reports over boards")
        paragraph(
            "A batch solves one spot on many boards. Batches in the folder `batches` of "
            "your data folder are listed here: "
            "equilibrist postflop batch spot.toml --boards boards.txt --out DATA/batches/NAME"
        )
        batches = await run.io_bound(reports, visit.services.folders.batches)
        for batch in batches or []:
            name = batch["name"]
            if batch["is_done"]:
                ui.link(name, f"/reports/{quote(name)}")
            else:
                ui.label(f"{name}: not all of its boards are solved yet")
        if not batches:
            ui.label("No batches yet.").classes("eq-muted")
        heading("A report elsewhere", 2)
        paragraph("Your browser reads the file; it is not uploaded.")
        Report()


@ui.page("/reports/{name}")
async def show(request: Request, name: str) -> None:
    """The report of a batch."""
    style_sheet("study.css")
    with frame(request, name, "library") as visit:
        existing_path(visit.services.folders.batches, name)  # or it says that it is no name
        heading(name)
        ui.link("All reports", "/reports")
        Report(name)
