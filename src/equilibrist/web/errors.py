"""What the server refuses: errors with the status of the answer, and the document of an error."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from equilibrist.errors import EquilibristError, OutputError

_FULL: Final = frozenset(
    os.strerror(getattr(errno, name, errno.ENOSPC)) for name in ("ENOSPC", "EDQUOT")
)
"""What the system says where a disk has no room left, or no more for this user."""
_FIELDS: Final = ("option", "given", "expected", "place", "remedy")


class WebError(EquilibristError):
    """A request that is refused; `status` is that of the answer."""

    status: ClassVar[int] = 422


class UnauthorizedError(WebError):
    """Nobody has signed in."""

    status: ClassVar[int] = 401


class ForbiddenError(WebError):
    """Whoever asks may not do that."""

    status: ClassVar[int] = 403


class NotFoundError(WebError):
    """There is no such thing."""

    status: ClassVar[int] = 404


class ConflictError(WebError):
    """What was asked for cannot be done as things are."""

    status: ClassVar[int] = 409


class TooLargeError(WebError):
    """More bytes than are taken."""

    status: ClassVar[int] = 413


class StalledError(WebError):
    """A request that does not arrive."""

    status: ClassVar[int] = 408


class DiskError(WebError):
    """More than the disk of the server has room for."""

    status: ClassVar[int] = 507


class LimitError(WebError):
    """More at once than the server takes on."""

    status: ClassVar[int] = 429


def error_document(error: BaseException) -> dict[str, Any]:
    """The sentence of an error, and its fields."""
    document: dict[str, Any] = {"error": str(error), "kind": type(error).__name__}
    for name in _FIELDS:
        document[name] = getattr(error, name, None)
    return document


def error_of(document: Mapping[str, Any]) -> WebError:
    """The error that a document of `error_document` tells, such as one that a worker has sent.

    Args:
        document: The document; of its fields some may be missing.
    """
    fields: Any = {name: document.get(name) for name in _FIELDS}
    problem = str(document["error"]).removesuffix(f"; {fields['remedy']}")
    return WebError(problem, **fields)


def status_of(error: EquilibristError) -> int:
    """The status of the answer to a request that raised this."""
    if isinstance(error, OutputError):
        return 507 if error.given in _FULL else 409
    return error.status if isinstance(error, WebError) else 422
