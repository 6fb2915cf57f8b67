"""Connections of browsers and programs, which are closed where no request comes over them."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from equilibrist.web.settings import Limits

_SECONDS: Final = Limits.stalled_seconds
_UNREAD: Final = Limits.unread_seconds


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # one of two classes
    """A connection that is closed if headers are not whole, or an answer is not read, in time.

    uvicorn closes connections that send nothing after a request, but waits for ever for the rest of
    one that has begun, for the first, and for somebody to read an answer.
    """

    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what comes; wait on while it is no whole request."""
        super().data_received(data)
        is_answering = self.cycle is not None and not self.cycle.response_complete
        is_socket = self.transport is None or self.transport.get_protocol() is not self
        if is_answering or is_socket:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        self._stop_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for somebody to read what has been sent."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on; it has been read."""
        self._stop_writing()
        super().resume_writing()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _stop_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _give_up(self) -> None:
        self._waiting = None
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and not self.transport.is_closing():
            self.transport.close()
