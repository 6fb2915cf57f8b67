"""The last files of a folder, to which several processes may add at once."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from equilibrist.storage.atomic import failures, probe

_NEW: Final = "new-"
"""How the names of files begin that are written and have no number yet."""
_LEFT_SECONDS: Final = 60.0
"""A file gets its number at once: one that is older was left by a process that died."""
_STALE_SECONDS: Final = 600.0
"""A partial file that is unchanged for this long belongs to a process that died."""


@dataclass(frozen=True)
class LastFiles:
    """The last `most` files that were added to a folder; older ones are removed.

    Names begin with a number that grows, and end in a token of their own, so that no two processes
    ever write to one name. A file has its number when it is complete: what a process leaves that is
    killed while it writes is removed later, and what it leaves between writing and numbering is
    numbered by the next one that adds a file.

    Attributes:
        folder: Where they are; made when the first one is added.
        most: How many are kept.
        budget: The bytes that they take together; beyond that older ones are removed earlier.
        suffix: How their names end.
    """

    folder: Path
    most: int
    budget: int
    suffix: str

    def newest(self) -> list[Path]:
        """The files, newest first."""
        return self._ordered()[: self.most]

    def check(self) -> None:
        """Raise OutputError now if no file could be added."""
        with failures(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            probe(self.folder / "probe")

    def add(self, label: str, write: Callable[[Path], object]) -> Path:
        """Let `write` make a file, and make it the newest.

        Args:
            label: What its name says for people.
            write: Writes a file of the name that it gets, whole or not at all.

        Returns:
            Its path.

        Raises:
            OutputError: It cannot be written; the others are as they were.
        """
        with failures(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        self._tidy()
        token = secrets.token_hex(4)
        complete = self.folder / f"{_NEW}{label}-{token}{self.suffix}"
        write(complete)
        path = self._numbered(complete)
        for old in self._beyond():
            with suppress(OSError):
                old.unlink()
        return path

    def clear(self) -> tuple[int, int]:
        """Remove all of them; returns how many there were, and their bytes."""
        count = size = 0
        for path in self._ordered():
            with failures(path), suppress(FileNotFoundError):  # another process has removed it
                bytes_of_file = path.lstat().st_size
                path.unlink()
                count, size = count + 1, size + bytes_of_file
        return count, size

    def _ordered(self) -> list[Path]:
        """Newest first. Two processes that end together may take one number: the time decides."""
        numbered: dict[int, list[Path]] = {}
        for path in self._entries():
            written = path.name.partition("-")[0]
            if written.isdecimal() and path.suffix == self.suffix:
                numbered.setdefault(int(written), []).append(path)
        ordered: list[Path] = []
        for number in sorted(numbered, reverse=True):
            same = numbered[number]
            ordered += sorted(same, key=_time, reverse=True) if len(same) > 1 else same
        return ordered

    def _entries(self) -> Iterator[Path]:
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                yield Path(entry.path)

    def _numbered(self, complete: Path) -> Path:
        """Give a complete file the next number."""
        with failures(complete):
            newest = next(iter(self._ordered()), None)
            number = 1 if newest is None else int(newest.name.partition("-")[0]) + 1
            own = complete.name.removeprefix(_NEW)
            path = complete.with_name(f"{number:08}-{own}")
            try:
                complete.rename(path)
            except FileNotFoundError:  # this process stood still, and another numbered its file
                others = (other for other in self._ordered() if other.name.endswith(own))
                return next(others, path)
            return path

    def _tidy(self) -> None:
        """Number, or remove, what processes left that were killed."""
        for path in self._entries():
            with suppress(OSError):
                age = time.time() - path.stat().st_mtime
                if path.name.startswith(_NEW) and age > _LEFT_SECONDS:
                    self._numbered(path)
                elif path.name.endswith(".partial") and age > _STALE_SECONDS:
                    path.unlink()

    def _beyond(self) -> Iterator[Path]:
        """The files that are too many, or too large together; never the newest."""
        total = 0
        for place, path in enumerate(self._ordered()):
            with suppress(OSError):
                total += path.stat().st_size
            if place and (place >= self.most or total > self.budget):
                yield path


def _time(path: Path) -> int:
    """When a file was written; 0 if another process has removed it."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
