"""Where a token is given, and the page to which signing in leads."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from starlette.types import Scope

ENTRY: Final = "/enter"
"""Where a token is given: the only page that needs none."""
HOME: Final = "/"
_LONGEST: Final = 2000
_OWN: Final = re.compile(r"/(?!/)[!-\[\]-~]*")
"""A path of this server: printable ASCII without a backslash, which browsers read as a slash; two
slashes at the beginning would name another server, and browsers drop tabs and line breaks."""


def own_path(text: str) -> str:
    """A path with its query if it can only lead to this server, and not back to signing in.

    Args:
        text: What a request asks for.

    Returns:
        The path; `HOME` for anything else.
    """
    if len(text) > _LONGEST or _OWN.fullmatch(text) is None:
        return HOME
    return HOME if text.partition("?")[0].rstrip("/") == ENTRY else text


def entry_address(path: str) -> str:
    """The address at which a token is given, which leads to `path` afterwards."""
    path = own_path(path)
    return ENTRY if path == HOME else f"{ENTRY}?to={quote(path, safe='/')}"


def asked_path(scope: Scope) -> str:
    """The path and query of a request, as they were sent."""
    path = scope.get("raw_path") or quote(scope["path"]).encode()
    query = scope.get("query_string", b"")
    whole = path + (b"?" + query if query else b"")
    return str(whole, "latin-1")
