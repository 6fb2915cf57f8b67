"""Connections of browsers and programs, which are closed where no request comes over them."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from equilibrist.web.settings import Limits

_SECONDS: Final = Limits.stalled_seconds


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # one of two classes
    """A connection that is closed if the headers of a request are not whole in time.

    uvicorn closes connections that send nothing after a request, but waits for ever for the rest of
    one that has begun, and for the first.
    """

    _waiting: asyncio.TimerHandle | None = None

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
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and not self.transport.is_closing():
            self.transport.close()
