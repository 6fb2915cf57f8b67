"""Limits of the queue: how many jobs may wait, which fit into memory, and why one waits."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.formatting.amounts import bytes_text
from equilibrist.web.errors import LimitError
from equilibrist.web.jobs.job import ACTIVE, Job


def check_room(jobs: Sequence[Job], memory: int, most_memory: int, most_waiting: int) -> None:
    """Raise LimitError for a job that can never fit into memory, or if the queue is full.

    Args:
        jobs: All jobs.
        memory: What the new one may take, in bytes.
        most_memory: What all jobs may take together, in bytes.
        most_waiting: How many may wait or run.
    """
    if memory > most_memory:
        raise LimitError(
            f"this needs {bytes_text(memory)}; the limit for all runs together is "
            f"{bytes_text(most_memory)}",
            option="memory",
            given=memory,
            expected=most_memory,
            remedy="choose fewer sizes or 16-bit storage, or start the server with more --memory",
        )
    waiting = sum(job.state in ACTIVE for job in jobs)
    if waiting >= most_waiting:
        raise LimitError(
            f"{waiting} runs are queued or in progress, which is the limit",
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
        return f"{_runs(ahead)} ahead of it in the queue"
    if running >= most_running:
        return f"{_runs(running)} in progress, which is the limit"
    if job.memory_bytes > free:
        return f"it needs {bytes_text(job.memory_bytes)}; {bytes_text(max(free, 0))} is free now"
    return "it is about to start"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"
