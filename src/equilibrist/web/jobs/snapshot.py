"""The solution of a run that goes on: made from its checkpoint, which stays as it is meanwhile."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import failures
from equilibrist.web.jobs.job import CHECKPOINT, LOG
from equilibrist.web.workers.order import SAVE, SAVING, SolveOrder
from equilibrist.web.workers.process import Worker

_ENDING: Final = 5.0
_LOOK: Final = 0.05
"""Seconds between two looks at whether a run has written its checkpoint."""


async def write_checkpoint(
    worker: Callable[[], Worker | None], checkpoint: Path, is_running: Callable[[], bool]
) -> None:
    """Have a run write its state as it is now; returns as well when the run has ended.

    Args:
        worker: Its process; None before it has started.
        checkpoint: Where it writes.
        is_running: Whether it still runs.
    """
    before, is_told = identity(checkpoint), False
    while is_running() and identity(checkpoint) == before:
        running = None if is_told else worker()
        if running is not None:
            await running.tell(SAVE)
            is_told = True
        await asyncio.sleep(_LOOK)


def identity(path: Path) -> tuple[int, int] | None:
    """The inode and the time of a file, which change when it is replaced; None without a file.

    Args:
        path: The file.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


async def snapshot(
    order: SolveOrder, folder: Path, keep: Callable[[Path], object]
) -> dict[str, Any]:
    """Make the solution as of the checkpoint of a run that goes on.

    Args:
        order: The order of the run.
        folder: The folder of the job, in which the checkpoint has a second name meanwhile.
        keep: Called with the file of the solution, which it may move; the run may have ended by
            then, with a later solution of its own.

    Returns:
        The last event of the worker.

    Raises:
        OutputError: The checkpoint cannot be linked or copied; what `keep` raises.
    """
    with failures(folder), tempfile.TemporaryDirectory(prefix=SAVING, dir=folder) as place:
        copy, solution = Path(place) / CHECKPOINT, Path(place) / Path(order.solution).name
        await asyncio.to_thread(_kept, Path(order.checkpoint), copy)
        worker = await Worker.start(
            replace(order, checkpoint=str(copy), solution=str(solution), save_only=True),
            folder / LOG,
        )
        last: dict[str, Any] = {"event": "none"}
        try:
            async for event in worker.events():
                last = event
        finally:
            await worker.end(_ENDING)
        if last["event"] == "end" and last["is_saved"]:
            keep(solution)
    return last


def _kept(checkpoint: Path, copy: Path) -> None:
    """Keep a checkpoint as it is: the run does not change its file, but replaces it by another."""
    try:
        os.link(checkpoint, copy)
    except OSError:  # a disk without links
        shutil.copyfile(checkpoint, copy)
