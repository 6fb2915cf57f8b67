"""What all answers of the API share: the services, and errors as documents."""

from __future__ import annotations

import errno
import json
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import quote

from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from equilibrist.errors import ConfigError, EquilibristError, OutputError, UnknownNameError
from equilibrist.formatting.escaping import repr_short
from equilibrist.storage.atomic import failures
from equilibrist.storage.plain_file import refuse_repeated
from equilibrist.web.errors import (
    NotFoundError,
    StalledError,
    WebError,
    error_document,
    expected_by,
    name_of_field,
    status_of,
)
from equilibrist.web.security.guard import UPLOADS, RefusedBodyError
from equilibrist.web.security.headers import (
    asks_for_documents,
    asks_for_silence,
    refusal_page,
    wants_page,
)
from equilibrist.web.services import Services, public, services_of
from equilibrist.web.store.folders import shown_name
from equilibrist.web.words import language_of


def _services(request: Request) -> Services:
    return services_of(request)


RequestServices: TypeAlias = Annotated[Services, Depends(_services)]
"""The services of the server, as a parameter of an answer."""


def _present_name(
    name: str,
    services: RequestServices,
    stamp: str = Query(
        "",
        max_length=80,
        description="What tells the file from others that take its name, as in the links of "
        "tables: it is found under another name, and another in its place is refused.",
    ),
) -> str:
    """The name that a solution has now."""
    return services.library.name_with(name, stamp) if stamp else name


PresentName: TypeAlias = Annotated[str, Depends(_present_name)]
"""The name of the solution that a request means, as a parameter of an answer."""
STAMP: Final = Query(
    "",
    max_length=80,
    description="What tells the file from others that take its name, as in the links of tables; "
    "behind a dot perhaps the run, whose later solution is told then.",
)
"""The stamp of the file that a link means, as a parameter of what opens it for a page."""
Document: TypeAlias = dict[str, Any]
"""A JSON object."""


def csv_file(text: str, stem: str) -> Response:
    """A table as a file that browsers save.

    Args:
        text: The table as CSV.
        stem: The name of the file, without its ending.
    """
    name = quote(f"{shown_name(stem)}.csv", safe="")
    headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    return Response(text, media_type="text/csv", headers=headers)


class NewName(BaseModel):
    """What something is called from now on."""

    model_config = ConfigDict(extra="forbid")

    name: str


REPEATED: Final = frozenset({"move", "key"})
"""Parameters of queries that are lists: `?move=a&move=b`."""


def _parameters(route: APIRoute) -> tuple[str, ...]:
    """The parameters that queries of a route may have, those of its dependencies among them."""
    names, parts = dict[str, None](), [route.dependant]
    for part in parts:  # grows while iterating
        names |= {field.alias: None for field in part.query_params}
        parts += part.dependencies
    return tuple(names)


def _refuse_unknown(request: Request) -> None:
    """Refuse a query with a parameter that nothing reads, such as one that is misspelt."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or not route.include_in_schema:  # of addresses of nothing
        return
    known = _parameters(route)
    for name in request.query_params:
        if name not in known:
            raise UnknownNameError(
                "parameter",
                name[:_LONGEST],
                known,
                "" if known else "(the request has none)",
                option=name[:_LONGEST],
                place="the query of the request",
            )


async def said_once(request: Request) -> None:
    """Refuse a query or a document that says one thing twice, of which a server takes the last.

    Parameters of the query that the request does not know are refused, too.
    """
    _refuse_unknown(request)
    for name, count in Counter(name for name, _ in request.query_params.multi_items()).items():
        if count > 1 and name not in REPEATED:
            raise WebError(
                f"{name[:_LONGEST]} is given {count} times",
                option=name[:_LONGEST],
                given=", ".join(request.query_params.getlist(name))[:_LONGEST],
                expected="one value",
                place="the query of the request",
                remedy="give it once",
            )
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" and not request.url.path.startswith(UPLOADS):  # kept as they are
        body = await request.body()
        refuse_repeated(body.decode("utf-8", "replace"), _BODY)
        _refuse_halves(body)


def _refuse_halves(body: bytes) -> None:
    """Refuse half a character, which JSON can name and no file or answer hold.

    What else is wrong with the body its reader says.
    """
    if _SURROGATE.search(body) is None:
        return
    with suppress(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        for way, text in _texts_in(json.loads(body)):
            half = _HALF.search(text)
            if half is not None:
                raise ConfigError(
                    f"{way or 'a text'} has half a character, {half[0]!r}",
                    option=way or "body",
                    given=text[:_LONGEST],
                    expected="whole characters",
                    place=_BODY,
                    remedy="give the text as UTF-8",
                )


def _texts_in(document: Any, way: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a document, keys among them, each with the way to it."""
    if isinstance(document, str):
        yield way, document
        return
    parts: Iterable[tuple[object, Any]] = ()
    if isinstance(document, dict):
        yield from ((way, key) for key in document)
        parts = document.items()
    elif isinstance(document, list):
        parts = enumerate(document)
    for name, part in parts:
        yield from _texts_in(part, f"{way}.{name}" if way else str(name))


async def _turn(services: RequestServices) -> AsyncIterator[None]:
    async with services.work.turn():
        yield


TURN: Final = Depends(_turn, scope="function")
"""A dependency of what takes a while: its function waits for its turn, and the turn ends with the
function, not when somebody has read the answer."""


_OF_DISKS: Final = frozenset(
    getattr(errno, name, errno.ENOSPC) for name in ("ENOSPC", "EDQUOT", "EROFS", "EACCES", "EIO")
)
"""What the system says of a disk that is full, read-only or broken."""
_REMEDY: Final = "/api/docs describes the request"
_WORDS: Final = {
    "missing": ("is missing", "a value"),
    "extra_forbidden": ("is not a name that this request knows", "no such name"),
}
"""What is wrong and what was expected, for what pydantic says of names, not of values."""
_LONGEST: Final = 200
"""Characters of a text that are told of what was given."""
_BODY: Final = "the body of the request"
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_HALF: Final = re.compile("[\ud800-\udfff]")


class Refusal(JSONResponse):
    """The document of an error, which may repeat anything that was given.

    Half characters are escaped, which UTF-8 cannot hold; numbers that JSON does not know are texts.
    """

    def render(self, content: Any) -> bytes:
        """Encode it."""
        return json.dumps(_plain(content), allow_nan=False).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, str | int) else str(value)


def _answer(
    request: Request, document: Document, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    document = public(document, services_of(request))
    if wants_page(request.scope):
        return refusal_page(document, status, language_of(request.headers))
    if status < 500 and asks_for_documents(request.headers):
        return Refusal({**document, "status": status}, 200, dict(headers or {}))
    if status < 500 and asks_for_silence(request.scope):
        return Response(status_code=204)
    return Refusal(document, status, dict(headers or {}))


def explain_errors(app: FastAPI) -> None:
    """Let every error be answered by a document: the sentence, and its fields."""

    @app.exception_handler(EquilibristError)
    async def refused(request: Request, error: EquilibristError) -> Response:
        return _answer(request, error_document(error), status_of(error))

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Response:
        if isinstance(error, RefusedBodyError):
            document = error.document
        elif error.status_code == 404:
            document = error_document(_no_page(request))
        else:
            refusal = WebError(str(error.detail).rstrip("."), option="request", remedy=_REMEDY)
            document = {**error_document(refusal), "kind": "HTTPException"}
        return _answer(request, document, error.status_code, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer(request, error_document(_unfit(error.errors()[0], error.body)), 422)

    @app.exception_handler(OSError)
    async def unwritten(request: Request, error: OSError) -> Response:
        if error.errno not in _OF_DISKS:
            raise error
        try:
            with failures(services_of(request).folders.root):
                raise error
        except OutputError as outcome:
            return _answer(request, error_document(outcome), status_of(outcome))

    @app.exception_handler(ClientDisconnect)
    async def left(request: Request, _error: ClientDisconnect) -> Response:
        return _answer(request, error_document(StalledError("the request was broken off")), 408)

    @app.exception_handler(MemoryError)
    async def exhausted(request: Request, _error: MemoryError) -> Response:
        refusal = WebError(
            "the server has too little memory for this",
            option="memory",
            remedy="wait until runs have ended, or stop one",
        )
        return _answer(request, {**error_document(refusal), "kind": "MemoryError"}, 507)

    @app.exception_handler(Exception)
    async def broken(_request: Request, error: Exception) -> Refusal:
        """Nothing of what went wrong is told; the log of the server has it."""
        refusal = WebError(
            "the server could not answer; this is a bug in Equilibrist",
            given=type(error).__name__,
            remedy="report it with what the server has printed",
        )
        return Refusal({**error_document(refusal), "kind": "bug"}, 500)


def _no_page(request: Request) -> NotFoundError:
    path = request.url.path[:_LONGEST]
    return NotFoundError(
        f"there is no page {path}", option="path", given=path, remedy="begin with the library"
    )


def _unfit(report: Mapping[str, Any], body: Any) -> ConfigError:
    """The error of a part of a request that is not what the API takes.

    Args:
        report: What pydantic says of it: `type`, `loc`, `msg`, `input` and perhaps `ctx`.
        body: The body of the request.
    """
    where, *path = map(str, report["loc"])
    place, kind, expected = f"the {where} of the request", report["type"], str(report["msg"])
    if kind == "json_invalid":  # its path is the position of a character
        place = f"character {path[0]} of the body"
        option, expected = where, "a document of JSON"
        message = f"the {where} is no JSON: {report.get('ctx', {}).get('error', expected)}"
        return ConfigError(message, option=option, expected=expected, place=place, remedy=_REMEDY)
    name = name_of_field(body, report, 1) if where == "body" else ".".join(path)
    option, value = name or where, report["input"]
    words = _WORDS.get(kind)
    if words is not None:
        message, expected = f"{option} {words[0]}", words[1]
    else:
        expected = expected_by(report)
        message = f"{option} is {repr_short(value)}; expected {expected}"
    if isinstance(value, str):
        value = value[:_LONGEST]
    return ConfigError(
        message,
        option=option,
        given=None if kind == "missing" else value,
        expected=expected,
        place=place,
        remedy=_REMEDY,
    )
