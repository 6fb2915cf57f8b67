"""The page of one run: its curve, how far it is, and what can be done with it."""

from __future__ import annotations

from typing import Final

from nicegui import ui
from starlette.requests import Request

from equilibrist.drawing.curves import curves_svg
from equilibrist.web.components.text_field import TextField
from equilibrist.web.documents.sources import game_page
from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.pages.layout.buttons import Button
from equilibrist.web.pages.layout.frame import Visit, frame
from equilibrist.web.pages.layout.notices import with_remedy
from equilibrist.web.pages.layout.text import Text, heading, paragraph, style_sheet
from equilibrist.web.pages.runs.actions import Actions, still_there
from equilibrist.web.pages.runs.texts import (
    facts_of,
    from_checkpoint,
    page_of,
    play_address,
    result_address,
    state_of,
    title_of,
)

_EVERY: Final = 0.4
"""Seconds between two looks at the job."""
_MOST_POINTS: Final = 150
"""Points of the curve; each shows its numbers where the mouse rests on it."""


@ui.page("/runs/{name}", title="Run · Equilibrist")
def run_page(request: Request, name: str) -> None:
    """Follow one job."""
    style_sheet("fields.css", "runs.css")
    with frame(request, "Run", "runs") as visit:
        job = visit.services.jobs.get(name)
        ui.page_title(f"{title_of(job)} · Equilibrist")
        ui.link("All runs", "/runs").classes("eq-small")
        with ui.element("div").classes("eq-row"):
            heading(title_of(job))
            state = Text("span", "")
        view = _RunView(visit, job, state)
        view.follow()
        ui.timer(_EVERY, view.follow)


class _RunView:
    """The parts of the page that follow the job."""

    def __init__(self, visit: Visit, job: Job, state: Text) -> None:
        self._visit, self._job, self._state = visit, job, state
        self._built: object = None
        self._facts: dict[str, Text] = {}
        self._names: tuple[str, ...] = ()
        self._notice = ui.element("div").classes("ru-notice").props('aria-live="polite"')
        self._buttons = ui.element("div").classes("eq-row ru-buttons")
        with ui.element("div").classes("ru-grid"):
            with ui.element("section").classes("eq-panel eq-stack") as panel:
                panel.props["aria-label"] = "Convergence"
                heading("Convergence", 2)
                self._curve = _Curve(job)
            with ui.element("section").classes("eq-panel eq-stack") as panel:
                panel.props["aria-label"] = "Progress"
                heading("Progress", 2)
                self._list = ui.element("dl").classes("ru-facts")
        self._continue = ui.element("div")

    def follow(self) -> None:
        """Show how far it is."""
        job = self._job
        if not still_there(self._visit, job):
            ui.navigate.to("/runs")
            return
        built = (job.state, job.asked, job.is_saved, job.can_resume, job.note, str(job.error))
        if built != self._built:
            self._built = built
            self._build()
        self._show_facts()
        self._curve.follow()

    def _show_facts(self) -> None:
        facts = facts_of(self._job, self._visit.services)
        shown = {name: text for name, text in facts.items() if text}
        if tuple(shown) != self._names:
            self._names = tuple(shown)
            self._list.clear()
            with self._list:
                self._facts = {name: self._fact(name) for name in shown}
        for name, text in shown.items():
            if self._facts[name].text != text:
                self._facts[name].set_text(text)

    @staticmethod
    def _fact(name: str) -> Text:
        Text("dt", name)
        return Text("dd", "")

    def _build(self) -> None:
        job = self._job
        self._state.set_text(state_of(job))
        self._state.classes(replace=f"ru-state ru-{job.state}")
        self._notice.clear()
        with self._notice:
            self._notices()
        self._buttons.clear()
        with self._buttons:
            self._links()
            for what, action in Actions(self._visit, job).offered().items():
                Button(what, action, is_main=what in ("Resume", "Start again"))
        self._continue.clear()
        goes = job.state not in ACTIVE and job.can_resume and self._visit.is_owner
        if goes:
            with self._continue:
                self._continue_form()

    def _notices(self) -> None:
        job = self._job
        if job.error is not None:
            with ui.element("div").classes("eq-panel").props('role="alert"'):
                paragraph(with_remedy(str(job.error["error"]), job.error.get("remedy"))).classes(
                    "eq-error"
                )
        elif job.state == "interrupted":
            with ui.element("div").classes("eq-panel").props('role="alert"'):
                paragraph(
                    "The server ended before this run did. Resume it to go on from "
                    f"{from_checkpoint(job, self._visit.services)}."
                    if job.can_resume
                    else "The server ended before this run had a checkpoint. Start it again."
                )
        if job.note:
            paragraph(job.note).classes("eq-muted")

    def _links(self) -> None:
        job, address = self._job, result_address(self._job, self._visit.services)
        if address:
            what = "Study the solution" if job.kind == "spot" else "Explore the solution"
            ui.link(what, address).classes("eq-button eq-primary ru-link")
        if play := play_address(job, self._visit.services):
            ui.link("Play", play).classes("eq-button ru-link")
        if job.kind == "compare":
            ui.link("Open the race", page_of(job)).classes("eq-button eq-primary ru-link")
        if job.kind == "spot":
            ui.link("Edit the spot", f"/spot?job={job.id}").classes("eq-button ru-link")
        elif job.kind != "review":
            ui.link("Open the game", game_page(job.game)).classes("eq-button ru-link")

    def _continue_form(self) -> None:
        texts = {"target": "", "iterations": "", "seconds": ""}
        hints = {
            "target": ("Target", "0.1%" if self._job.kind == "spot" else "1e-4"),
            "iterations": ("Iterations", "1000"),
            "seconds": ("Time", "10m"),
        }
        with ui.element("section").classes("eq-panel eq-stack") as panel:
            panel.props["aria-label"] = "Continue"
            heading("Continue", 2)
            paragraph(
                "New limits. Iterations count from the start of the run, time from now."
            ).classes("eq-muted")
            with ui.element("div").classes("eq-row ru-continue"):
                for name, (label, example) in hints.items():

                    def typed(text: str, name: str = name) -> None:
                        texts[name] = text

                    TextField(label, "", typed, placeholder=example)

                async def go() -> None:
                    await Actions(self._visit, self._job).go_on(texts)

                Button("Continue", go)


class _Curve:
    """The measure of a job over iterations, drawn as notebooks draw it.

    Args:
        job: The job.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._shown: object = None
        self._picture = ui.html("", sanitize=False).classes("ru-curve")
        self._picture.props["role"] = "img"
        self._picture.props["aria-label"] = "Convergence: the measure by iteration"
        self.follow()

    def follow(self) -> None:
        """Draw what is new."""
        job = self._job
        now = (len(job.points), job.points[-1:], (job.progress or {}).get("target"))
        if now != self._shown:
            self._shown = now
            self._picture.set_content(_drawn(job))


def _drawn(job: Job) -> str:
    """The drawing: percent of the pot for a spot, else the measure itself."""
    progress = job.progress or {}
    scale, unit = 1.0, ""
    if progress.get("measure_percent") and progress.get("measure"):
        scale, unit = progress["measure_percent"] / progress["measure"], ", % of the pot"
    every = max(1, -(-len(job.points) // _MOST_POINTS))
    name = str(progress.get("measure_name") or "exploitability")
    target = progress.get("target")
    return curves_svg(
        {name: [(point[0], point[2] * scale) for point in job.points[::-1][::every][::-1]]},
        measure=f"{name}{unit}",
        target=None if target is None else target * scale,
        hints=True,
    )
