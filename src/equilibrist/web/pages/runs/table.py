"""The table of the runs that run or wait, as the library shows it."""

from __future__ import annotations

from nicegui import ui

from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.frame import Visit
from equilibrist.web.pages.layout.text import Text, paragraph, scrolled
from equilibrist.web.pages.runs.actions import Actions
from equilibrist.web.pages.runs.texts import (
    iteration_of,
    measure_of,
    page_of,
    result_address,
    state_of,
    title_of,
)

_HEADS = ("Run", "State", "Iteration", "Measured", "")


class RunsTable:
    """A table of the jobs that run or wait, which follows them.

    Args:
        visit: Who looks.
        most: How many are shown.
    """

    def __init__(self, visit: Visit, most: int = 200) -> None:
        self._visit, self._most = visit, most
        self._built: object = None
        self._rows: list[tuple[Job, Text, Text, Text, Text]] = []
        self._body = ui.element("div")

    def follow(self) -> None:
        """Show how far they are."""
        jobs = [job for job in self._visit.services.jobs.all() if job.state in ACTIVE][: self._most]
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
                paragraph("Nothing is running.")
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
