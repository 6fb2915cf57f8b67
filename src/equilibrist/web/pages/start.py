"""The start page: what the server was started with, the library, and what runs."""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from equilibrist._version import __version__
from equilibrist.cli.stored.listing import Entry
from equilibrist.cli.text.quantities import measure_text
from equilibrist.formatting.amounts import bytes_text
from equilibrist.web.pages.layout.frame import frame
from equilibrist.web.pages.layout.text import heading, scrolled
from equilibrist.web.services import Services

_COLUMNS = [
    {"name": name, "label": label, "field": name, "align": align}
    for name, label, align in (
        ("name", "Name", "left"),
        ("game", "Solution of", "left"),
        ("algorithm", "Algorithm", "left"),
        ("iterations", "Iterations", "right"),
        ("measure", "Measured", "left"),
        ("saved", "Saved", "left"),
        ("size", "Size", "right"),
    )
]


@ui.page("/", title="Equilibrist")
def start(request: Request) -> None:
    """List the library. Texts of files are shown as texts, never as HTML."""
    with frame(request, "Library", "library") as visit:
        services = visit.services
        heading("Equilibrist")
        ui.label(f"Version {__version__}. The server runs; {_running(services)}.")
        subject = services.settings.subject
        if subject is not None:
            ui.label(f"Started with the {subject.kind} {subject.text}")
            if subject.spot is not None:
                ui.label(subject.spot).classes("eq-mono").style("white-space: pre-wrap")
        heading("Library", 2)
        entries = services.library.entries()
        if entries:
            with scrolled("The library"):
                ui.table(columns=_COLUMNS, rows=[_row(entry) for entry in entries], row_key="name")
        else:
            ui.label("No solution is stored yet. Solve a game: equilibrist solve kuhn")
        ui.link("API", "/api/docs")


def _running(services: Services) -> str:
    counts = services.jobs.counts()
    return f"{counts['running']} solves run and {counts['queued']} wait"


def _row(entry: Entry) -> dict[str, str]:
    measured = "" if entry.measure is None else measure_text(entry.measure)
    return {
        "name": entry.name,
        "game": "(damaged)" if entry.kind is None else entry.game or "",
        "algorithm": entry.algorithm or "",
        "iterations": "" if entry.iterations is None else f"{entry.iterations:,}",
        "measure": f"{entry.measure_name} {measured}" if measured else "",
        "saved": f"{entry.saved:%Y-%m-%d %H:%M}",
        "size": bytes_text(entry.num_bytes),
    }
