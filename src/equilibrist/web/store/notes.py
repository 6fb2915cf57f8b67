"""What the user says of solutions: folders, notes, and who plays whom in which pot; a file."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from equilibrist.storage.atomic import write_bytes
from equilibrist.web.errors import ConflictError, LimitError, WebError

POT_TYPES: Final = ("limped", "single-raised", "3-bet", "4-bet", "5-bet")
_LONGEST: Final = 120
_LONGEST_NOTE: Final = 10_000
_LONGEST_POSITION: Final = 12
_DEEPEST: Final = 4
_MOST: Final = 10_000


@dataclass(frozen=True)
class About:
    """What the user says of a solution; empty texts where nothing is said.

    Attributes:
        folder: The folder in which it is listed, with slashes between levels.
        note: A text.
        oop: Of a spot the position of the player out of position, such as `BB`.
        ip: That of the player in position.
        middle: Of three players, that of the one who acts second.
        pot_type: One of `POT_TYPES`.
    """

    folder: str = ""
    note: str = ""
    oop: str = ""
    ip: str = ""
    pot_type: str = ""
    middle: str = ""

    def checked(self) -> About:
        """The same in one spelling; raises WebError for what is too long or too deep, or no type.

        Spaces around the names of folders are left out.
        """
        parts = [part.strip() for part in self.folder.split("/")] if self.folder.strip() else []
        folder = "/".join(parts)
        is_folder = all(parts) and len(parts) <= _DEEPEST and folder.isprintable()
        if not is_folder or len(folder) > _LONGEST:
            raise WebError(
                option="folder",
                given=self.folder[:_LONGEST],
                expected=f"up to {_DEEPEST} names with slashes between them, {_LONGEST} characters",
            )
        if len(self.note) > _LONGEST_NOTE:
            raise WebError(
                f"the note has {len(self.note):,} characters; expected at most {_LONGEST_NOTE:,}",
                option="note",
                given=len(self.note),
                expected=_LONGEST_NOTE,
            )
        try:
            self.note.encode()
        except UnicodeEncodeError as error:
            raise WebError(
                f"character {error.start + 1} of the note is half of a character",
                option="note",
                given=error.start,
                expected="a text",
            ) from None
        for seat in ("oop", "middle", "ip"):
            position = getattr(self, seat).strip()
            if len(position) > _LONGEST_POSITION or not position.isprintable():
                raise WebError(
                    option=seat,
                    given=position[:_LONGEST],
                    expected=f"a position such as BTN, at most {_LONGEST_POSITION} characters",
                )
        if self.pot_type and self.pot_type not in POT_TYPES:
            raise WebError(
                option="pot_type", given=self.pot_type[:_LONGEST], expected=", ".join(POT_TYPES)
            )
        oop, middle, ip = (seat.strip() for seat in (self.oop, self.middle, self.ip))
        return About(folder, self.note, oop, ip, self.pot_type, middle)


class Notes:
    """What the user says of solutions, by their names in the library.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._known: dict[str, About] = {}
        self._is_broken = False

    def all(self) -> Mapping[str, About]:
        """What is said, by name; nothing of solutions of which nothing is."""
        with self._lock:
            return dict(self._read())

    def put(self, name: str, about: About) -> About:
        """Say something of a solution, in place of what was said before.

        Args:
            name: Its name.
            about: What is said.

        Returns:
            What is said now, in one spelling.

        Raises:
            WebError: A part of it is not valid.
            LimitError: Something is said of as many solutions as may be.
            OutputError: It cannot be written.
        """
        about = about.checked()
        with self._changed() as known:
            known.pop(name, None)
            if about != About():
                known[name] = about
        return about

    def moved(self, name: str, new: str | None) -> None:
        """Note that a solution was renamed or deleted.

        Args:
            name: Its name so far.
            new: Its new name; None if it was deleted.
        """
        if name not in self.all() and (new is None or new not in self.all()):
            return
        with self._changed() as known:
            about = known.pop(name, None)
            if new is not None:
                known.pop(new, None)
                if about is not None:
                    known[new] = about

    def revision(self) -> str:
        """A text that is another one once something else is said."""
        try:
            status = self._path.stat()
        except OSError:
            return ""
        return f"{status.st_mtime_ns:x}-{status.st_ino:x}"

    @contextmanager
    def _changed(self) -> Iterator[dict[str, About]]:
        """What is said, written when the block ends without an error."""
        with self._lock:
            known = dict(self._read())
            if self._is_broken:
                raise ConflictError(
                    f"{self._path.name} in the data folder cannot be read, so nothing is added",
                    option="file",
                    given=self._path.name,
                    expected="a file of notes in JSON",
                    remedy="mend it, or move it away",
                )
            yield known
            if len(known) > _MOST:
                raise LimitError(
                    f"notes on {_MOST:,} solutions are stored, which is the limit",
                    option="notes",
                    given=len(known),
                    expected=_MOST,
                    remedy="delete some",
                )
            said = {name: _said(about) for name, about in known.items()}
            write_bytes(self._path, json.dumps({"solutions": said}, indent=1).encode())
            self._stamp = None

    def _read(self) -> dict[str, About]:
        """What the file says; it is read again when it has changed. Nothing of a broken one."""
        try:
            status = self._path.stat()
        except OSError:
            self._known, self._stamp, self._is_broken = {}, None, False
            return self._known
        stamp = status.st_mtime_ns, status.st_ino
        if stamp != self._stamp:
            found = _notes(self._path)
            self._known, self._stamp, self._is_broken = found or {}, stamp, found is None
        return self._known


def _said(about: About) -> dict[str, str]:
    return {name: text for name, text in asdict(about).items() if text}


def _notes(path: Path) -> dict[str, About] | None:
    """What a file says, by solution; None where it cannot be read, or has other values."""
    try:
        entries: Any = json.loads(path.read_bytes())["solutions"]
        found = {name: About(**texts) for name, texts in entries.items()}
        said = [text for about in found.values() for text in asdict(about).values()]
        "".join([*found, *said]).encode()  # texts alone, without half characters
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
    return found
