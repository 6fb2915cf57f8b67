"""The HTTP server of a bot: questions, and calls like those of Slumbot (extra `web`)."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.middleware.trustedhost import TrustedHostMiddleware

from equilibrist._version import __version__
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.parsing.arguments import whole_number
from equilibrist.protocols.serving.questions import BotDesk, Question, error_document
from equilibrist.protocols.serving.slumbot import SlumbotTables

LOOPBACK: Final = "127.0.0.1"
_LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "[::1]", "testserver")
"""Hosts by which a server on this machine alone may be called: no page of elsewhere by its own."""
_MOST_PORT: Final = 65535
_MOST_BYTES: Final = 1_000_000
"""The most that a request may have."""


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
    desk: BotDesk, tables: SlumbotTables | None, *, is_local: bool = True
) -> FastAPI:
    """Make the application.

    Args:
        desk: What answers questions.
        tables: What plays by Slumbot's calls; None where the game is none of two seats.
        is_local: Whether it is called from this machine alone.

    Returns:
        The application.
    """
    application = FastAPI(
        title="A bot of Equilibrist", version=__version__, docs_url=None, redoc_url=None
    )
    if is_local:
        application.add_middleware(TrustedHostMiddleware, allowed_hosts=[*_LOCAL_NAMES])

    @application.middleware("http")
    async def limited(request: Request, call_next: Callable[[Request], Any]) -> Any:
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > _MOST_BYTES:
            return JSONResponse({"error": "the request is too large", "option": "body"}, 413)
        return await call_next(request)

    @application.exception_handler(EquilibristError)
    async def refused(_request: Request, error: Exception) -> JSONResponse:
        document = error_document(error)
        return JSONResponse(document | {"error_msg": document["error"]}, 400)

    @application.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        text = f"{place}: {first['msg']}"
        return JSONResponse({"error": text, "error_msg": text, "option": place}, 422)

    @application.post("/act")
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


def serve(application: FastAPI, host: str, port: int, on_start: Callable[[str], None]) -> None:
    """Serve until the process is interrupted.

    Args:
        application: The application.
        host: The address to listen on.
        port: The port; 0 for any that is free.
        on_start: Called with the address, once it listens.

    Raises:
        ConfigError: The port is in use, or the address is none.
    """
    whole_number("port", port, 0, _MOST_PORT)
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host}, port {port}: {error}",
            option="port",
            given=port,
            remedy="choose another port, or 0 for any that is free",
        ) from None
    with listening:
        on_start(f"http://{host}:{listening.getsockname()[1]}")
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning"))
        asyncio.run(server.serve(sockets=[listening]))
