"""Checkpoints of jobs that have ended: they are large, so the oldest are removed.

A job that may still go on as it is (queued, running, paused, interrupted) keeps its checkpoint. One
that has ended (done, stopped, failed) keeps it for new limits, as long as the checkpoints of all
such jobs take no more than a limit together; the newest stays in any case.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from equilibrist.errors import EquilibristError
from equilibrist.storage.atomic import failures
from equilibrist.web.answers.jobs import State
from equilibrist.web.jobs.job import CHECKPOINT, Job

ENDED: Final[frozenset[State]] = frozenset({"done", "stopped", "failed"})
_REMEMBERED: Final = 600
"""Checkpoints whose headers are not read again while they stay as they are."""


@dataclass(frozen=True)
class CheckpointFacts:
    """A checkpoint, by its own header.

    Attributes:
        iteration: The iteration after which it was written.
        seconds: How long the run had iterated and measured then.
        saved: When it was written, in seconds since 1970.
        num_bytes: Its size.
    """

    iteration: int
    seconds: float
    saved: float
    num_bytes: int


def checkpoint_facts(folder: Path) -> CheckpointFacts | None:
    """Describe the checkpoint in the folder of a job; None without one that can be read."""
    path = folder / CHECKPOINT
    try:
        status = path.stat()
    except OSError:
        return None
    return _facts(path, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(_REMEMBERED)
def _facts(path: Path, _inode: int, changed: int, size: int) -> CheckpointFacts | None:
    from equilibrist.storage.archive import header_of, kind_of, open_archive

    kind = kind_of(path)
    if kind is None:
        return None
    try:
        header = header_of(path, open_archive(path, kind)[0])
        iteration, seconds = int(header["iteration"]), float(header["seconds"])
    except (EquilibristError, KeyError, TypeError, ValueError):
        return None
    return CheckpointFacts(iteration, seconds, changed / 1e9, size)


def checkpoint_bytes(folder: Path) -> int:
    """The size of the checkpoint in the folder of a job; 0 without one."""
    try:
        return (folder / CHECKPOINT).stat().st_size
    except OSError:
        return 0


def remove_checkpoint(folder: Path) -> None:
    """Remove it; raises OutputError where that is impossible."""
    with failures(folder), suppress(FileNotFoundError):
        (folder / CHECKPOINT).unlink()


def surplus(jobs: Iterable[Job], folder: Path, most: int) -> list[Job]:
    """The jobs whose checkpoints are to be removed: of those that have ended, the oldest.

    Args:
        jobs: All jobs.
        folder: The folder of jobs.
        most: The bytes that checkpoints of jobs that have ended may take together.
    """
    checkpoints = []
    for job in jobs:
        path = folder / job.id / CHECKPOINT
        if job.state in ENDED and path.exists():
            checkpoints.append((path.stat().st_mtime, path.stat().st_size, job))
    checkpoints.sort(key=lambda checkpoint: checkpoint[0], reverse=True)
    total, gone = 0, []
    for place, (_, size, job) in enumerate(checkpoints):
        total += size
        if place and total > most:
            gone.append(job)
    return gone
