"""Reports of batches, and their rows."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import SolutionTitle


class ReportRun(TypedDict):
    """The run that makes a report, and its state."""

    job: str
    state: str


class BatchReport(TypedDict):
    """A batch in the data folder, whether its report is complete, and its run, if it has one.

    `boards` says how many it was asked for and `finished` how many are solved; `boards` is None
    where the folder does not say it. `status` is what can be done with a batch that is not done:
    `resumable`; `elsewhere` while another program solves it; `unknown` where only the command that
    has begun it can say its boards; `own` where it has a run. `is_of` says whether its spot is the
    one that was asked for, on whatever board.
    """

    name: str
    is_done: bool
    run: ReportRun | None
    boards: int | None
    finished: int
    status: Literal["done", "own", "elsewhere", "resumable", "unknown"]
    title: SolutionTitle | None
    is_of: bool


class ReportTable(TypedDict):
    """The rows of a batch, and `together` those of all boards; None where the file is empty.

    `kept` are the boards whose solutions the batch keeps; `has_spot` says that
    `/api/setup/form?report=NAME` has its spot.
    """

    name: str
    has_spot: bool
    kept: list[str]
    columns: list[str]
    rows: list[list[float | str | None]]
    together: list[list[float | str | None]]
