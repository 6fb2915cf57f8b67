"""Headers that every answer has, answers of headers alone, and the page of a refused request."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from html import escape
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equilibrist.web.errors import WebError
from equilibrist.web.settings import LOOPBACK_NAMES

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'{sockets}; worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""What pages may load and run: nothing of other servers, in no frame, with no form to elsewhere.

NiceGUI writes inline scripts and styles, and the template compiler of Vue needs `unsafe-eval`."""
_REFUSED: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Equilibrist</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 34rem;
  padding: 0 1rem; overflow-wrap: anywhere }}
</style></head><body><main><h1>This cannot be shown</h1><p role="alert">{sentence}</p>
<p><a href="">Try again</a></p></main></body></html>
"""
_REFUSED_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; "
    "base-uri 'none'"
)


def refusal_page(error: WebError) -> HTMLResponse:
    """The page that says why a page cannot be shown: plain HTML, which needs nothing else.

    Args:
        error: Why.
    """
    sentence = str(error)
    sentence = sentence[:1].upper() + sentence[1:] + "."
    headers = {"Content-Security-Policy": _REFUSED_POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(_REFUSED.format(sentence=escape(sentence)), error.status, headers)


def with_headers(scope: Scope, send: Send) -> Send:
    """Add the headers of every answer to what is sent.

    Args:
        scope: The request.
        send: Where the answer goes.
    """
    asked = Headers(scope=scope)
    host = asked.get("host", "")
    is_named = host.replace("-", "").replace(".", "").replace(":", "").isalnum() and host.isascii()
    sockets = f" ws://{host} wss://{host}" if is_named else ""
    added = {**_HEADERS, "Content-Security-Policy": _POLICY.format(sockets=sockets)}
    if _is_trustworthy(scope, asked, host):  # elsewhere browsers ignore it, and complain
        added["Cross-Origin-Opener-Policy"] = "same-origin"

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _is_trustworthy(scope: Scope, asked: Headers, host: str) -> bool:
    """Whether a browser takes the connection for a secure one: TLS, or this machine."""
    name = host.rpartition(":")[0] if host[-1:].isdecimal() and ":" in host else host
    encrypted = "https" in (scope.get("scheme"), asked.get("x-forwarded-proto", "").strip())
    return encrypted or name.strip("[]").lower() in LOOPBACK_NAMES


async def answer_head(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request as if it asked with GET, and send the status and the headers alone.

    FastAPI has routes for GET alone, to which HEAD answers the same without the body.

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
