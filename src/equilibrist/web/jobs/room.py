"""Limits of the queue: how many jobs may wait, which fit into memory and disk, why one waits."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.control_groups import memory_left
from equilibrist.web.answers.jobs import Kind, WaitCode, WaitDocument
from equilibrist.web.errors import DiskError, LimitError
from equilibrist.web.jobs.checkpoints import checkpoint_bytes
from equilibrist.web.jobs.job import ACTIVE, Job
from equilibrist.web.workers.order import STOP

_LESS: Final[dict[Kind, str]] = {
    "spot": "choose fewer sizes or 16-bit storage",
    "three": "choose fewer sizes",
}
"""What takes less memory, by the kind of a job."""


def check_room(job: Job, jobs: Sequence[Job], most_memory: int, most_waiting: int) -> None:
    """Raise LimitError for a job that can never fit into memory, or if the queue is full.

    Args:
        job: The job that is to be queued.
        jobs: All jobs.
        most_memory: What all jobs may take together, in bytes.
        most_waiting: How many may wait or run.
    """
    if job.memory_bytes > most_memory:
        less = _LESS.get(job.kind, "give it less")
        raise LimitError(
            f"this needs {bytes_text(job.memory_bytes)}; the limit for all runs together is "
            f"{bytes_text(most_memory)}",
            option="memory",
            given=job.memory_bytes,
            expected=most_memory,
            remedy=f"{less}, or start the server with more: `equilibrist serve --memory`",
        )
    waiting = sum(other.state in ACTIVE for other in jobs)
    if waiting >= most_waiting:
        raise LimitError(
            f"{waiting} runs are queued or in progress, which is the limit",
            option="queue",
            given=waiting,
            expected=most_waiting,
            remedy="wait until one has ended, or stop one",
        )


def check_disk(job: Job, jobs: Sequence[Job], folder: Path) -> None:
    """Raise DiskError for a job whose checkpoint and solution have no room on the disk.

    Args:
        job: The job that is to be queued.
        jobs: All jobs; those that wait or run will need room, too.
        folder: The folder of jobs.
    """
    if not job.disk_bytes:
        return
    others = [other for other in jobs if other.state in ACTIVE and other.id != job.id]
    taken = sum(_still_written(other, folder) for other in others)
    check_free(_still_written(job, folder), folder, taken)


def check_free(need: int, folder: Path, taken: int = 0) -> None:
    """Raise DiskError where a disk has no room for a checkpoint and a solution.

    Args:
        need: Their bytes.
        folder: A folder on the disk.
        taken: Bytes that others will write there.
    """
    try:
        free = shutil.disk_usage(folder).free - taken
    except OSError:
        return
    if need > free:
        raise DiskError(
            f"its checkpoint and its solution need {bytes_text(need)} on the disk of the data "
            f"folder, where {bytes_text(max(free, 0))} is free",
            option="disk",
            given=need,
            expected=max(free, 0),
            remedy="free some space, such as by removing checkpoints of runs that have ended, or "
            "choose fewer sizes",
        )


def check_memory(need: int) -> None:
    """Raise LimitError where a machine that tells its free memory has less than a saving needs.

    What runs may take together is no limit here: of that a game is allotted far more than it uses,
    and a run is saved within seconds.

    Args:
        need: Bytes of the process that saves.
    """
    free = _free_memory()
    if free is not None and need > free:
        raise LimitError(
            f"saving needs as much memory as the run, {bytes_text(need)}, and the machine has "
            f"{bytes_text(free)} free now",
            option="memory",
            given=need,
            expected=free,
            remedy="pause the run, which saves it, or wait",
        )


def resident_memory(process: int) -> int | None:
    """Bytes of memory that a process holds; None where the system does not say.

    Args:
        process: Its number.
    """
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):  # no Linux, or it has ended
        return None


def _free_memory() -> int | None:
    """Bytes of memory that new processes may take; None where the system does not say.

    In a container it is what the container has left, where that is less than the machine has.
    """
    counts = [count for count in (_available_memory(), memory_left()) if count is not None]
    return min(counts, default=None)


def _available_memory() -> int | None:
    """Bytes of memory that the machine has left; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        facts = dict(line.split(":", 1) for line in lines)
        return int(facts["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError):  # no Linux, or an old one
        return None


def _still_written(job: Job, folder: Path) -> int:
    return max(0, job.disk_bytes - checkpoint_bytes(folder / job.id))


def in_order(jobs: Sequence[Job]) -> list[Job]:
    """The jobs that wait, in the order in which they start: first those that only save.

    Args:
        jobs: All jobs, in the order in which they were posted: clocks may be set back.
    """
    waiting = [job for job in jobs if job.state == "queued"]
    return sorted(waiting, key=lambda job: job.asked != STOP)


def waiting(
    job: Job, queue: Sequence[Job], running: int, most_running: int, free: int
) -> WaitDocument | None:
    """Why a job waits; None for one that does not.

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
    code: WaitCode = "starting"
    if ahead:
        code = "queue"
    elif running >= most_running and job.asked != STOP:
        code = "running"
    elif job.memory_bytes > free:
        code = "memory"
    return {
        "code": code,
        "ahead": ahead,
        "running": running,
        "most_running": most_running,
        "need_bytes": job.memory_bytes,
        "free_bytes": max(free, 0),
    }


def why_waits(wait: WaitDocument) -> str:
    """Why a job waits, in words.

    Args:
        wait: What `waiting` says.
    """
    if wait["code"] == "queue":
        return f"{_runs(wait['ahead'])} ahead of it in the queue"
    if wait["code"] == "running":
        return f"{_runs(wait['running'])} in progress, which is the limit"
    if wait["code"] == "memory":
        need, free = bytes_text(wait["need_bytes"]), bytes_text(wait["free_bytes"])
        return f"it needs {need}; {free} is free now"
    return "it is about to start"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"
