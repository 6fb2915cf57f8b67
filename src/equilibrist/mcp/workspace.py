"""The folder of a server: files that tools may name, and the services of the browser on it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.library.listing import Entry
from equilibrist.library.names import SUFFIX, is_name
from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import looks_like_file, missing_file
from equilibrist.web.errors import ForbiddenError, NotFoundError
from equilibrist.web.services import Services
from equilibrist.web.settings import Limits, Settings
from equilibrist.web.store.folders import DataFolders, own_files
from equilibrist.web.store.library import Library

DATA = ".equilibrist"
"""The folder in the folder of a server in which it writes."""
_MOST_FILES = 2000
"""Files that a list of solutions looks at."""


class FolderLibrary(Library):
    """Solutions by name: those of the library, and files of the folder by their paths in it.

    Solutions of the command line, `last` and others, lie elsewhere, and are not among them.

    Args:
        folder: The folder of the server.
        library: Where solutions of jobs lie.
        most_open: How many stay open.
    """

    def __init__(self, folder: Path, library: Path, most_open: int) -> None:
        super().__init__(library, most_open)
        self._root = folder

    def path(self, name: str) -> Path:
        """The file of a solution.

        Args:
            name: Its name in the library, or the path of a file in the folder.

        Raises:
            NotFoundError: There is no such solution.
            ForbiddenError: The path leads out of the folder.
        """
        if not is_name(name):
            try:
                return super().path(name)
            except NotFoundError:
                path = path_in(self._root, name, "solution")
                if path.is_file():
                    return path
        raise NotFoundError(
            f"there is no solution {name!r}",
            option="solution",
            given=name,
            remedy="`list_solutions` lists them",
        )

    def entries(self) -> list[Entry]:
        """The solutions of the library and in the folder, the newest first."""
        own = [(path.name.removesuffix(SUFFIX), path) for path in own_files(self.folder, SUFFIX)]
        entry_in = self.index.entry
        found = [entry for name, path in own if (entry := entry_in(name, path)) is not None]
        for path in _files(self._root):
            if kind_of(path) is not None:
                entry = entry_in(str(path.relative_to(self._root)), path)
                if entry is not None and entry.kind is not None:
                    found.append(entry)
        return sorted(found, key=lambda entry: entry.saved, reverse=True)


@dataclass
class Workspace:
    """A folder, and the services on it.

    Attributes:
        folder: The folder; whatever tools name lies in it.
        services: The library, jobs and limits.
        reviews: Reviews of hands by their ids, those that run and those that have ended.
    """

    folder: Path
    services: Services
    reviews: dict[str, Any] = field(default_factory=dict)
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    @classmethod
    @contextmanager
    def held(cls, folder: Path, limits: Limits | None = None) -> Iterator[Workspace]:
        """Open a folder for one server.

        Args:
            folder: The folder.
            limits: How much it takes on.

        Yields:
            The folder with its services.

        Raises:
            ConfigError: There is no such folder, or another server has it.
            OutputError: Nothing can be written in it.
        """
        root = folder.expanduser().resolve()
        if not root.is_dir():
            raise ConfigError(
                f"{folder} is not a folder",
                option="folder",
                given=folder,
                remedy="make it first, or give another one",
            )
        limits = limits or Limits()
        folders = DataFolders(root / DATA)
        with _held(folders):
            settings = Settings(data=folders.root, limits=limits)
            library = FolderLibrary(root, folders.library, limits.open_solutions)
            yield cls(root, Services.of(settings, library))

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that the call which asks for it does not wait for.

        Args:
            work: What to do.
        """
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End what runs: reviews with the hands so far, solves saved."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for review in self.reviews.values():
            await review.end()
        await self.services.jobs.close()

    def path(self, text: str, option: str) -> Path:
        """The file that a tool names.

        Args:
            text: Its path in the folder.
            option: What names it, for errors.

        Raises:
            ForbiddenError: It leads out of the folder.
            FileFormatError: There is no such file.
        """
        path = path_in(self.folder, text, option)
        if not path.is_file():
            raise missing_file(Path(text))
        return path

    def solution_or_file(self, text: str, option: str) -> Path:
        """The file of a solution of the library, or else a file of the folder.

        Args:
            text: The name of the solution, or the path of the file in the folder.
            option: What names it, for errors.

        Raises:
            ForbiddenError: It leads out of the folder.
            FileFormatError: There is no such file.
            NotFoundError: It is no name of a file, and there is no such solution.
        """
        try:
            return self.services.library.path(text)
        except NotFoundError:
            path = path_in(self.folder, text, option)
            if path.is_file():
                return path
            if looks_like_file(text):
                raise missing_file(Path(text)) from None
            raise

    def shown(self, path: Path) -> str:
        """A file as tools name it: by its path in the folder."""
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else path.name


@contextmanager
def _held(folders: DataFolders) -> Iterator[None]:
    """Hold the data folder; ConfigError that says what to do where another server has it."""
    try:
        with folders.held():
            yield
    except ConfigError as error:
        if error.option != "data":
            raise
        raise ConfigError(
            f"another server has the folder {folders.root.parent}",
            option="folder",
            given=folders.root.parent,
            expected="a folder of one server",
            remedy="end that one, or give this one another --folder",
        ) from None


def path_in(folder: Path, text: str, option: str) -> Path:
    """The path of a file in a folder, whether it is there or not.

    Args:
        folder: The folder.
        text: The path, relative to it or absolute.
        option: What names it, for errors.

    Raises:
        ForbiddenError: It leads out of the folder.
    """
    try:
        path = (folder / text).resolve()
    except (OSError, ValueError, RuntimeError):
        raise FileFormatError(
            f"{text[:120]!r} is not the name of a file",
            Path(text[:120]),
            option=option,
            given=text[:120],
        ) from None
    if not path.is_relative_to(folder):
        raise ForbiddenError(
            f"{text!r} leads out of the folder of the server",
            option=option,
            given=text,
            expected=f"a file in {folder}",
            remedy="copy the file there, or start `equilibrist mcp` with another --folder",
        )
    return path


def _files(folder: Path) -> Iterator[Path]:
    """Some files that may be solutions, without those in hidden folders."""
    count = 0
    for suffix in (".safetensors", ".spot"):
        for path in sorted(folder.rglob(f"*{suffix}")):
            hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
            if hidden or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > _MOST_FILES:
                return
            yield path
