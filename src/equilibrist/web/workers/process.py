"""Worker processes: starting one, sending it commands, reading its events."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import EquilibristError
from equilibrist.web.answers.spots import ReducedSpot
from equilibrist.web.errors import LimitError, TooLargeError, WebError, error_of
from equilibrist.web.workers.order import FitOrder, Order, ReadOrder

MODULE: Final = "equilibrist.web.workers"
"""What a worker process runs."""
_MODULES: Final = {"site": "equilibrist.web.site"}
"""What it runs for kinds of jobs that stand above the workers."""
_ENDING: Final = 1.0
"""Seconds after which a process is killed that does not end."""
_MOST_SEARCHES: Final = 3
_searches = 0
_LINE: Final = 1 << 20
"""The most bytes of a line that a worker says."""


class Worker:
    """A process that does one order.

    A new interpreter is started instead of forking this one, which has threads; and in a session of
    its own, so that Ctrl-C reaches the server alone, which then ends its workers in order.
    """

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, order: Order, log: Path | None = None) -> Worker:
        """Start a process.

        Args:
            order: What it does.
            log: The file to which what it prints on standard error is appended, if it can be
                opened; None for no log.

        Raises:
            OSError: No process can be started.
        """
        errors = None
        if log is not None:
            with suppress(OSError):
                errors = await asyncio.to_thread(log.open, "ab")
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # the current folder may hold modules of any name
                "-m",
                _MODULES.get(getattr(order, "kind", ""), MODULE),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL if errors is None else errors,
                limit=_LINE,
                start_new_session=True,
            )
        finally:
            if errors is not None:
                errors.close()
        worker = cls(process)
        await worker.tell(order.to_line())
        return worker

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    async def tell(self, line: str) -> None:
        """Send a command; nothing happens if the process has ended."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """The events that it sends, until it ends."""
        assert self._process.stdout is not None
        with suppress(ValueError):  # a line that is too long, or is not JSON
            while line := await self._process.stdout.readline():
                yield json.loads(line)

    async def end(self, grace: float) -> int:
        """Close its standard input, wait, and kill it after `grace` seconds; the exit status."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            return await asyncio.wait_for(self._process.wait(), grace)
        except TimeoutError:
            self.kill()
            return await self._process.wait()

    async def close(self) -> None:
        """End it: at once, unless its events have ended, after which it ends by itself.

        To kill a process that ends would take its exit status from the event loop, which warns.
        """
        assert self._process.stdout is not None
        if not self._process.stdout.at_eof():
            self.kill()
        await self.end(_ENDING)

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            self._process.kill()


async def read_file(order: ReadOrder, seconds: float) -> dict[str, Any]:
    """Let a worker read an uploaded file.

    Args:
        order: The file.
        seconds: The longest that this may take.

    Returns:
        The event `read` of the worker: `kind`, and `stem` of a solution or `document` of a game.

    Raises:
        TooLargeError: It took longer.
        WebError: The file is damaged, or of another kind.
    """
    worker = await Worker.start(order)
    last: dict[str, Any] = {"event": "none"}
    try:
        async with asyncio.timeout(seconds):
            async for event in worker.events():
                last = event
    except TimeoutError:
        raise TooLargeError(
            f"the file was not read within {seconds:g} seconds",
            option="file",
            remedy="open it on the command line",
        ) from None
    finally:
        await worker.close()
    if last["event"] == "read":
        return last
    raise _raised(last.get("document"), order.path)


async def reductions(order: FitOrder, seconds: float) -> AsyncGenerator[ReducedSpot]:
    """Changes that make a spot fit into memory, found by a worker.

    Closing the generator ends the search.

    Args:
        order: The spot and the memory that it may take.
        seconds: The longest that the search may take.

    Yields:
        A change.

    Raises:
        LimitError: As many searches are in progress as may be.
    """
    global _searches  # noqa: PLW0603 - how many processes there are is a fact of this one
    check_searches()
    _searches += 1
    worker = None
    try:
        worker = await Worker.start(order)
        async with asyncio.timeout(seconds):
            async for event in worker.events():
                if event["event"] == "found":
                    yield event["reduction"]
    except TimeoutError:
        return
    finally:
        _searches -= 1
        if worker is not None:
            await worker.close()


def check_searches() -> None:
    """Raise LimitError where as many searches of `reductions` are in progress as may be."""
    if _searches >= _MOST_SEARCHES:
        raise LimitError(
            "the server is already looking for smaller spots for other pages",
            option="searches",
            given=_searches,
            expected=_MOST_SEARCHES,
            remedy="try again in a moment",
        )


def _raised(document: dict[str, Any] | None, path: str) -> EquilibristError:
    """The error that a worker reports, without the temporary path of the file.

    A worker that died without a report ran out of memory, or met a bug.
    """
    if document is None:
        return WebError(
            "the file could not be read: the process that read it has died", option="file"
        )

    file = Path(path).name

    def renamed(value: Any) -> Any:
        return value.replace(file, "the file") if isinstance(value, str) else value

    return error_of({name: renamed(value) for name, value in document.items()})
