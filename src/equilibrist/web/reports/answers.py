"""Reports of batches, and their rows."""

from __future__ import annotations

from typing_extensions import TypedDict


class ReportRun(TypedDict):
    """The run that makes a report, and its state."""

    job: str
    state: str


class BatchReport(TypedDict):
    """A batch in the data folder, whether its report is complete, and its run, if it has one."""

    name: str
    is_done: bool
    run: ReportRun | None


class ReportTable(TypedDict):
    """The rows of a batch, and `together` those of all boards; None where the file is empty.

    `kept` are the boards whose solutions the batch keeps.
    """

    name: str
    kept: list[str]
    columns: list[str]
    rows: list[list[float | str | None]]
    together: list[list[float | str | None]]
