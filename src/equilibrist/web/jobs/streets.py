"""Streets that the file of a spot does not keep: re-solved by processes, kept by open solutions."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, Final
from weakref import finalize

from starlette.concurrency import run_in_threadpool

from equilibrist.storage.atomic import failures
from equilibrist.web.errors import LimitError, WebError, error_of
from equilibrist.web.store.library import Library
from equilibrist.web.workers.order import ResolveOrder
from equilibrist.web.workers.process import Worker

_FILE: Final = "street"


@dataclass
class _Run:
    """A street that is being re-solved, and how many wait for it."""

    task: asyncio.Task[dict[str, Any]]
    waiting: int = 0


class Streets:
    """Re-solves streets, each once however many ask for it; one that nobody waits for ends.

    Args:
        library: The solutions.
        most: How many are re-solved at the same time.
    """

    def __init__(self, library: Library, most: int) -> None:
        self._library, self._most = library, most
        self._runs: dict[Hashable, _Run] = {}

    async def ensure(self, name: str, line: str) -> None:
        """Let the solution have the street of a line, if it is that of a spot.

        Args:
            name: The name of the solution.
            line: The line of a node.

        Raises:
            NotFoundError: There is no such solution.
            LineSyntaxError: The line cannot be read or played.
            LimitError: As many streets are being re-solved as may be.
            WebError: It failed.
        """
        street = await run_in_threadpool(self._missing, name, line)
        if street is None:
            return
        path = self._library.path(name)
        await self._waited((path, street), self._resolve(name, path, line, street))

    async def report(self, name: str, line: str) -> list[Any]:
        """The rows of a report on all next cards, where they lie on streets that are re-solved.

        Args:
            name: The name of the solution of a spot.
            line: A line after which a card is dealt.

        Raises:
            NotFoundError: There is no such solution.
            LimitError: As many streets are being re-solved as may be.
            WebError: It failed, or no card is dealt there.
        """
        path = self._library.path(name)
        order = ResolveOrder(str(path), line, None)
        event = await self._waited((path, line), self._ask(order))
        rows: list[Any] = event["runouts"]
        return rows

    async def _waited(self, key: Hashable, work: Any) -> dict[str, Any]:
        """Wait for the work of a key, which all who ask for it share; the last to go ends it."""
        run = self._runs.get(key)
        if run is not None:
            work.close()
        elif len(self._runs) >= self._most:
            work.close()
            raise LimitError(
                f"{self._most} streets are being re-solved, which is the limit",
                option="resolve",
                given=len(self._runs),
                expected=self._most,
                remedy="try again in a moment",
            )
        else:
            run = self._runs[key] = _Run(asyncio.create_task(work))
            run.task.add_done_callback(lambda _task: self._runs.pop(key, None))
        run.waiting += 1
        try:
            return await asyncio.shield(run.task)
        finally:
            run.waiting -= 1
            if not run.waiting:
                run.task.cancel()

    def _missing(self, name: str, line: str) -> Any:
        from equilibrist.poker.postflop.files.storage import missing_street
        from equilibrist.poker.postflop.solution.result import PostflopResult

        with self._library.opened(name) as solution:
            if not isinstance(solution, PostflopResult):
                return None
            return missing_street(solution, line)

    async def _resolve(self, name: str, path: Path, line: str, street: Any) -> dict[str, Any]:
        with failures(Path(gettempdir())):
            folder = TemporaryDirectory(prefix="equilibrist-street-")
        into, is_kept = Path(folder.name) / _FILE, False
        try:
            event = await self._ask(ResolveOrder(str(path), line, str(into)))
            is_kept = event["is_reached"]
            await run_in_threadpool(self._take, name, street, folder if is_kept else None)
        finally:
            if not is_kept:
                folder.cleanup()
        return event

    def _take(self, name: str, street: Any, folder: TemporaryDirectory[str] | None) -> None:
        """Give the open solution what was re-solved; the folder goes when nobody needs it."""
        from equilibrist.poker.postflop.files.storage import load_spot, take_street

        solved = None if folder is None else load_spot(Path(folder.name) / _FILE)
        if solved is not None and folder is not None:
            finalize(solved, folder.cleanup)
        with self._library.opened(name) as solution:
            take_street(solution, street, solved)  # type: ignore[arg-type]

    @staticmethod
    async def _ask(order: ResolveOrder) -> dict[str, Any]:
        worker = await Worker.start(order)
        last: dict[str, Any] = {"event": "none"}
        try:
            async for event in worker.events():
                last = event
        finally:
            await worker.close()
        if last["event"] == "resolved":
            return last
        if last["event"] == "error":
            raise error_of(last["document"])
        raise WebError(
            "the process that re-solves has died",
            option="resolve",
            remedy="ask for the street again",
        )
