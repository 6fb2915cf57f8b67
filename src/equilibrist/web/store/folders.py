"""The folders in the data folder, and paths in them whose names cannot lead out."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from equilibrist.errors import ConfigError, OutputError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.errors import NotFoundError, WebError

_LONGEST: Final = 120
"""Characters of a name."""
_NAME: Final = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9+_-]|\.(?!\.)){{0,{_LONGEST - 1}}}", re.ASCII)
_NO_LETTERS: Final = re.compile(r"[^A-Za-z0-9+_.-]+|(?:\.\.)[.-]*", re.ASCII)
"""What names of files may have, and those of what is kept may not."""
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""Names that mean devices on some systems."""
_PATIENCE: Final = 10.0
"""Seconds in which a server that has begun notes its address."""
_PAUSE: Final = 0.2
_ADDRESS: Final = re.compile(r"http://[!-~]{1,200}")
"""The address of a server."""


@dataclass(frozen=True)
class DataFolders:
    """The folders of the server below the data folder.

    Attributes:
        root: The data folder.
    """

    root: Path

    @property
    def library(self) -> Path:
        """Solutions that stay until they are deleted."""
        return self.root / "library"

    @property
    def games(self) -> Path:
        """Games that were uploaded."""
        return self.root / "games"

    @property
    def jobs(self) -> Path:
        """A folder for each job."""
        return self.root / "jobs"

    @property
    def ranges(self) -> Path:
        """The user's own ranges, a file."""
        return self.root / "ranges.json"

    @property
    def setups(self) -> Path:
        """Spots that are kept by name."""
        return self.root / "setups"

    @property
    def batches(self) -> Path:
        """Folders of `equilibrist postflop batch`, for reports."""
        return self.root / "batches"

    @property
    def training(self) -> Path:
        """Sessions of the trainer, a file for each."""
        return self.root / "training"

    @property
    def arriving(self) -> Path:
        """What is being uploaded, and not read yet."""
        return self.root / "arriving"

    def prepare(self) -> None:
        """Make the folders, and remove what arrived for a server that has ended.

        Raises OutputError where that is impossible.
        """
        lasting = (self.library, self.games, self.jobs, self.setups, self.batches)
        folders = (*lasting, self.training, self.arriving)
        for folder in folders:
            with failures(folder):
                folder.mkdir(parents=True, exist_ok=True)
        for leftover in self.arriving.iterdir():
            with failures(leftover):
                leftover.unlink(missing_ok=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the data folder for one server, which ends with the block or with the process.

        Two would not see what the other runs, saves and deletes, and overwrite its records.

        Raises:
            ConfigError: Another server holds it.
            OutputError: The folder cannot be made or written.
        """
        file = self.root / "web-lock"
        with failures(file):
            self.root.mkdir(parents=True, exist_ok=True)
            try:
                lock = FileLock(file).acquire(blocking=False)
            except Timeout:
                raise self._in_use() from None
        with lock:
            self._address.unlink(missing_ok=True)
            yield

    def announce(self, address: str) -> None:
        """Note where the server that holds the folder is reached, for those that come later.

        Args:
            address: The address.
        """
        with suppress(OutputError):  # it is only told
            write_bytes(self._address, address.encode())

    def address_in_use(self) -> str | None:
        """Where the server that holds the folder is reached; None where none holds it.

        A server that has just begun is waited for until it has noted its address.

        Raises:
            ConfigError: What holds it has noted none, as servers of other programs.
            OutputError: The folder cannot be made or written.
        """
        last = time.monotonic() + _PATIENCE
        while True:
            try:
                with self.held():
                    return None
            except ConfigError:
                address = self._noted_address()
                if address is not None:
                    return address
                if time.monotonic() > last:
                    raise
            time.sleep(_PAUSE)

    @property
    def _address(self) -> Path:
        return self.root / "web-address"

    def _noted_address(self) -> str | None:
        with suppress(OSError, ValueError):
            address = self._address.read_text()
            if _ADDRESS.fullmatch(address):
                return address
        return None

    def _in_use(self) -> ConfigError:
        address = self._noted_address()
        where, remedy = "", "end that server first"
        if address is not None:
            where, remedy = f" at {address}", f"open {address}, {remedy}"
        return ConfigError(
            f"another server{where} has the data folder {self.root}",
            option="data",
            given=self.root,
            expected="a folder of one server",
            remedy=f"{remedy}, or give this one a folder of its own with EQUILIBRIST_DATA_DIR",
        )

    @property
    def index(self) -> Path:
        """What the headers of solutions say, a file; it is made anew where it is missing."""
        return self.root / "library-index.json"

    @property
    def notes(self) -> Path:
        """Folders and notes of solutions, a file."""
        return self.root / "library-notes.json"

    @property
    def sessions(self) -> Path:
        """Which browsers are signed in, a file."""
        return self.root / "web-sessions"


def numbered(stem: str, number: int) -> str:
    """A name with a number behind it, no longer than names may be; that of number 1 is the stem.

    Args:
        stem: The name without a number.
        number: Which of those that would have the same name, from 1 on.
    """
    tail = "" if number == 1 else f"-{number}"
    return stem[: _LONGEST - len(tail)] + tail


def fitting_name(name: str, otherwise: str) -> str:
    """The name under which a file is kept that has any name where it comes from.

    Args:
        name: That name, without its ending: `Game (1)`.
        otherwise: What it is called if no letter a to z and no digit is in its name.

    Returns:
        The same name where it is valid; else what is left of it: `Game-1`.
    """
    if _NAME.fullmatch(name) is not None:
        return name
    signs = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    letters = "".join(sign for sign in signs if not unicodedata.combining(sign))
    kept = _NO_LETTERS.sub("-", letters)
    return kept.strip("-_+.")[:_LONGEST].rstrip("-_+.") or otherwise


def path_in(
    folder: Path, name: str, suffix: str = "", *, refusal: type[WebError] = NotFoundError
) -> Path:
    """The path of a name in a folder.

    Args:
        folder: The folder.
        name: A name that a request may have given.
        suffix: Added to the name.
        refusal: What a name is refused with; see `new_path_in` for names that are given.

    Raises:
        NotFoundError: The name is not valid: it could lead out of the folder, or be a device; or
            it is that of a link.
    """
    if _RESERVED.fullmatch(name) is not None:
        raise refusal(
            f"{name!r} is not a valid name: on some systems it means a device",
            option="name",
            given=name,
            expected="a name that means no device",
            remedy="choose another name",
        )
    if _NAME.fullmatch(name) is None:
        raise _unknown(name, refusal)
    path = folder / f"{name}{suffix}"
    if path.is_symlink():
        raise _link(name, refusal)
    if path.resolve().parent != folder.resolve():
        raise _unknown(name, refusal)
    return path


def new_path_in(folder: Path, name: str, suffix: str = "") -> Path:
    """The path of a name that something is given, which need not be there yet.

    Args:
        folder: The folder.
        name: A name that a request may have given.
        suffix: Added to the name.

    Raises:
        WebError: The name is not valid, as in `path_in`.
    """
    return path_in(folder, name, suffix, refusal=WebError)


def own_files(folder: Path, suffix: str) -> list[Path]:
    """The files that lie in a folder itself; links, which nothing here follows, are none of them.

    Args:
        folder: The folder.
        suffix: How their names end.
    """
    files = folder.glob(f"*{suffix}")
    return [path for path in files if path.is_file() and not path.is_symlink()]


def existing_path(folder: Path, name: str, suffix: str = "") -> Path:
    """The path of what is listed under a name in a folder, also where a user put it there.

    Such names may have spaces and any letters; new ones may not (`path_in`). They are listed, and
    asked for, as `shown_name` has them.

    Args:
        folder: The folder.
        name: A name that a request may have given.
        suffix: Added to the name.

    Raises:
        NotFoundError: The name is not valid, and nothing of that name lies there, or a link does.
    """
    with suppress(NotFoundError):
        return path_in(folder, name, suffix)
    with suppress(OSError):
        for path in folder.iterdir():  # what is compared with entries of a folder cannot lead out
            if shown_name(path.name) == f"{name}{suffix}":
                if path.is_symlink():
                    raise _link(name)
                return path
    raise _unknown(name)


def shown_name(name: str) -> str:
    """Escape what neither answers nor addresses hold in the name of a file.

    That are line ends, and bytes that are no text.

    Args:
        name: The name that the file has.
    """
    return escape_control_chars(name)


def _link(name: str, refusal: type[WebError] = NotFoundError) -> WebError:
    return refusal(
        f"{name[:120]!r} is a link, which may lead out of the folder, so it is not opened",
        option="name",
        given=name[:120],
        expected="a file or a folder of its own",
        remedy="copy there what the link leads to, in place of it",
    )


def _unknown(name: str, refusal: type[WebError] = NotFoundError) -> WebError:
    return refusal(
        f"{name[:120]!r} is not a valid name",
        option="name",
        given=name[:120],
        expected="letters a to z, digits, and - _ + . between them",
        remedy=f"use up to {_LONGEST} letters a to z and digits, with - _ + . between them",
    )
