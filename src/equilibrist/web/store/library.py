"""The library: solutions that stay until they are deleted, beside those of the command line."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.library.kinds import Saved, open_saved
from equilibrist.library.listing import Entry
from equilibrist.library.names import SUFFIX, is_name, name_of, newest, stored_folder
from equilibrist.storage.archive import header_of, open_archive
from equilibrist.storage.atomic import failures
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, CARDS, CHARTS
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.store.folders import (
    existing_path,
    new_path_in,
    numbered,
    own_files,
    shown_name,
)
from equilibrist.web.store.index import EntryIndex

if TYPE_CHECKING:
    from equilibrist.results import Result

GIVEN: Final = "given"
"""The name of the solution that the server was started with."""


@dataclass
class Opened:
    """A file, with its solution once somebody has opened it.

    Attributes:
        result: The solution, or what holds charts.
        kind: The kind of its file.
        stamp: What tells the file from one that takes its name later.
        lock: Held while it is used.
        used: When it was asked for last, by the monotonic clock.
    """

    result: Any = None
    kind: str = ""
    stamp: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)
    used: float = 0.0


class Library:
    """The solutions of a server, by name; those of the command line are `last`, `last-2`, ...

    Args:
        folder: Where they lie.
        most_open: How many stay open.
        opened_with: A file elsewhere that the server was started with.
        index_file: Where an index of the files is kept; None to read all of them again.

    Attributes:
        index: What the headers of the files say.
        card_folders: Folders of card buckets that blueprints name which could not be opened.
    """

    def __init__(
        self,
        folder: Path,
        most_open: int,
        opened_with: Path | None = None,
        index_file: Path | None = None,
    ) -> None:
        self.folder, self._given = folder, opened_with
        self.index = EntryIndex(index_file)
        self._most = most_open
        self.card_folders: set[Path] = set()
        self._opened: OrderedDict[tuple[Path, int, int], Opened] = OrderedDict()
        self._lock = threading.Lock()
        self._has_dropped = False

    def entries(self) -> list[Entry]:
        """The library, newest first, then the last of the command line; what was given is first."""
        entry_in = self.index.entry
        opened_with = None if self._given is None else entry_in(GIVEN, self._given)
        files, commands = own_files(self.folder, SUFFIX), newest()
        own = [(self._listed_name(path), path) for path in files]
        stored = [entry for name, path in own if (entry := entry_in(name, path)) is not None]
        stored.sort(key=lambda entry: entry.saved, reverse=True)
        last = [entry_in(name_of(k), path) for k, path in enumerate(commands)]
        stored = [entry for entry in stored if not has_card_buckets(entry)]
        self.index.keep(self.folder, files)
        if commands:
            self.index.keep(commands[0].parent, commands)
        return [entry for entry in (opened_with, *stored, *last) if entry is not None]

    def card_buckets(self) -> list[Entry]:
        """The card buckets in the library, which are no solutions, newest first."""
        paths = own_files(self.folder, SUFFIX)
        found = (self.index.entry(self._listed_name(path), path) for path in paths)
        cards = [entry for entry in found if entry is not None and has_card_buckets(entry)]
        return sorted(cards, key=lambda entry: entry.saved, reverse=True)

    def revision(self) -> str:
        """A text that is another one once a file has come, gone or been replaced."""
        places = [self.folder, stored_folder(), self._given]
        stamps = [None if place is None else file_stamp(place) for place in places]
        return "_".join(stamp or "" for stamp in stamps)

    def path(self, name: str) -> Path:
        """The file of a solution; raises NotFoundError."""
        stem = name.removesuffix(SUFFIX)
        path: Path | None
        if name != stem and self._is_taken(stem):
            path = existing_path(self.folder, stem, SUFFIX)
        elif is_name(name):
            files = dict(zip(map(name_of, range(len(newest()))), newest(), strict=False))
            path = files.get(name)
        elif name == GIVEN and self._given is not None:
            path = self._given
        else:
            path = existing_path(self.folder, name, SUFFIX)
        if path is None or not path.is_file():
            raise _unknown(name)
        return path

    def _is_taken(self, name: str) -> bool:
        """Whether a name means a solution that is not in the library."""
        return is_name(name) or (name == GIVEN and self._given is not None)

    def _listed_name(self, path: Path) -> str:
        """The name of a file of the library: with its ending where the bare name means another."""
        name = shown_name(path.name.removesuffix(SUFFIX))
        return f"{name}{SUFFIX}" if self._is_taken(name) else name

    def stamp(self, name: str) -> str:
        """What tells the file of a solution from others of its name; raises NotFoundError."""
        return file_stamp(self.path(name)) or ""

    def name_with(self, name: str, stamp: str) -> str:
        """The present name of a file that had a name once: it may have been renamed or replaced.

        Args:
            name: The name that it had.
            stamp: The stamp that it had when it was opened (`Opened.stamp`); a run may be named
                behind a dot.

        Raises:
            NotFoundError: No solution is that file.
        """
        stamp = stamp.partition(".")[0]
        with suppress(NotFoundError):
            if file_stamp(self.path(name)) == stamp:
                return name
        for entry in self.entries():
            if file_stamp(entry.path) == stamp:
                return entry.name
        raise NotFoundError(
            f"the solution that was called {name!r} when this page or link was made has been "
            "replaced or deleted since",
            option="name",
            given=name,
            remedy=f"open {name!r} from the library, if there is one: it is another solution",
        )

    def entry(self, name: str) -> Entry:
        """The entry of a solution in the list; raises NotFoundError."""
        entry = self.index.entry(name, self.path(name))
        if entry is None:
            raise _unknown(name)
        return entry

    def free_name(self, stem: str, claimed: Container[str] = ()) -> str:
        """A name that no solution has yet: `stem`, else `stem-2`, `stem-3`, ...

        Args:
            stem: What it is to be called; `last`, `last-2`, ... stand behind `solution-`.
            claimed: Names that solutions to come will have.
        """
        if is_name(stem):  # with any number behind it, it is another of these names
            stem = f"solution-{stem}"
        name, number = numbered(stem, 1), 1
        while name == GIVEN or name in claimed or self._is_there(name):
            number += 1
            name = numbered(stem, number)
        return name

    def _is_there(self, name: str) -> bool:
        """Whether a file or a link has the name; raises WebError for one that is not valid."""
        path = self.folder / f"{name}{SUFFIX}"
        return path.is_symlink() or self.new_path(name).exists()

    def new_path(self, name: str) -> Path:
        """Where a solution of that name is written; raises WebError for one that is not valid."""
        return new_path_in(self.folder, name, SUFFIX)

    def add(self, name: str, file: Path) -> None:
        """Move a complete file into the library.

        Args:
            name: The name of the solution; one of the same name is replaced.
            file: The file, on the same disk as the library.

        Raises:
            WebError: The name is not valid.
            OutputError: The file cannot be moved.
        """
        path = self.new_path(name)
        with failures(path):
            file.replace(path)

    def rename(self, name: str, new: str) -> None:
        """Rename a solution.

        Args:
            name: Its name.
            new: Its new name.

        Raises:
            NotFoundError: There is no such solution.
            WebError: The new name is not valid.
            ConflictError: The new name is taken or means another file, or the solution is not in
                the library itself.
        """
        path = self._own(name)
        target = self.new_path(new)
        if is_name(new) or new == GIVEN:
            owner = "the command line" if is_name(new) else "the file that a server is started with"
            raise ConflictError(
                f"the name {new} belongs to {owner}",
                option="name",
                given=new,
                expected=f"a name other than {GIVEN}, last, last-2, ...",
                remedy="choose another name",
            )
        if new != name and target.exists():
            raise ConflictError(
                f"there is a solution {new!r} already",
                option="name",
                given=new,
                remedy="choose another name, or delete that one",
            )
        self._forget(path)
        with failures(path):
            path.rename(target)

    def delete(self, name: str) -> None:
        """Remove a solution; raises NotFoundError, and ConflictError for `last`."""
        path = self._own(name)
        self._forget(path)
        with failures(path), suppress(FileNotFoundError):
            path.unlink()

    def _own(self, name: str) -> Path:
        """The file of a solution of the library itself; raises ConflictError for another."""
        if is_name(name):
            raise ConflictError(
                f"{name} belongs to the command line, which keeps the last ten",
                option="name",
                given=name,
                remedy="`equilibrist last --clear` removes them",
            )
        path = self.path(name)
        if path == self._given:
            raise ConflictError(
                "the server was started with this file, which is not in the library",
                option="name",
                given=name,
            )
        return path

    def close_unused(self, seconds: float) -> int:
        """Close solutions that nobody has asked for in so many seconds.

        Those who play one keep it until they leave.

        Args:
            seconds: How long a solution stays open unused.

        Returns:
            How many were closed.
        """
        before = time.monotonic() - seconds
        with self._lock:
            gone = [
                key
                for key, opened in self._opened.items()
                if opened.used <= before and not opened.lock.locked()
            ]
            for key in gone:
                del self._opened[key]
        return len(gone)

    def take_dropped(self) -> bool:
        """Whether open solutions were deleted, renamed or replaced since this was called last.

        They refer to themselves, and hold memory and the disk space of their files until they are
        collected.
        """
        with self._lock:
            dropped, self._has_dropped = self._has_dropped, False
        return dropped

    def _forget(self, path: Path) -> None:
        with self._lock:
            self._drop(path)

    def _drop(self, path: Path, but: tuple[Path, int, int] | None = None) -> None:
        for key in [key for key in self._opened if key[0] == path and key != but]:
            del self._opened[key]
            self._has_dropped = True

    @contextmanager
    def charts(self, name: str) -> Iterator[Saved]:
        """A file with charts of hands before the flop, for one thread at a time.

        Raises NotFoundError, ConflictError for another solution, and FileFormatError.
        """
        if self.entry(name).kind not in CHARTS:
            raise ConflictError(
                f"{name} has no charts",
                option="name",
                given=name,
                remedy=f"/api/solutions/{name} says what it is",
            )
        opened = self._open(name)
        with opened.lock:
            yield Saved(opened.kind, opened.result)

    @contextmanager
    def opened(self, name: str) -> Iterator[Result[Any]]:
        """A solution, open for one thread at a time; the last few stay open.

        Raises NotFoundError, ConflictError for a file with charts, and FileFormatError for a
        damaged one.
        """
        self._refuse_charts(name)
        opened = self._open(name)
        with opened.lock:  # others open other files meanwhile
            assert opened.result is not None
            yield opened.result

    @contextmanager
    def opened_pair(self, first: str, second: str) -> Iterator[tuple[Result[Any], Result[Any]]]:
        """Two solutions, open for one thread at a time; raises as `opened` does.

        Whoever opens two takes them in one order, so that nobody waits for ever for one that
        somebody else has, who waits for the other.
        """
        places = self.path(first), self.path(second)
        if places[0] == places[1]:
            with self.opened(first) as result:
                yield result, result
        elif places[0] < places[1]:
            with self.opened(first) as result, self.opened(second) as other:
                yield result, other
        else:
            with self.opened(second) as other, self.opened(first) as result:
                yield result, other

    def shared(self, name: str) -> Opened:
        """A solution that stays open for as long as somebody has it, such as those who play it.

        Raises NotFoundError, and FileFormatError for a damaged one.
        """
        return self._open(name)

    def _refuse_charts(self, name: str) -> None:
        from equilibrist.storage.archive import kind_of

        if kind_of(self.path(name)) in CHARTS:
            raise ConflictError(
                f"{name} has charts of hands before the flop",
                option="name",
                given=name,
                remedy=f"/api/solutions/{name}/chart has them",
            )

    def _open(self, name: str) -> Opened:
        path = self.path(name)
        status = path.stat()
        key = (path, status.st_mtime_ns, status.st_size)
        with self._lock:
            opened = self._opened.setdefault(key, Opened(stamp=_stamp_of(status)))
            opened.used = time.monotonic()
            self._opened.move_to_end(key)
            self._drop(path, but=key)  # what was in its place
            while len(self._opened) > self._most:
                self._opened.popitem(last=False)
        with opened.lock:
            if opened.result is None:
                load_engine()
                opened.kind, opened.result = self._read(path)
        return opened

    def _read(self, path: Path) -> Saved:
        """Open a file; raises FileFormatError, which says what a visitor can do."""
        try:
            return open_saved(path)
        except FileFormatError as error:
            with suppress(FileFormatError, LookupError, TypeError):  # of another kind, or damaged
                metadata, _ = open_archive(path, BLUEPRINT)
                cards = Path(header_of(path, metadata)["cards"]["path"])
                self.card_folders.add(cards.parent)
            if error.option == "cards":  # a page takes no file of card buckets
                error.with_remedy(
                    f"put the file of that name with which it was trained into {path.parent}, and "
                    "open the page again"
                )
            raise


def has_card_buckets(entry: Entry) -> bool:
    """Whether a file of the library, which is listed without a kind, has card buckets.

    Args:
        entry: The file.
    """
    from equilibrist.storage.archive import kind_of

    return entry.kind is None and kind_of(entry.path) == CARDS


def file_stamp(path: Path) -> str | None:
    """The stamp that tells a file from one that takes its name later; None without a file.

    Args:
        path: The file.
    """
    try:
        return _stamp_of(path.stat())
    except OSError:
        return None


def _stamp_of(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns:x}-{status.st_size:x}"


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(
        f"there is no solution {name!r}",
        option="name",
        given=name,
        remedy="/api/solutions lists them",
    )
