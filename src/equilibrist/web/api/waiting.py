"""Work that is cancelled when its client disconnects, such as re-solving a street."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from fastapi import Depends, Query, Request

from equilibrist.web.api.answers import RequestServices
from equilibrist.web.errors import ConflictError
from equilibrist.web.services import role_of

_Answer = TypeVar("_Answer")
LINE: Final = Query("", max_length=500, description="The line of the node, as X-B120-C|8h.")
RESOLVE: Final = Query(False, description="Re-solve a street that the file does not keep.")
_WATCH: Final = 0.05
"""Seconds between two looks at whether anybody still waits for an answer."""


async def while_connected(
    request: Request, work: Coroutine[Any, Any, _Answer], on_left: Callable[[], None] | None = None
) -> _Answer:
    """What the work returns; it is cancelled when the client has left.

    Args:
        request: The request that is answered.
        work: What is done for it.
        on_left: Called when the client has left, for threads, which cannot be cancelled.

    Returns:
        What the work returns.

    Raises:
        ConflictError: The client has left. Also what the work raises.
    """
    task, has_left = asyncio.create_task(work), False

    async def watch() -> None:
        nonlocal has_left
        while not await request.is_disconnected():
            await asyncio.sleep(_WATCH)
        has_left = True
        if on_left is not None:
            on_left()
        task.cancel()

    watching = asyncio.create_task(watch())
    try:
        return await task
    except asyncio.CancelledError:
        if not has_left:
            raise
        raise ConflictError("nobody waits for the answer", option="line") from None
    finally:
        watching.cancel()
        task.cancel()


async def _resolved(
    request: Request,
    name: str,
    services: RequestServices,
    line: str = LINE,
    resolve: bool = RESOLVE,
) -> None:
    """Have a process re-solve the street of a line where that is asked for by one who may."""
    if resolve and role_of(request) == "owner":
        await while_connected(request, services.streets.ensure(name, line))


RESOLVED: Final = Depends(_resolved)
"""A dependency of answers about a node: its street has been re-solved if the request says so."""
