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
from equilibrist.web.workers.order import SAVE, SolveOrder
from equilibrist.web.workers.process import Worker

_ENDING: Final = 5.0
_LOOK: Final = 0.05
"""Seconds between two looks at whether a run has written its checkpoint."""


async def write_checkpoint(
    worker: Worker | None, checkpoint: Path, is_running: Callable[[], bool]
) -> None:
    """Have a run write its state as it is now; returns as well when the run has ended.

    Args:
        worker: Its process; None before it has started.
        checkpoint: Where it writes.
        is_running: Whether it still runs.
    """
    before = _identity(checkpoint)
    if worker is not None:
        await worker.tell(SAVE)
    while is_running() and _identity(checkpoint) == before:
        await asyncio.sleep(_LOOK)


def _identity(path: Path) -> tuple[int, int] | None:
    """What changes when a file is replaced; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


async def snapshot(order: SolveOrder, folder: Path) -> dict[str, Any]:
    """Save the solution as of the checkpoint of a run that goes on.

    Args:
        order: The order of the run.
        folder: The folder of the job, in which the checkpoint has a second name meanwhile.

    Returns:
        The last event of the worker.

    Raises:
        OutputError: The checkpoint cannot be linked or copied.
    """
    with failures(folder), tempfile.TemporaryDirectory(prefix="saving-", dir=folder) as place:
        copy = Path(place) / CHECKPOINT
        await asyncio.to_thread(_kept, Path(order.checkpoint), copy)
        worker = await Worker.start(
            replace(order, checkpoint=str(copy), goes_on=False), folder / LOG
        )
        last: dict[str, Any] = {"event": "none"}
        try:
            async for event in worker.events():
                last = event
        finally:
            await worker.end(_ENDING)
    return last


def _kept(checkpoint: Path, copy: Path) -> None:
    """Keep a checkpoint as it is: the run does not change its file, but replaces it by another."""
    try:
        os.link(checkpoint, copy)
    except OSError:  # a disk without links
        shutil.copyfile(checkpoint, copy)
