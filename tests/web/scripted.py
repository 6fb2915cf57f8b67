"""Workers that say what a test tells them to, in place of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

from equilibrist.storage.atomic import write_bytes
from equilibrist.web.jobs.job import WITHOUT_CHECKPOINTS
from equilibrist.web.workers.order import LOOK, SERVER_GONE, SolveOrder

FINISHED = {
    "event": "end",
    "command": None,
    "stopped_by": "target",
    "is_saved": True,
    "note": None,
}


class ScriptedWorker:
    """Runs until it is told to end; a game called after an event ends with that at once."""

    pid = 0
    seconds: ClassVar[float] = 2.0
    """How long a run has taken when it reports."""
    running: ClassVar[list[ScriptedWorker]] = []

    def __init__(self, order: SolveOrder) -> None:
        self.order = order
        self._told: asyncio.Queue[str] = asyncio.Queue()

    @classmethod
    async def start(cls, order: SolveOrder, _log: Path | None = None) -> ScriptedWorker:
        worker = cls(order)
        cls.running.append(worker)
        return worker

    async def tell(self, line: str) -> None:
        self._told.put_nowait(line)

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        if self.order.kind not in WITHOUT_CHECKPOINTS:
            Path(self.order.checkpoint).touch()
        yield {
            "event": "progress",
            "iteration": 7,
            "seconds": self.seconds,
            "measure": 0.5,
            "measure_percent": 0.25,
            "measured_at": 7,
            "target": 0.3,
            "algorithm": "cfr",
            "run": None,
            "elapsed": self.seconds,
        }
        while (received := await self._told.get()) == "save" or received.startswith(LOOK):
            if received == "save":
                self.save()
        if received == "error":
            yield {"event": "error", "document": {"error": "it failed", "kind": "GameError"}}
        elif received == "finish":
            yield FINISHED
        elif received != "die":
            yield {**FINISHED, "command": received, "stopped_by": "callback"}

    def save(self) -> None:
        """Write the checkpoint, a new file in place of the one before."""
        path = Path(self.order.checkpoint)
        write_bytes(path, path.read_bytes())

    async def end(self, _grace: float) -> int:
        self._told.put_nowait(SERVER_GONE)
        if self in self.running:
            self.running.remove(self)
        return 0
