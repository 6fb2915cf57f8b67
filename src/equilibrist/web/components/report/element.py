"""The element of a report over boards."""

from __future__ import annotations

from nicegui import ui

# Its parts are those of the study.
from equilibrist.web.components.study import element  # noqa: F401


class Report(ui.element, component="report.js"):
    """The report of a batch, or of a file that the reader opens.

    Args:
        name: A batch in the data folder; None to ask for a file, which stays in the browser.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._props["name"] = name
