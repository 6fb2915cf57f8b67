"""Drafts: what has been typed and not solved yet, a file for each browser."""

from __future__ import annotations

import json
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.store.places import place

_SUFFIX: Final = ".json"
_MOST: Final = 500
_HELD: Final = 50
"""Drafts in memory."""


class Drafts:
    """The drafts of a server; the oldest go when there are too many.

    Args:
        folder: Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def get(self, browser: str) -> dict[str, Any] | None:
        """The draft of a browser; None if it has none that can be read."""
        if browser in self._newest:
            return self._newest[browser]
        try:
            found = json.loads(place(self._folder, browser, _SUFFIX).read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def hold(self, browser: str, draft: dict[str, Any]) -> None:
        """Have a draft at hand at once, before it is kept: a reload may come first."""
        self._newest[browser] = draft
        self._newest.move_to_end(browser)
        while len(self._newest) > _HELD:
            self._newest.popitem(last=False)

    def put(self, browser: str, draft: dict[str, Any]) -> None:
        """Keep a draft in place of the one before; raises OutputError."""
        write_bytes(place(self._folder, browser, _SUFFIX), json.dumps(draft).encode())
        files = list(self._folder.glob(f"*{_SUFFIX}"))
        if len(files) <= _MOST:
            return
        with suppress(OSError):  # another thread may have removed them
            oldest = sorted(files, key=lambda path: path.stat().st_mtime)
            for path in oldest[: len(files) - _MOST]:
                with failures(path):
                    path.unlink(missing_ok=True)
