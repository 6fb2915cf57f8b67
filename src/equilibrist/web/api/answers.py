"""What all answers of the API share: the services, and errors as documents."""

from __future__ import annotations

import errno
import json
import math
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Final, TypeAlias

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.storage.atomic import failures
from equilibrist.web.errors import error_document, status_of
from equilibrist.web.security.guard import RefusedBodyError
from equilibrist.web.services import Services, public, services_of


def _services(request: Request) -> Services:
    return services_of(request)


RequestServices: TypeAlias = Annotated[Services, Depends(_services)]
"""The services of the server, as a parameter of an answer."""
Document: TypeAlias = dict[str, Any]
"""A JSON object."""


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
REFUSALS: Final = "x-refusals"
"""A request with this header, `as-documents`, is answered with status 200 where it is refused, and
the status stands in the document: pages ask so, for browsers log every other status as an error."""


class Refusal(JSONResponse):
    """The document of an error, which may repeat anything that was given.

    Half characters are escaped, which UTF-8 cannot hold; numbers that JSON does not know are texts.
    """

    def render(self, content: Any) -> bytes:
        """Encode it."""
        return json.dumps(_plain(content), allow_nan=False).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, str | int) else str(value)


def _answer(
    request: Request, document: Document, status: int, headers: Mapping[str, str] | None = None
) -> Refusal:
    document = public(document, services_of(request))
    if status < 500 and request.headers.get(REFUSALS) == "as-documents":
        return Refusal({**document, "status": status}, 200, dict(headers or {}))
    return Refusal(document, status, dict(headers or {}))


def explain_errors(app: FastAPI) -> None:
    """Let every error be answered by a document: the sentence, and its fields."""

    @app.exception_handler(EquilibristError)
    async def refused(request: Request, error: EquilibristError) -> Refusal:
        return _answer(request, error_document(error), status_of(error))

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> Refusal:
        said = {"error": error.detail, "kind": "HTTPException"}
        if isinstance(error, RefusedBodyError):
            said = error.document
        return _answer(request, said, error.status_code, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Refusal:
        found = error.errors()[0]
        option = ".".join(str(part) for part in found["loc"][1:])
        said = {"error": f"{option}: {found['msg']}", "kind": "ConfigError", "option": option}
        return _answer(request, said, 422)

    @app.exception_handler(OSError)
    async def unwritten(request: Request, error: OSError) -> Refusal:
        if error.errno not in _OF_DISKS:
            raise error
        try:
            with failures(services_of(request).folders.root):
                raise error
        except OutputError as found:
            return _answer(request, error_document(found), status_of(found))

    @app.exception_handler(MemoryError)
    async def exhausted(_request: Request, _error: MemoryError) -> JSONResponse:
        said = "the server has too little memory for this"
        return JSONResponse({"error": said, "kind": "MemoryError"}, 507)
