"""An index of the headers of stored files, which is kept: a file is opened when it has changed."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from equilibrist._version import __version__
from equilibrist.errors import OutputError
from equilibrist.library.listing import Entry, entry_of, file_facts
from equilibrist.storage.atomic import write_bytes
from equilibrist.web.store.titles import title_facts

_LOG: Final = logging.getLogger("equilibrist.web")
_FORM: Final = 4
"""Raised when what is kept of a file changes."""
_WRITTEN: Final = 5.0
"""Seconds between two times that the index is written: files come one after the other."""
_TITLE: Final = "title"


class EntryIndex:
    """What the headers of files say, by file; also of the next server.

    A file is known by its folder and name, and by time, size and number of the file: one that takes
    its place, or a copy, is read anew.

    Args:
        file: Where the index is kept; None to forget it.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, Any]] | None = None
        self._is_changed = False
        self._written = -_WRITTEN

    def entry(self, name: str, path: Path) -> Entry | None:
        """List a file; None if it is gone.

        Args:
            name: What it is called.
            path: The file.
        """
        return entry_of(name, path, self._facts)

    def title(self, entry: Entry) -> dict[str, Any]:
        """What a title of a listed file is made of, as `title_facts` has it.

        Args:
            entry: The file.
        """
        with self._lock:
            record = self._records().get(_key(entry.path))
        if record is not None and record["facts"].get("solves") == entry.solves:
            title: dict[str, Any] = record[_TITLE]
            return title
        return title_facts(entry.kind, entry.solves)

    def keep(self, folder: Path, paths: Iterable[Path]) -> None:
        """Forget the files of a folder that are gone, and write the index if it has changed.

        Args:
            folder: The folder.
            paths: All files in it.
        """
        there, begins = {_key(path) for path in paths}, f"{folder.name}/"
        with self._lock:
            known = self._records()
            gone = [key for key in known if key.startswith(begins) and key not in there]
            for key in gone:
                del known[key]
            self._is_changed |= bool(gone)
            now = time.monotonic()
            if not self._is_changed or self._file is None or now - self._written < _WRITTEN:
                return
            self._written, self._is_changed = now, False
            content = json.dumps({"form": _form(), "files": known}).encode()
        try:
            write_bytes(self._file, content)
        except OutputError as error:  # the next server reads the files anew
            _LOG.warning("the index of the library is not kept: %s", error)

    def _facts(self, path: Path, status: os.stat_result) -> dict[str, Any]:
        """What the header of a file says; it is read where the file is not known."""
        key, stamp = _key(path), [status.st_mtime_ns, status.st_size, status.st_ino]
        with self._lock:
            record = self._records().get(key)
        if record is not None and record["stamp"] == stamp:
            facts: dict[str, Any] = record["facts"]
            return facts
        facts = file_facts(path)
        title = title_facts(facts["kind"], facts["solves"])
        with self._lock:
            self._records()[key] = {"stamp": stamp, "facts": facts, _TITLE: title}
            self._is_changed = True
        return facts

    def _records(self) -> dict[str, dict[str, Any]]:
        """The records by file, read when they are needed first."""
        if self._known is None:
            self._known = {}
            with suppress(OSError, ValueError, RecursionError, AttributeError, TypeError):
                document = json.loads(b"" if self._file is None else self._file.read_bytes())
                if document["form"] == _form():
                    self._known = {key: record for key, record in document["files"].items()
                                   if _is_sound(record)}  # fmt: skip
        return self._known


def _form() -> list[str | int]:
    """What tells an index of this version from others."""
    return [_FORM, __version__]


def _key(path: Path) -> str:
    """A file by its folder and name: the data folder may be moved."""
    return f"{path.parent.name}/{path.name}"


def _is_sound(record: Any) -> bool:
    """Whether a record has the parts that are read, of whatever values."""
    names = set(Entry.__dataclass_fields__) - {"name", "path", "saved", "num_bytes"}
    return (
        isinstance(record, dict)
        and record.keys() == {"stamp", "facts", _TITLE}
        and isinstance(record[_TITLE], dict)
        and record["facts"].keys() <= names
        and "solves" in record["facts"]
        and "kind" in record["facts"]
    )
