"""Addresses below /api that nothing answers: a document, as every error is, and no page."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request

from equilibrist.web.errors import NotFoundError

router = APIRouter()
_METHODS: Final = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


@router.api_route("/{path:path}", methods=_METHODS, include_in_schema=False)
async def unknown(path: str, request: Request) -> None:
    """Refuse the request; otherwise the pages would make one that says so, and keep it."""
    asked = f"{request.method} /api/{path[:200]}"
    raise NotFoundError(
        f"the API has no {asked}",
        option="path",
        given=asked,
        remedy="/api/docs lists the requests",
    )
