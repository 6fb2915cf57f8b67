"""Streams, which last: they end with the session that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from starlette.types import Message, Receive, Scope, Send

from equilibrist.web.security.sessions import Sessions

SESSION: Final = "equilibrist.session"
"""Where a request has what stands for the session of its browser."""


@asynccontextmanager
async def ending(
    sessions: Sessions, scope: Scope, receive: Receive, send: Send
) -> AsyncIterator[tuple[Receive, Send]]:
    """Let a stream end with its session.

    Args:
        sessions: Who is signed in.
        scope: The request.
        receive: What it receives.
        send: Where it sends.

    Yields:
        What it receives from now on, which is that it is disconnected once the session has ended,
        and where it sends. A stream that has ended so is whole for whoever reads it.
    """
    key = scope.get(SESSION)
    if key is None:  # a program, or a server that asks for no token
        yield receive, send
        return
    has_ended, loop = asyncio.Event(), asyncio.get_running_loop()
    forget = sessions.on_end(key, lambda: _call(loop, has_ended.set))
    pending: asyncio.Task[Message] | None = None
    is_half = False

    async def sending(message: Message) -> None:
        nonlocal is_half
        await send(message)
        if message["type"] == "http.response.start":
            is_half = True
        elif message["type"] == "http.response.body":
            is_half = message.get("more_body", False)

    async def received() -> Message:
        nonlocal pending
        if pending is None:
            pending = asyncio.ensure_future(receive())
        end = asyncio.ensure_future(has_ended.wait())
        try:
            await asyncio.wait((pending, end), return_when=asyncio.FIRST_COMPLETED)
        finally:
            end.cancel()
        if not has_ended.is_set():
            message, pending = pending.result(), None
            return message
        return {"type": "http.disconnect"}

    try:
        yield received, sending
        if is_half and has_ended.is_set():
            await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        forget()
        if pending is not None:
            pending.cancel()


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    """Call a function in the loop, from any thread, unless the server has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function)
