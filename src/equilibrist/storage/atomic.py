"""Atomic writing of files, and an early check that a file can be written."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from equilibrist.errors import OutputError
from equilibrist.parsing.arguments import file_name

_STALE_SECONDS = 600.0
"""A partial file that is unchanged for this long belongs to a process that died."""


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all; OutputError names what the system refused."""

    def write(file: IO[bytes]) -> None:
        file.write(content)

    write_file(path, write)


def write_file(path: str | os.PathLike[str], write: Callable[[IO[bytes]], None]) -> None:
    """Let `write` fill a file piece by piece, whole or not at all; OutputError as above."""
    write_atomically(resolved(path), write)


def check_folder_of(path: str | os.PathLike[str]) -> None:
    """Raise OutputError now if no file could be made where `path` is; it may itself exist."""
    target = resolved(path)
    with failures(target):
        probe(target)


def not_a_folder(path: Path) -> OutputError:
    """The error for a file where a folder is to be written."""
    return OutputError(
        f"{path} is a file, not a folder",
        path,
        option="folder",
        given="it is a file",
        remedy="give the name of a folder",
    )


def probe(target: Path) -> None:
    """Make a small file beside the target and remove it again."""
    probe = _partial_name(target)
    os.close(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    probe.unlink()


def resolved(path: str | os.PathLike[str]) -> Path:
    """The file behind `path`: links are followed, so that a link stays one."""
    checked = file_name("path", path)
    with failures(checked):
        if "\0" in str(checked):
            raise ValueError("its name contains a null character")
        target = Path(os.path.realpath(checked))
        if target.is_symlink():
            raise ValueError("its links lead in a circle")
        return target


def partial_prefix(target: Path) -> str:
    """The beginning of names of partial files, cut so that they stay below 255 bytes."""
    name = os.fsencode(target.name)[:60].decode("utf-8", "ignore")
    return f".{name}."


def _partial_name(target: Path) -> Path:
    return target.with_name(f"{partial_prefix(target)}{os.getpid()}-{secrets.token_hex(4)}.partial")


def _remove_stale(target: Path) -> None:
    """Remove what writers of this target left behind when they were killed."""
    prefix = partial_prefix(target)
    with contextlib.suppress(OSError):
        for entry in os.scandir(target.parent):
            ours = entry.name.startswith(prefix) and entry.name.endswith(".partial")
            if ours and time.time() - entry.stat().st_mtime > _STALE_SECONDS:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108


def write_atomically(target: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Temporary file beside the target, fsync, rename, fsync of the folder."""
    with failures(target):
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            with target.open("wb") as file:
                write(file)
            return
        _remove_stale(target)
        partial = _partial_name(target)
        try:
            with partial.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                partial.chmod(stat.S_IMODE(target.stat().st_mode))
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


class OwnFile:
    """A file that a run replaces again and again, unless another process wrote it meanwhile.

    Two runs that begin at the same time with one new checkpoint would overwrite each other's. The
    one that comes second stops, and keeps what it has.

    Attributes:
        path: The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = file_name("checkpoint", path)
        self._known = _identity(self.path)

    @contextlib.contextmanager
    def replaced(self) -> Iterator[None]:
        """Around writing the file; raises OutputError where it is not as this run left it."""
        identity = _identity(self.path)
        if identity not in (None, self._known):
            raise OutputError(
                f"another process has written {self.path} since this run began",
                self.path,
                option="checkpoint",
                given=self.path.name,
                remedy="give every run a checkpoint of its own",
            )
        yield
        self._known = _identity(self.path)


def _identity(path: Path) -> tuple[int, int, int] | None:
    """Inode, time and size of a file, which change when it is replaced; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _sync_folder(folder: Path) -> None:
    """Make the rename survive a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def failures(target: Path) -> Iterator[None]:
    """Turn what the system refuses into one OutputError that names the target."""
    try:
        yield
    except FileNotFoundError:
        folder = target.parent
        if folder.is_dir():  # one of the system, as /proc
            raise OutputError(
                f"cannot write {target}: no file can be made in {folder}",
                target,
                option="folder",
                given=folder,
                remedy="choose another folder",
            ) from None
        raise OutputError(
            f"cannot write {target}: the folder {folder} does not exist",
            target,
            option="folder",
            given=folder,
            remedy="create it first",
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror or error if isinstance(error, OSError) else error
        remedy = "choose another name or folder"
        if isinstance(error, PermissionError):
            remedy = "choose a folder that you may write to"
        elif isinstance(error, OSError) and error.errno == errno.ENOSPC:
            remedy = "free some space, or choose another disk"
        raise OutputError(
            f"cannot write {target}: {reason}",
            target,
            option="file",
            given=reason,
            remedy=remedy,
        ) from None
