"""Drafts: what has been typed and not solved yet, a file for each tab of a browser."""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.store.folders import path_in

_SUFFIX: Final = ".json"
_MOST: Final = 500
_HELD: Final = 50
"""Drafts in memory."""
_TAB: Final = re.compile(r"[0-9a-f]{16}")


class Drafts:
    """The drafts of a server; the oldest go when there are too many.

    A draft belongs to a tab of a browser. Nobody else's can be named: browsers have names that they
    cannot choose.

    Args:
        folder: Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
        self._writing = threading.Lock()

    @staticmethod
    def new_tab() -> str:
        """A name for a tab that has no draft yet."""
        return secrets.token_hex(8)

    def get(self, browser: str, tab: str) -> dict[str, Any] | None:
        """The draft of a tab.

        Args:
            browser: The name of the browser.
            tab: The name of the tab, as an address has it.

        Returns:
            The draft; None if it has none that can be read.
        """
        if _TAB.fullmatch(tab) is None:
            return None
        if (browser, tab) in self._newest:
            return self._newest[browser, tab]
        return _read(self._path(browser, tab))

    def newest(self, browser: str) -> dict[str, Any] | None:
        """The draft of a browser that was changed last, in any tab; None if it has none."""
        for (owner, _), draft in reversed(self._newest.items()):
            if owner == browser:
                return draft
        files = self._folder.glob(f"{browser}_*{_SUFFIX}")
        return _read(max(files, key=lambda path: path.stat().st_mtime, default=None))

    def hold(self, browser: str, tab: str, draft: dict[str, Any]) -> None:
        """Have a draft at hand at once, before it is kept: a reload may come first.

        Args:
            browser: The name of the browser.
            tab: The name of the tab.
            draft: The draft.
        """
        self._newest[browser, tab] = draft
        self._newest.move_to_end((browser, tab))
        while len(self._newest) > _HELD:
            self._newest.popitem(last=False)

    def put(self, browser: str, tab: str, draft: dict[str, Any]) -> None:
        """Keep a draft in place of the one before, or a newer one that is at hand.

        Threads that write one after the other may come in another order than what was typed.

        Args:
            browser: The name of the browser.
            tab: The name of the tab.
            draft: The draft.

        Raises:
            OutputError: It cannot be written.
        """
        with self._writing:
            newest = self._newest.get((browser, tab), draft)
            write_bytes(self._path(browser, tab), json.dumps(newest).encode())
        files = list(self._folder.glob(f"*{_SUFFIX}"))
        if len(files) <= _MOST:
            return
        with suppress(OSError):  # another thread may have removed them
            oldest = sorted(files, key=lambda path: path.stat().st_mtime)
            for path in oldest[: len(files) - _MOST]:
                with failures(path):
                    path.unlink(missing_ok=True)

    def _path(self, browser: str, tab: str) -> Path:
        return path_in(self._folder, f"{browser}_{tab}", _SUFFIX)


def _read(path: Path | None) -> dict[str, Any] | None:
    """The draft in a file; None where there is none."""
    try:
        draft = None if path is None else json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return draft if isinstance(draft, dict) else None
