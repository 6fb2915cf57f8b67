"""The solution of a run that goes on: made from a copy of its checkpoint."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import failures
from equilibrist.web.jobs.job import CHECKPOINT, LOG
from equilibrist.web.workers.order import SolveOrder
from equilibrist.web.workers.process import Worker

_ENDING: Final = 5.0


async def snapshot(order: SolveOrder, folder: Path) -> dict[str, Any]:
    """Save the solution as of the checkpoint of a run that goes on.

    Args:
        order: The order of the run.
        folder: The folder of the job, in which the copy of the checkpoint lies meanwhile.

    Returns:
        The last event of the worker.

    Raises:
        OutputError: The checkpoint cannot be copied.
    """
    with failures(folder), tempfile.TemporaryDirectory(prefix="saving-", dir=folder) as place:
        copy = Path(place) / CHECKPOINT
        await asyncio.to_thread(shutil.copyfile, order.checkpoint, copy)
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
