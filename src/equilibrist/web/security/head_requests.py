"""HEAD: what GET answers, without the body. FastAPI has routes for GET alone."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def answer_head(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request as if it asked with GET, and send the status and the headers alone.

    Args:
        app: What answers.
        scope: The request.
        receive: Where its body comes from.
        send: Where the answer goes.
    """
    has_answered = asyncio.Event()

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            if _lasts(message):
                has_answered.set()

    answering = asyncio.ensure_future(app({**scope, "method": "GET"}, receive, sending))
    waiting = asyncio.ensure_future(has_answered.wait())
    try:
        await asyncio.wait((answering, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():  # a stream, which would go on for as long as somebody listens
            answering.cancel()
        with suppress(asyncio.CancelledError):
            await answering
    finally:
        waiting.cancel()
        answering.cancel()


def _lasts(message: Message) -> bool:
    """Whether the beginning of an answer is that of a stream of events."""
    headers: list[tuple[bytes, bytes]] = message.get("headers", [])
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in headers
    )
