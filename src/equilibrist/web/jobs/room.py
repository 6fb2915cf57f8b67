"""Room for jobs: how many may wait, what fits beside what runs, and why one waits."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.formatting.amounts import bytes_text
from equilibrist.web.errors import LimitError
from equilibrist.web.jobs.job import ACTIVE, Job


def check_room(jobs: Sequence[Job], memory: int, most_memory: int, most_waiting: int) -> None:
    """Raise LimitError where a job can never fit, or where as many wait as may.

    Args:
        jobs: All jobs.
        memory: What the new one may take, in bytes.
        most_memory: What all jobs may take together, in bytes.
        most_waiting: How many may wait or run.
    """
    if memory > most_memory:
        raise LimitError(
            f"this needs {bytes_text(memory)}; the limit for all jobs together is "
            f"{bytes_text(most_memory)}",
            option="memory",
            given=memory,
            expected=most_memory,
            remedy="choose fewer sizes or 16-bit storage, or start the server with more --memory",
        )
    waiting = sum(job.state in ACTIVE for job in jobs)
    if waiting >= most_waiting:
        raise LimitError(
            f"{waiting} jobs wait or run, which is the limit",
            option="queue",
            given=waiting,
            expected=most_waiting,
            remedy="wait until one has ended, or stop one",
        )


def in_order(jobs: Sequence[Job]) -> list[Job]:
    """Those that wait, in the order in which they start."""
    waiting = (job for job in jobs if job.state == "queued")
    return sorted(waiting, key=lambda job: job.created)


def why_waits(
    job: Job, queue: Sequence[Job], running: int, most_running: int, free: int
) -> str | None:
    """Why a job waits, in words; None for one that does not.

    Args:
        job: The job.
        queue: Those that wait, in order.
        running: How many run.
        most_running: How many may run.
        free: Bytes that are free.
    """
    if job.state != "queued":
        return None
    ahead = queue.index(job) if job in queue else 0
    if ahead:
        jobs = "1 job was" if ahead == 1 else f"{ahead} jobs were"
        return f"{jobs} queued before it"
    if running >= most_running:
        solves = "1 solve runs" if running == 1 else f"{running} solves run"
        return f"{solves}, and no more may run at the same time"
    if job.memory_bytes > free:
        return f"it needs {bytes_text(job.memory_bytes)}; {bytes_text(max(free, 0))} are free now"
    return "it is about to start"
