"""How much work of its own a server does at a time, for all pages and requests together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool

from equilibrist.web.errors import LimitError

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class Work:
    """Turns for what takes more than a moment: estimates, previews of trees, reports, lessons.

    Threads share one interpreter: without turns a few such requests would slow down all others.

    Args:
        most: How many have a turn at the same time.
        waiting: How many wait for one.
        seconds: The longest that one waits.
    """

    def __init__(self, most: int, waiting: int, seconds: float) -> None:
        self._turns = asyncio.Semaphore(most)
        self._most_waiting, self._seconds = waiting, seconds
        self._waiting = 0

    async def run(
        self, function: Callable[_Given, _Found], *args: _Given.args, **how: _Given.kwargs
    ) -> _Found:
        """Call a function in a thread, when it is its turn.

        Args:
            function: What to call.
            *args: Its arguments.
            **how: Those by name.

        Returns:
            What it returns.

        Raises:
            LimitError: The server is busy. Also what the function raises.
        """
        async with self.turn():
            return await run_in_threadpool(function, *args, **how)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block. Raises LimitError where that takes long."""
        if self._waiting >= self._most_waiting:
            raise self._busy()
        self._waiting += 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise self._busy() from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    def _busy(self) -> LimitError:
        return LimitError(
            "the server is busy with other estimates, trees and reports",
            option="work",
            given=self._waiting,
            expected=self._most_waiting,
            remedy="try again in a moment",
        )
