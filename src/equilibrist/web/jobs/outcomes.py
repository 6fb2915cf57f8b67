"""What workers say of a job, noted in its record, and what became of it."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.web.jobs.job import Job, State
from equilibrist.web.workers.order import PAUSE, STOP

_OUTCOMES: Final[dict[str | None, State]] = {
    None: "done",
    PAUSE: "paused",
    STOP: "stopped",
    "lost": "interrupted",
}


def note_event(job: Job, event: dict[str, Any], before: float, *, can_resume: bool) -> None:
    """Note how far a worker says that it is.

    Args:
        job: The job.
        event: What the worker has said.
        before: The seconds that the job had run before this worker.
        can_resume: Whether there is a checkpoint.
    """
    if event["event"] == "stage":
        job.stage = event["text"]
    elif event["event"] == "progress":
        job.stage = None
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


def outcome_of(job: Job, last: dict[str, Any], *, is_closing: bool) -> State:
    """What became of a job, by the last word of its worker, once its process is gone.

    Args:
        job: The job, in which the ending is noted.
        last: The last event.
        is_closing: Whether the server ends, which is then no error of the job.
    """
    if last["event"] == "end":
        job.stopped_by, job.note = last["stopped_by"], last["note"]
        job.is_saved = job.is_saved or last["is_saved"]
        job.comparison = last.get("comparison")
        return _OUTCOMES[last["heard"]]
    if last["event"] == "error":
        job.error = last["document"]
        return "failed"
    job.error = None if is_closing else _died(job)
    return "interrupted"


def _died(job: Job) -> dict[str, Any]:
    """What is said of a process that has died; a race has no checkpoints to go on from."""
    if job.kind == "compare":
        said, remedy = "the process of this race has died; run it again", "run it again"
    else:
        said = "the process of this run has died; resume it to go on from its last checkpoint"
        remedy = "resume it"
    return {"error": said, "kind": "WorkerDied", "remedy": remedy}
