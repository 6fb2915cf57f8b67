"""The events of a worker, and the end of its process, noted in the record of the job."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.web.answers.jobs import State
from equilibrist.web.jobs.checkpoints import CheckpointFacts
from equilibrist.web.jobs.job import Job
from equilibrist.web.workers.order import PAUSE, SAVE, SERVER_GONE, STOP

_OUTCOMES: Final[dict[str | None, State]] = {
    None: "done",
    PAUSE: "paused",
    STOP: "stopped",
    SAVE: "stopped",
    SERVER_GONE: "interrupted",
}

_COUNTS: Final = frozenset({"nodes_touched", "num_infosets", "eta_seconds"})
"""What progress tells of its iteration alone."""


def note_event(job: Job, event: dict[str, Any], before: float, *, can_resume: bool) -> None:
    """Note the progress in an event of a worker.

    Args:
        job: The job.
        event: The event.
        before: The seconds that the job had run before this worker.
        can_resume: Whether there is a checkpoint.
    """
    if event["event"] == "stage":
        job.stage = event["text"]
        job.stage_done, job.stage_total = event.get("done"), event.get("total")
    elif event["event"] == "saved":  # what follows is why it failed all the same
        job.is_saved = True
    elif event["event"] == "progress":
        job.stage = job.stage_done = job.stage_total = None
        job.progress = {name: value for name, value in event.items() if name != "event"}
        if job.kind == "compare":
            job.seconds = event["elapsed"]
        else:
            job.seconds = max(before, event["seconds"])
        job.can_resume = can_resume
        if event["measure"] is not None and event["measured_at"] is not None:
            point = event["measured_at"], event["seconds"], event["measure"]
            if job.kind == "compare":
                job.add_point_of(event["algorithm"], event["run"] or 0, point)
            else:
                job.add_point(*point)


def note_checkpoint(job: Job, facts: CheckpointFacts | None) -> None:
    """Note the iteration and the time of a checkpoint that is further than what a run has told.

    Runs tell less often than they save, and a worker saves once more when its server dies.

    Args:
        job: The job.
        facts: Its checkpoint; None where it has none.
    """
    if facts is None:
        return
    job.seconds = max(job.seconds, facts.seconds)
    told = job.progress or {
        "algorithm": job.options.get("algorithm", ""),
        "iteration": 0,
        "measure": None,
        "measured_at": None,
    }
    if told["iteration"] < facts.iteration:
        counts = dict.fromkeys(_COUNTS & told.keys())  # were those of the earlier iteration
        reached = {"iteration": facts.iteration, "seconds": facts.seconds}
        job.progress = {**told, **counts, **reached}


def outcome_of(
    job: Job, last: dict[str, Any], *, is_closing: bool, saved_at: int | None = None
) -> State:
    """The state of a job whose process has ended, from the last event of the worker.

    Args:
        job: The job; how it ended is noted in it.
        last: The last event.
        is_closing: Whether the server is ending, which is no error of the job.
        saved_at: The iteration of its checkpoint; None where that is not known.
    """
    if last["event"] == "end":
        job.stopped_by, job.note = last["stopped_by"], last["note"]
        job.is_saved = job.is_saved or last["is_saved"]
        job.comparison = last.get("comparison")
        _note_exact(job)
        return _OUTCOMES[last["command"]]
    if last["event"] == "error":
        job.error = last["document"]
        return "failed"
    job.error = None if is_closing else _died(saved_at, can_resume=job.can_resume)
    return "interrupted"


def _note_exact(job: Job) -> None:
    """Give entries of a race that do not iterate, and so tell nothing, the point they found."""
    comparison = job.comparison or {}
    for run in comparison.get("algorithms", ()):
        measure = run.get(comparison["measure"])
        if run["algorithm"] not in job.curves and measure is not None:
            job.add_point_of(run["algorithm"], 0, (run["iterations"], run["seconds"], measure))


def _died(saved_at: int | None, *, can_resume: bool) -> dict[str, Any]:
    """The error of a run whose process has ended without an event that says why."""
    remedy = "start it again"
    if can_resume:
        at = "" if saved_at is None else f", of iteration {saved_at:,}"
        remedy = f"resume it to go on from its last checkpoint{at}"
    return {
        "error": f"the process of this run has died; {remedy}",
        "kind": "WorkerDied",
        "remedy": remedy,
    }
