"""The page of all runs."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist.web.jobs.job import Job
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.frame import Visit, frame
from equilibrist.web.pages.layout.text import Text, heading, paragraph, scrolled, style_sheet
from equilibrist.web.pages.runs.actions import Actions
from equilibrist.web.pages.runs.texts import (
    budget_text,
    iteration_of,
    measure_of,
    page_of,
    result_address,
    state_of,
    title_of,
)

_EVERY = 0.5
"""Seconds between two looks at the jobs."""
_HEADS = ("Run", "State", "Iteration", "Measured", "")


@ui.page("/runs", title="Runs · Equilibrist")
def runs_page(request: Request) -> None:
    """List all jobs, and follow them."""
    style_sheet("fields.css", "runs.css")
    with frame(request, "Runs", "runs") as visit:
        heading("Runs")
        budget = paragraph("").classes("eq-muted eq-num")
        table = RunsTable(visit)

        def follow() -> None:
            budget.set_text(budget_text(visit.services))
            table.follow()

        follow()
        ui.timer(_EVERY, follow)


class RunsTable:
    """A table of jobs that follows them.

    Args:
        visit: Who looks.
        most: How many are shown.
        is_active: Whether only those are shown that run or wait.
    """

    def __init__(self, visit: Visit, most: int = 200, *, is_active: bool = False) -> None:
        self._visit, self._most, self._is_active = visit, most, is_active
        self._built: object = None
        self._rows: list[tuple[Job, Text, Text, Text, Text]] = []
        self._body = ui.element("div")

    def follow(self) -> None:
        """Show how far they are."""
        jobs = self._visit.services.jobs.all()
        if self._is_active:
            jobs = [job for job in jobs if job.state in ("queued", "running")]
        jobs = jobs[: self._most]
        built = [(job.id, job.state, job.asked, job.is_saved, job.can_resume) for job in jobs]
        if built != self._built:
            self._built = built
            self._build(jobs)
        for job, state, why, iteration, measure in self._rows:
            for shown, text in (
                (state, state_of(job)),
                (why, self._visit.services.jobs.waits_for(job.id) or job.stage or ""),
                (iteration, iteration_of(job)),
                (measure, measure_of(job)),
            ):
                if shown.text != text:
                    shown.set_text(text)

    def _build(self, jobs: list[Job]) -> None:
        self._body.clear()
        self._rows = []
        with self._body:
            if not jobs:
                paragraph("Nothing is running." if self._is_active else "No runs yet.")
                return
            with scrolled("Runs"), ui.element("table").classes("eq-table ru-table"):
                with ui.element("thead"), ui.element("tr"):
                    for head in _HEADS:
                        Text("th", head).props("scope=col")
                with ui.element("tbody"):
                    for job in jobs:
                        self._row(job)

    def _row(self, job: Job) -> None:
        with ui.element("tr"):
            with ui.element("td"):
                ui.link(title_of(job), page_of(job))
                Text("div", job.solution or ", ".join(job.algorithms)).classes("eq-muted eq-small")
            with ui.element("td"):
                state = Text("span", state_of(job)).classes(f"ru-state ru-{job.state}")
                why = Text("div", "").classes("eq-muted eq-small")
            with ui.element("td").classes("eq-num"):
                iteration = Text("span", "")
            with ui.element("td").classes("eq-num"):
                measure = Text("span", "")
            with ui.element("td"), ui.element("div").classes("eq-row ru-actions"):
                address = result_address(job, self._visit.services)
                if address:
                    ui.link("Open", address)
                offered = Actions(self._visit, job).offered()
                for what in ("Pause", "Resume", "Start again", "Stop", "Cancel", "Delete"):
                    if what in offered:
                        Button(what, offered[what], name=f"{what}: {title_of(job)}")
        self._rows.append((job, state, why, iteration, measure))
