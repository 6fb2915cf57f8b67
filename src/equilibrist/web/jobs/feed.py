"""What has changed on the server, by number: streams of events wait for it, and catch up."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_MOST: Final = 5_000
"""Names whose last change is remembered."""


class Feed:
    """Numbers changes, and wakes whoever waits for one.

    A change is that of a name, such as a job; only its newest one counts. Whoever has seen
    everything up to a number asks for the names that have changed since: nothing is lost where a
    connection breaks, and nothing is kept for those who do not come back.

    Attributes:
        number: That of the newest change.
        epoch: What tells the numbers of this server from those of one before.
        is_closed: Whether the server ends: streams end, too.
    """

    def __init__(self) -> None:
        self.number = 0
        self.epoch = secrets.token_hex(4)
        self.is_closed = False
        self._changed: OrderedDict[str, int] = OrderedDict()
        self._forgotten = 0
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def tell(self, name: str) -> None:
        """Number a change, and wake who waits; from any thread.

        Args:
            name: What has changed.
        """
        with self._lock:
            number = self.number + 1
            self._changed[name] = number
            self._changed.move_to_end(name)
            while len(self._changed) > _MOST:
                self._forgotten = self._changed.popitem(last=False)[1]
            self.number = number  # last: whoever has seen a number is told all names up to it
        self._wake()

    def since(self, number: int) -> list[str] | None:
        """The names that have changed after a number.

        Args:
            number: The change up to which everything is known.

        Returns:
            The names, in the order of their changes; None where that is not known any more.
        """
        with self._lock:
            if not self._forgotten <= number <= self.number:
                return None
            return [name for name, changed in self._changed.items() if changed > number]

    def has_changed(self, name: str, number: int) -> bool:
        """Whether a name has changed after a number, or may have, where that is forgotten."""
        with self._lock:
            return number < self._forgotten or self._changed.get(name, 0) > number

    def close(self) -> None:
        """End all streams."""
        self.is_closed = True
        self._wake()

    @contextmanager
    def waiting(self) -> Iterator[asyncio.Event]:
        """An event that is set after every change, until the block ends."""
        waiter = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.add(waiter)
        try:
            yield waiter[1]
        finally:
            self._waiting.discard(waiter)

    def _wake(self) -> None:
        for loop, event in list(self._waiting):
            with suppress(RuntimeError):  # a loop that has ended
                loop.call_soon_threadsafe(event.set)
