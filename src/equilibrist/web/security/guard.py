"""What every request passes before anything answers it."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equilibrist.formatting.amounts import counted
from equilibrist.web.errors import (
    ForbiddenError,
    LimitError,
    StalledError,
    TooLargeError,
    UnauthorizedError,
    WebError,
    error_document,
)
from equilibrist.web.security.addresses import Addresses
from equilibrist.web.security.entering import ENTRY, asked_path, entry_address
from equilibrist.web.security.headers import (
    STREAM,
    answer_head,
    asks_for_documents,
    asks_for_silence,
    refusal_page,
    wants_page,
    with_headers,
)
from equilibrist.web.security.lasting import SESSION, ending
from equilibrist.web.security.sessions import Role, Sessions
from equilibrist.web.settings import Limits
from equilibrist.web.words import language_of

SERVICES: Final = "equilibrist"
"""Where a request has what answers it."""
UPLOADS: Final = "/api/uploads/"
GAMES: Final = (".efg", ".nfg", ".csv", ".tsv", ".npy", ".npz")
"""How the names of uploaded games and payoff tables end, which are smaller than solutions."""
_API: Final = "/api/"
_DOCS: Final = "/api/docs"
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OF_GUESTS: Final = (
    "/api/hands/estimate",
    "/api/play/",
    "/api/ranges/read",
    "/api/ranges/write",
    "/api/setup/",
    "/api/spots/",
    "/api/trainer/",
    "/leave",
)
"""Where guests may send something: none of it changes what others see."""
_OF_HANDS: Final = frozenset({"/api/jobs", "/api/reviews"})
"""Where hands are sent, of which a thousand fill more than other requests have."""
_REFUSED: Final = 1008
"""The code with which a websocket is closed: nothing here answers one."""


class RefusedBodyError(HTTPException):
    """What reading a body raises that is too large or stalls; FastAPI answers with its status."""

    def __init__(self, error: WebError) -> None:
        super().__init__(error.status, str(error))
        self.document = error_document(error)


@dataclass
class Guard:
    """Checks host, origin, role and limits, and hands on what passes.

    Attributes:
        app: What answers.
        addresses: The names of the server.
        sessions: Who is who.
        limits: How much is taken on.
        services: What requests find behind the guard.
        streams: How many streams each visitor has open.
        asked: When the last request came, by the monotonic clock.
    """

    app: ASGIApp
    addresses: Addresses
    sessions: Sessions
    limits: Limits
    services: object = None
    streams: Counter[Hashable] = field(default_factory=Counter)
    asked: float = -math.inf

    def is_visited(self, within: float) -> bool:
        """Whether somebody is there: a stream is open, or a request came within so many seconds.

        Args:
            within: The seconds.
        """
        return bool(self.streams) or self.is_asked(within)

    def is_asked(self, within: float) -> bool:
        """Whether a request came within so many seconds.

        Args:
            within: The seconds.
        """
        return time.monotonic() - self.asked < within

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] == "websocket":
            await receive()  # its request to connect
            await send({"type": "websocket.close", "code": _REFUSED, "reason": "no websockets"})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self.asked = time.monotonic()
        if scope["method"] == "HEAD":
            await answer_head(self._answer, scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        try:
            scope["role"] = self._role(scope)
            scope[SERVICES] = self.services
            most = self._most_bytes(scope["path"])
            if not scope["path"].endswith(STREAM):
                body = _limited(scope, receive, most, self.limits)
                await self.app(scope, body, with_headers(scope, send))
                return
            with self._stream(scope):
                async with ending(self.sessions, scope, receive, send) as (received, sent):
                    body = _limited(scope, received, most, self.limits)
                    await self.app(scope, body, with_headers(scope, sent))
        except WebError as error:
            await self._refuse(error, scope, receive, send)

    def _role(self, scope: Scope) -> Role | None:
        """Who asks; raises the error of a request that is refused."""
        headers = Headers(scope=scope)
        self._check_address(scope, headers)
        role: Role | None = "owner" if self.sessions.is_open else self._known(scope, headers)
        if role is None and scope["path"] != ENTRY:
            raise UnauthorizedError(
                "this server requires a token",
                option="token",
                remedy=f"enter it at {ENTRY}, or send the header `Authorization: Bearer TOKEN`",
            )
        reads = scope["method"] in _READING
        if role == "guest" and not reads and not scope["path"].startswith((*_OF_GUESTS, ENTRY)):
            raise ForbiddenError(
                "guests may browse, set up spots and play, but not solve, upload or delete",
                option="token",
                given="guest",
                expected="owner",
                remedy="ask whoever runs the server",
            )
        return role

    def _check_address(self, scope: Scope, headers: Headers) -> None:
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else None
        if not self.addresses.knows(host):
            raise ForbiddenError(
                "the host name in the address is not one of this server",
                option="Host",
                given=host,
                expected=", ".join(sorted(self.addresses.names)),
                remedy="use one of these, or start the server with `--name NAME`",
            )
        origins = headers.getlist("origin")
        foreign = any(not self.addresses.is_own(origin, host) for origin in origins)
        fetched = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if foreign or (fetched and not _follows(scope, headers)):
            raise ForbiddenError(
                "the request comes from a page of another site",
                option="Origin",
                given=", ".join(origins) or "cross-site",
                expected=f"http://{host}",
            )

    def _most_bytes(self, path: str) -> int:
        """The bytes that the body of a request to a path may have."""
        if not path.startswith(UPLOADS):
            return self.limits.reviewed if path in _OF_HANDS else self.limits.body
        is_game = path.lower().endswith(GAMES)
        return self.limits.game_upload if is_game else self.limits.upload

    def _known(self, scope: Scope, headers: Headers) -> Role | None:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self.sessions.of_token(token.strip())
        cookies = cookie_parser(headers.get("cookie", ""))  # among those of any other program
        key = self.sessions.key_of(cookies.get(self.sessions.cookie))
        scope[SESSION] = key
        return None if key is None else self.sessions.of_key(key)

    @contextmanager
    def _stream(self, scope: Scope) -> Iterator[None]:
        """Count a stream while it lasts; raises LimitError beyond a limit."""
        visitor, limits = _visitor(scope), self.limits
        if self.streams.total() >= limits.connections:
            raise LimitError(
                f"{limits.connections} streams are open, which is the limit",
                option="connections",
                given=self.streams.total(),
                expected=limits.connections,
                remedy="close a page that shows what changes",
            )
        if self.streams[visitor] >= limits.streams:
            raise LimitError(
                f"{limits.streams} streams of this visitor are open, which is the limit",
                option="streams",
                given=self.streams[visitor],
                expected=limits.streams,
                remedy="close one of them; one stream of /api/events takes several topics",
            )
        self.streams[visitor] += 1
        try:
            yield
        finally:
            self.streams[visitor] -= 1
            if not self.streams[visitor]:
                del self.streams[visitor]

    async def _refuse(self, error: WebError, scope: Scope, receive: Receive, send: Send) -> None:
        document, headers = error_document(error), Headers(scope=scope)
        response: Response = JSONResponse(document, error.status)
        accepts = "text/html" in headers.get("accept", "")
        if isinstance(error, UnauthorizedError) and accepts and scope["method"] == "GET":
            response = RedirectResponse(entry_address(asked_path(scope)), 303)
        elif wants_page(scope):
            response = refusal_page(document, error.status, language_of(headers))
        elif asks_for_documents(headers):  # a page that has signed out may still ask
            response = JSONResponse({**document, "status": error.status}, 200)
        elif asks_for_silence(scope):
            response = Response(status_code=204)
        await response(scope, receive, with_headers(scope, send))


def _visitor(scope: Scope) -> Hashable:
    """Who has a connection: a session of a browser, else a role at an address of the network."""
    session: bytes | None = scope.get(SESSION)
    client = scope.get("client")
    return session or (scope["role"], client and client[0])


def _stalled(seconds: float) -> StalledError:
    return StalledError(
        f"no more of the request has come for {seconds:g} seconds",
        option="body",
        expected=f"the next part within {seconds:g} seconds",
        remedy="send it again",
    )


def _slow(taken: int, seconds: float, slowest: float) -> StalledError:
    return StalledError(
        f"only {counted(taken, 'byte')} of the request came in {seconds:,.1f} seconds",
        option="body",
        given=taken,
        expected=f"{slowest:g} bytes per second",
        remedy="send it again over a faster connection",
    )


def _follows(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link of another site to a page.

    Nobody does to the API, whose answers may be work, nor in a frame, which shows no page of ours.
    """
    path = scope["path"]
    return (
        scope["method"] in _READING
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest", "document") == "document"
        and (not path.startswith(_API) or path == _DOCS)
    )


def _limited(scope: Scope, receive: Receive, most: int, limits: Limits) -> Receive:
    """The body of a request up to `most` bytes; raises TooLargeError at once where that is known.

    While the body is read it is a RefusedBodyError, which FastAPI answers; so it is where no more
    of the body comes for some seconds, or where it comes too slowly on the whole.
    """
    length = Headers(scope=scope).get("content-length", "0")
    error = TooLargeError(
        f"the request has more than {most:,} bytes",
        option="size",
        given=int(length) if length.isdecimal() else None,
        expected=most,
    )
    if length.isdecimal() and int(length) > most:
        raise error
    taken, waited, is_whole, stalled = 0, 0.0, False, limits.stalled_seconds

    async def limited() -> Message:
        nonlocal taken, waited, is_whole
        if is_whole:  # from now on it waits for whoever asks to leave
            return await receive()
        left, begun = stalled + taken / limits.slowest - waited, time.monotonic()
        try:
            message = await asyncio.wait_for(receive(), min(stalled, left))
        except TimeoutError:
            whole = waited + time.monotonic() - begun
            late = _stalled(stalled) if left >= stalled else _slow(taken, whole, limits.slowest)
            raise RefusedBodyError(late) from None
        waited += time.monotonic() - begun
        is_whole = not message.get("more_body", False)
        taken += len(message.get("body", b""))
        if taken > most:
            raise RefusedBodyError(error)
        return message

    return limited
