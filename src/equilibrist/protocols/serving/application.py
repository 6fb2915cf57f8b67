"""The HTTP server of a bot: questions, and calls like those of Slumbot (extra `web`)."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from equilibrist._version import __version__
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.parsing.arguments import whole_number
from equilibrist.protocols.acpc.connections import cannot_listen
from equilibrist.protocols.serving.connections import TimedConnection
from equilibrist.protocols.serving.questions import BotDesk, Question, error_document
from equilibrist.protocols.serving.slumbot import SlumbotTables
from equilibrist.storage.plain_file import refuse_repeated

LOOPBACK: Final = "127.0.0.1"
LOCAL_NAMES: Final = frozenset({"localhost", LOOPBACK, "::1"})
"""Hosts by which a server on this machine alone may be called: no page of elsewhere by its own."""
_MOST_PORT: Final = 65535
_MOST_BYTES: Final = 1_000_000
"""The most that a request may have."""
_MOST_DIGITS: Final = 20
_TOO_LARGE: Final = {
    "error": f"the request has more than {_MOST_BYTES:,} bytes",
    "option": "body",
}
_BODY_SECONDS: Final = 20.0
"""The longest that the body of a request may take to arrive."""
_MOST_CONNECTIONS: Final = 100
_KEEP_ALIVE: Final = 5
"""Seconds for which a connection without a request is kept."""


class NewHand(BaseModel):
    """A call for a new hand."""

    model_config = ConfigDict(extra="ignore", strict=True)

    token: str | None = Field(
        default=None, max_length=200, description="The newest token; none at first."
    )


class Act(BaseModel):
    """An action of the client."""

    model_config = ConfigDict(extra="ignore", strict=True)

    token: str = Field(max_length=200, description="The newest token.")
    incr: str = Field(max_length=200, description="The action: k, c, f, or b200.")


def make_application(
    desk: BotDesk,
    tables: SlumbotTables | None,
    *,
    hosts: frozenset[str] | None = LOCAL_NAMES,
    body_seconds: float = _BODY_SECONDS,
) -> FastAPI:
    """Make the application.

    Args:
        desk: What answers questions.
        tables: What plays by Slumbot's calls; None where the game is none of two seats.
        hosts: The host names by which it may be called, see `local_hosts`; None for any.
        body_seconds: The longest that the body of a request may take to arrive.

    Returns:
        The application.
    """
    application = FastAPI(
        title="A bot of Equilibrist", version=__version__, docs_url=None, redoc_url=None
    )
    application.add_middleware(_Gate, hosts=hosts, body_seconds=body_seconds)

    @application.exception_handler(EquilibristError)
    async def refused(_request: Request, error: Exception) -> Response:
        return _refusal(error_document(error), 400)

    @application.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return _refusal({"error": f"{place}: {first['msg']}", "option": place}, 422)

    @application.exception_handler(HTTPException)
    async def impossible(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _refusal({"error": error.detail}, error.status_code, error.headers)

    @application.exception_handler(Exception)
    async def failed(_request: Request, _error: Exception) -> Response:
        return _refusal({"error": "the server failed; its messages say how"}, 500)

    async def said_once(request: Request) -> None:
        body = await request.body()
        refuse_repeated(body.decode("utf-8", "replace"), "the body of the request")

    @application.post("/act", dependencies=[Depends(said_once)])
    async def act(question: Question) -> dict[str, Any]:
        return await run_in_threadpool(desk.answer, question)

    @application.post("/slumbot/api/new_hand")
    async def new_hand(call: NewHand | None = None) -> dict[str, Any]:
        token = None if call is None else call.token
        return await run_in_threadpool(_present(tables).new_hand, token)

    @application.post("/slumbot/api/act")
    async def slumbot_act(call: Act) -> dict[str, Any]:
        return await run_in_threadpool(_present(tables).act, call.token, call.incr)

    return application


def _present(tables: SlumbotTables | None) -> SlumbotTables:
    if tables is None:
        raise ConfigError(
            "these calls are for no-limit hands of two seats, and this bot plays another game",
            option="game",
            remedy="ask by POST /act",
        )
    return tables


class _Gate:
    """Refuses other host names, and bodies that are too large or do not arrive."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None, body_seconds: float) -> None:
        self._app, self._hosts, self._seconds = app, hosts, body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._hosts is not None and _host_name(headers.get("host", "")) not in self._hosts:
            document = {"error": "the host name is not one of this server", "option": "Host"}
            await _refusal(document, 400)(scope, receive, send)
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:_MOST_DIGITS]) > _MOST_BYTES:
            await _refusal(_TOO_LARGE, 413)(scope, receive, send)
            return
        taken, is_whole, end = 0, False, asyncio.get_running_loop().time() + self._seconds

        async def limited() -> Message:
            nonlocal taken, is_whole
            if is_whole:  # from now on it waits for whoever asks to leave
                return await receive()
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError:
                late = f"the body of the request has not arrived within {self._seconds:g} seconds"
                raise HTTPException(408, late, {"Connection": "close"}) from None
            is_whole = not message.get("more_body", False)
            taken += len(message.get("body", b""))
            if taken > _MOST_BYTES:  # of a body in chunks no header tells the length
                raise HTTPException(413, _TOO_LARGE["error"])
            return message

        await self._app(scope, limited, send)


def _host_name(host: str) -> str | None:
    """The name in a `Host` header, without its port and the brackets of an address."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _refusal(
    document: dict[str, Any], status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """A refusal, as JSON lines have it and as clients of Slumbot read it."""
    text = json.dumps(document | {"error_msg": document["error"]}, allow_nan=False)
    return Response(text, status, headers, "application/json")


def listen(host: str, port: int) -> socket.socket:
    """Listen for a server.

    Args:
        host: The address to listen on.
        port: The port; 0 for any that is free.

    Returns:
        The listening socket.

    Raises:
        ConfigError: The port is none, or in use, or the address is not one of this machine.
    """
    whole_number("port", port, 0, _MOST_PORT)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        raise cannot_listen(host, port, error) from None


def local_hosts(listening: socket.socket) -> frozenset[str] | None:
    """The host names of a server that this machine alone reaches.

    Args:
        listening: Its socket.

    Returns:
        The names; None where others reach it, by names of theirs.
    """
    address = listening.getsockname()[0]
    return LOCAL_NAMES | {address} if ip_address(address).is_loopback else None


def serve(application: FastAPI, listening: socket.socket, on_start: Callable[[str], None]) -> None:
    """Serve until the process is interrupted.

    Args:
        application: The application.
        listening: The socket on which it listens, as from `listen`.
        on_start: Called with the address, before the first answer.
    """
    host, port = listening.getsockname()[:2]
    on_start(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
    config = uvicorn.Config(
        application,
        http=TimedConnection,
        log_level="warning",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
