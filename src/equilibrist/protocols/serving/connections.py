"""Connections over HTTP, which are closed where no request comes over them (extra `web`)."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


class TimedConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # one of two classes
    """A connection that is closed if headers are not whole, or an answer is not read, in time.

    uvicorn closes connections that send nothing after a request, but waits for ever for the rest of
    one that has begun, for the first, and for somebody to read an answer. Headers, and what stands
    behind a body, may have any size there; here they are limited.

    Attributes:
        stalled_seconds: The longest that a request may take to begin, and its headers to be whole.
        unread_seconds: The longest that an answer may wait to be read.
        most_headers: Bytes of the headers of a request.
    """

    stalled_seconds: ClassVar[float] = 20.0
    unread_seconds: ClassVar[float] = 120.0
    most_headers: ClassVar[int] = 64_000

    _begun = 0  # bytes of headers that are not whole
    _taken = 0  # bytes of the headers of one request
    _waiting: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what comes; wait on while it is no whole request."""
        before = self.cycle
        was_whole = before is not None and not before.more_body
        super().data_received(data)
        if self.transport is None or self.transport.get_protocol() is not self:  # a websocket
            self._stop_waiting()
            return
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()
        if self.cycle is not before or not (before is None or was_whole):  # a request, or a body
            self._begun = 0
            return
        self._begun += len(data)
        if self._begun > self.most_headers and not self.transport.is_closing():
            if not is_answering:  # else it would stand in the middle of an answer
                self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        """Begin to count the headers of a request."""
        self._taken = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or one behind a body; raises ValueError where they are too large."""
        self._taken += len(name) + len(value)
        if self._taken > self.most_headers:
            raise ValueError("too large")  # which uvicorn answers, and ends the connection
        super().on_header(name, value)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        self._stop_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for somebody to read what has been sent."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on; it has been read."""
        self._stop_writing()
        super().resume_writing()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.stalled_seconds, self._give_up)

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
