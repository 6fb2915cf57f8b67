"""What pages that are not modules say of a job."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.formatting.amounts import measure_text
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.answers.solutions import SolutionRun
from equilibrist.web.documents.sources import solution_page
from equilibrist.web.jobs.job import Job
from equilibrist.web.services import Services

ASKED: Final = {"pause": "pausing", "stop": "stopping"}


def title_of(job: Job) -> str:
    """Name what a job solves."""
    if job.kind == "compare":
        return f"Race on {job.game}"
    if job.kind == "review":
        return f"Review of {job.game}"
    return f"Spot {job.game}" if job.kind == "spot" else job.game


def page_of(job: Job) -> str:
    """The address of the page that follows it."""
    return f"/race?job={job.id}" if job.kind == "compare" else f"/runs/{job.id}"


def state_of(job: Job) -> str:
    """The state in words."""
    return ASKED.get(job.asked, job.asked) if job.asked else job.state


def _progress(job: Job) -> dict[str, Any]:
    """The progress of a job as a whole; that of a race is of one run of one entry, so none."""
    return {} if job.kind == "compare" or job.progress is None else job.progress


def iteration_of(job: Job) -> str:
    """Write how many iterations a job has run; empty for a race, whose entries have their own."""
    progress = _progress(job)
    return f"{progress['iteration']:,}" if progress else ""


def measure_of(job: Job) -> str:
    """The newest measurement, with its share of the pot.

    A race has none: each entry has its own.
    """
    progress = _progress(job)
    measure, percent = progress.get("measure"), progress.get("measure_percent")
    if measure is None:
        return ""
    share = "" if percent is None else f" ({percent:.3g}% of the pot)"
    return f"{measure_text(measure)}{share}"


def as_of(run: SolutionRun | None, iterations: int | None) -> str:
    """A sentence that a solution is not the last of its run; empty where it is.

    Args:
        run: The run that goes on, as the document of a solution has it.
        iterations: Those of the solution.
    """
    if run is None or iterations is None:
        return ""
    now = run["iteration"]
    at = "" if now is None or now == iterations else f", now at iteration {now:,}"
    return f"As of iteration {iterations:,} of a run that is {run['state']}{at}."


def rough_time(seconds: float) -> str:
    """An estimate of time, with no more digits than it is good for.

    Args:
        seconds: The estimate.
    """
    if seconds < 1.0:
        return "less than 1 s"
    if seconds < 60.0:
        rounded = round(seconds) if seconds < 10.0 else 5 * round(seconds / 5.0)
        if rounded < 60:
            return f"about {rounded} s"
    if seconds < 3600.0 - 30.0:
        return f"about {max(1, round(seconds / 60.0))} min"
    hours = seconds / 3600.0
    return f"about {hours:.1f} h" if hours < 10.0 else f"about {hours:,.0f} h"


def result_address(job: Job, services: Services) -> str | None:
    """Where the solution is looked up; None while there is none."""
    return (
        solution_page(job.solution, SPOT_SOLUTION if job.kind == "spot" else None)
        if services.jobs.has_solution(job)
        else None
    )
