"""Drafts: what has been typed and not solved yet, a file for each browser."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.store.places import place

_SUFFIX: Final = ".json"
_MOST: Final = 500


class Drafts:
    """The drafts of a server; the oldest go when there are too many.

    Args:
        folder: Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, browser: str) -> dict[str, Any] | None:
        """The draft of a browser; None if it has none that can be read."""
        try:
            found = json.loads(place(self._folder, browser, _SUFFIX).read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

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
