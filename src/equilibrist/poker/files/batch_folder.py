"""The folder of a batch: its settings, and a file for each finished board."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError, OutputError
from equilibrist.storage.atomic import check_folder_of, write_bytes

_SETTINGS: Final = "batch.json"
_FORMAT: Final = "equilibrist-batch-1"
_CHECKSUM: Final = "checksum"


class BatchFolder:
    """Where a batch writes; nothing is made before `prepare`.

    `settings` are what decides about the figures. The checksum of a board's file is over them, the
    board and what was found, so that no file that was changed, renamed or brought from another
    batch is taken for a result.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder = folder
        self.settings = settings

    def has(self, board: str) -> bool:
        """Whether the board is finished."""
        return self._file(board).exists()

    def check(self, *, resume: bool) -> None:
        """See whether what is in the folder may be gone on with; makes nothing.

        Raises FileFormatError, ConfigError without `resume` or where the settings are others, and
        OutputError for what can be no folder.
        """
        file = self.folder / _SETTINGS
        with self._failures():
            if not file.exists():
                return
        if not resume:
            raise ConfigError(
                f"{self.folder} holds a batch already",
                option="folder",
                given=self.folder,
                remedy="resume it, or give another folder",
            )
        before = _read(file)
        for key in {**self.settings, **before}:
            if self.settings.get(key) != before.get(key):
                raise ConfigError(
                    f"the batch in {self.folder} has {key} {_said(before, key)}, and now it is "
                    f"{_said(self.settings, key)}",
                    option=key,
                    given=self.settings.get(key),
                    expected=before.get(key),
                    remedy="give what was given before, or another folder",
                )

    def prepare(self) -> None:
        """Make the folder and write the settings, unless they are there; raises OutputError."""
        file = self.folder / _SETTINGS
        with self._failures():
            self.folder.mkdir(parents=True, exist_ok=True)
        check_folder_of(file)
        if not file.exists():
            write_bytes(file, json.dumps(self.settings, indent=1).encode())

    def read(self, board: str) -> dict[str, Any]:
        """What `write` was given; raises FileFormatError."""
        file = self._file(board)
        found = _read(file)
        checksum = found.pop(_CHECKSUM, None)
        if checksum != self._checksum(board, found):
            raise _unreadable(file, "it is damaged, or of another batch")
        return found

    def write(self, board: str, found: Mapping[str, Any]) -> None:
        """Write what was found on a board, whole or not at all; raises OutputError."""
        content = {**found, _CHECKSUM: self._checksum(board, found)}
        write_bytes(self._file(board), json.dumps(content, allow_nan=False).encode())

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise OutputError(
                f"cannot write {self.folder}: {reason}", self.folder, option="folder", given=reason
            ) from None

    def _file(self, board: str) -> Path:
        return self.folder / f"{board}.json"

    def _checksum(self, board: str, found: Mapping[str, Any]) -> str:
        text = json.dumps([_FORMAT, self.settings, board, found], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _said(settings: Mapping[str, Any], key: str) -> str:
    return repr(settings[key]) if key in settings else "left out"


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_bytes())
        json.dumps(content)  # what is nested too deep for that, too
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, f"{error}") from None
    if not isinstance(content, dict):
        raise _unreadable(file, "it is not what a batch writes")
    return content


def _unreadable(file: Path, reason: str) -> FileFormatError:
    return FileFormatError(
        f"cannot read {file}: {reason}",
        file,
        option="file",
        given=reason,
        remedy="remove it, and resume the batch",
    )
