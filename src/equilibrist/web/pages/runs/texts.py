"""What pages say of a job."""

from __future__ import annotations

import time
from typing import Any, Final

from equilibrist.formatting.amounts import bytes_text, measure_text, seconds_text
from equilibrist.library.kinds import SAVED
from equilibrist.progress import ENDINGS
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.answers.solutions import SolutionRun
from equilibrist.web.documents.sources import solution_page
from equilibrist.web.errors import NotFoundError
from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.pages.play.parts import address
from equilibrist.web.services import Services, public

LIMITS: Final = ("target", "iterations", "seconds", "stalled")
"""What ends a run by itself, and is named beside its state."""
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

    Of a run that has died it may be that of an earlier iteration than its last, which is named.
    One that goes on has a line that keeps its height. A race has none: each entry has its own.
    """
    progress = _progress(job)
    measure, percent = progress.get("measure"), progress.get("measure_percent")
    if measure is None:
        return ""
    share = "" if percent is None else f" ({percent:.3g}% of the pot)"
    measured_at = progress.get("measured_at")
    is_newest = measured_at is None or measured_at == progress["iteration"]
    at = "" if is_newest or job.state in ACTIVE else f", measured at iteration {measured_at:,}"
    return f"{measure_text(measure)}{share}{at}"


def facts_of(job: Job, services: Services) -> dict[str, str]:
    """List the facts of a job, in order; empty texts for what does not apply now."""
    progress = _progress(job)
    runs = job.state == "running"
    speed, eta = progress.get("iterations_per_second"), progress.get("eta_seconds")
    name = str(progress.get("measure_name") or "exploitability")
    unwritten = public(services.jobs.unwritten(job.id), services)
    return {
        "State": state_of(job) + _why(job, services),
        "Stage": job.stage or "" if runs else "",
        "Iteration": iteration_of(job),
        name.capitalize(): measure_of(job),
        "Time": seconds_text(job.seconds) if job.seconds else "",
        "Speed": f"{_rate(speed)} iterations a second" if speed and runs else "",
        "Time left": rough_time(eta) if eta is not None and runs else "",
        "Memory" if job.kind == "spot" else "Memory limit": bytes_text(job.memory_bytes),
        "Checkpoint": checkpoint_text(job, services),
        "Record": f"not on disk yet: {unwritten}" if unwritten else "",
        "Options": ", ".join(
            f"{name} {value}" for name, value in job.options.items() if name != "memory"
        ),
    }


def checkpoint_text(job: Job, services: Services) -> str:
    """The checkpoint from which a run goes on, with its age and size; empty without one."""
    facts, size = services.jobs.checkpoint(job.id), services.jobs.checkpoint_bytes(job.id)
    if facts is None:
        return bytes_text(size) if size else ""
    age = max(0.0, time.time() - facts.saved)
    return f"iteration {facts.iteration:,}, {_age(age)} ago, {bytes_text(size)}"


def from_checkpoint(job: Job, services: Services) -> str:
    """Where a run goes on, as the end of a sentence."""
    facts = services.jobs.checkpoint(job.id)
    if facts is None:
        return "its last checkpoint"
    return f"its last checkpoint, of iteration {facts.iteration:,}"


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


def _age(seconds: float) -> str:
    if seconds < 120.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200.0 else f"{seconds / 3600:.0f} h"


def _rate(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}"


def _why(job: Job, services: Services) -> str:
    waits = services.jobs.waits_for(job.id)
    if waits is not None:
        return f": {waits}"
    if job.state == "done" and job.stopped_by in LIMITS:
        return f": {ENDINGS[job.stopped_by]}"
    return ""


def result_address(job: Job, services: Services) -> str | None:
    """Where the solution is looked up; None while there is none."""
    return (
        solution_page(job.solution, SPOT_SOLUTION if job.kind == "spot" else None)
        if services.jobs.has_solution(job)
        else None
    )


def play_address(job: Job, services: Services) -> str | None:
    """Where the solution is played against; None while there is none, and for files of no game."""
    if not job.is_saved:
        return None
    try:
        kind = services.library.entry(job.solution).kind
    except NotFoundError:  # its file was removed by hand
        return None
    return address("play", job.solution) if kind in SAVED else None


def budget_text(services: Services) -> str:
    """Write how many jobs run, and what they take."""
    facts = services.jobs.facts()
    running, queued = facts["running"], facts["queued"]
    runs = "1 run" if running == 1 else f"{running} runs"
    used, most = facts["memory_in_use_bytes"], facts["memory_bytes"]
    return (
        f"{runs} in progress (at most {facts['most_running']}), {queued} queued. "
        f"Memory reserved: {bytes_text(used)} of {bytes_text(most)}. "
        f"Checkpoints: {bytes_text(facts['checkpoint_bytes'])}; beyond "
        f"{bytes_text(facts['most_checkpoint_bytes'])}, the oldest of ended runs are removed."
    )
