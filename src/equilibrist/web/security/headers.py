"""Headers that every answer has, answers of headers alone, and the page of a refused request."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equilibrist.web.settings import LOOPBACK_NAMES
from equilibrist.web.words import ENGLISH, LANGUAGES, refusal_words, words

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types vue"
)
"""What pages may load and run: files of this server, and no text as HTML or script."""
_PARTS: Final = ("text/javascript", "text/css")
"""Parts of pages, of which a page has dozens: for them the policy of the page holds."""
_POLICY_OF_PARTS: Final = "default-src 'none'"
"""What such a file may load if it is opened alone."""
_REFUSED_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 34rem;
  padding: 0 1rem; overflow-wrap: anywhere }
a { color: inherit }
"""
_REFUSED: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title} · Equilibrist</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style></head><body><main><h1>{title}</h1><p role="alert">{problem}</p>{details}
<p><a href="">{again}</a></p></main></body></html>
"""


STREAM: Final = "/events"
"""How the paths of streams end, which last as long as somebody listens."""
_REFUSALS: Final = "x-refusals"
"""A request with this header, `as-documents`, is answered with status 200 where it is refused, and
the status stands in the document: pages ask so, for browsers log every other status as an error."""


def asks_for_documents(headers: Headers) -> bool:
    """Whether refusals are to be answered with status 200, and theirs in the document.

    Args:
        headers: Those of the request.
    """
    return headers.get(_REFUSALS) == "as-documents"


def asks_for_silence(scope: Scope) -> bool:
    """Whether a stream is to be answered with status 204, and nothing else, if it is refused.

    Pages ask so with `refusals=silent` in the address, as browsers let them set no header of a
    stream: a browser would log another status as an error, and tell the page no more of it.

    Args:
        scope: The request.
    """
    asked = parse_qs(scope.get("query_string", b""))
    return scope["path"].endswith(STREAM) and asked.get(b"refusals") == [b"silent"]


def wants_page(scope: Scope) -> bool:
    """Whether somebody looks at a page, who is told in words why it cannot be shown.

    Args:
        scope: The request.
    """
    accepts = "text/html" in Headers(scope=scope).get("accept", "")
    return accepts and scope["method"] == "GET" and not scope["path"].startswith("/api/")


_DETAILS: Final = """
<details><summary>{title}</summary><p lang="en" translate="no">{sentence}</p></details>"""


def refusal_page(document: Mapping[str, Any], status: int, language: str) -> HTMLResponse:
    """The page that says why a page cannot be shown: plain HTML, which needs nothing else.

    The engine's sentence is in English; in other languages it stands below what they say of it.

    Args:
        document: That of the error.
        status: The status of the answer.
        language: That of the reader, of `LANGUAGES`.
    """
    sentence = document["error"][:1].upper() + document["error"][1:] + "."
    problem, details = sentence, ""
    if language != ENGLISH:
        problem = refusal_words(language, document)
        title = escape(words(language, "error.details"))
        details = _DETAILS.format(title=title, sentence=escape(sentence))
    page = _REFUSED.format(
        language=LANGUAGES[language],
        title=escape(words(language, "refused")),
        style=_REFUSED_STYLE,
        problem=escape(problem),
        details=details,
        again=escape(words(language, "refused.again")),
    )
    headers = {"Content-Security-Policy": _REFUSED_POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(page, status, headers)


def policy_of(style: str, **rules: str) -> str:
    """What a page may load and run that is whole by itself: its own style sheet, by its hash.

    Args:
        style: The text of its style sheet.
        rules: What else is allowed, by kind, with underscores for hyphens.
    """
    allowed = {"style_src": inline(style), "frame_ancestors": "'none'", "base_uri": "'none'"}
    allowed = {"default_src": "'none'", "form_action": "'none'"} | allowed | rules
    return "; ".join(f"{kind.replace('_', '-')} {rule}" for kind, rule in allowed.items())


def inline(text: str) -> str:
    """How a policy names a script or a style sheet that stands in its page.

    Args:
        text: The whole text between the tags.
    """
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_REFUSED_POLICY: Final = policy_of(_REFUSED_STYLE)


def with_headers(scope: Scope, send: Send) -> Send:
    """Add the headers of every answer to what is sent.

    Args:
        scope: The request.
        send: Where the answer goes.
    """
    asked = Headers(scope=scope)
    added = {**_HEADERS, "Content-Security-Policy": POLICY}
    if _is_trustworthy(scope, asked):  # elsewhere browsers ignore it, and complain
        added["Cross-Origin-Opener-Policy"] = "same-origin"

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith(_PARTS):
                headers.setdefault("Content-Security-Policy", _POLICY_OF_PARTS)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _is_trustworthy(scope: Scope, asked: Headers) -> bool:
    """Whether a browser takes the connection for a secure one: TLS, or this machine."""
    host = asked.get("host", "")
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
