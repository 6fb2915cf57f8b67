"""What all answers of the API share: the services, and errors as documents."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from equilibrist.errors import EquilibristError
from equilibrist.web.errors import error_document, status_of
from equilibrist.web.security.guard import BodyTooLargeError
from equilibrist.web.services import Services, services_of


def _services(request: Request) -> Services:
    return services_of(request)


Found: TypeAlias = Annotated[Services, Depends(_services)]
"""The services of the server, as a parameter of an answer."""
Document: TypeAlias = dict[str, Any]
"""A JSON object."""


def explain_errors(app: FastAPI) -> None:
    """Let every error be answered by a document: the sentence, and its fields."""

    @app.exception_handler(EquilibristError)
    async def refused(_request: Request, error: EquilibristError) -> JSONResponse:
        return JSONResponse(error_document(error), status_of(error))

    @app.exception_handler(HTTPException)
    async def failed(_request: Request, error: HTTPException) -> JSONResponse:
        said = {"error": error.detail, "kind": "HTTPException"}
        if isinstance(error, BodyTooLargeError):
            said = error.document
        return JSONResponse(said, error.status_code, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        found = error.errors()[0]
        option = ".".join(str(part) for part in found["loc"][1:])
        said = {"error": f"{option}: {found['msg']}", "kind": "ConfigError", "option": option}
        return JSONResponse(said, 422)

    @app.exception_handler(MemoryError)
    async def exhausted(_request: Request, _error: MemoryError) -> JSONResponse:
        said = "the server has too little memory for this"
        return JSONResponse({"error": said, "kind": "MemoryError"}, 507)
