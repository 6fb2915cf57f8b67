"""Files of hands that grow: opened by the first hand, each hand one write to the end."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from equilibrist.errors import OutputError
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.plain_file import cannot_read

LINES: Final = ("", ".jsonl", ".ndjson", ".json", ".log", ".txt")
"""Suffixes of files of JSON lines."""


class WholeLines(NamedTuple):
    """What a file of lines holds, of which a crash may have left the last one unfinished.

    Attributes:
        lines: The lines that are whole.
        size: Bytes up to the end of the last whole line.
        rest: What stands behind them.
    """

    lines: tuple[str, ...]
    size: int
    rest: bytes

    @classmethod
    def read(cls, path: Path, option: str) -> WholeLines:
        """Read a file; nothing is written.

        Args:
            path: The file; one that does not exist has no lines.
            option: The option that names it.

        Returns:
            Its lines.

        Raises:
            FileFormatError: It cannot be read, or its whole lines are not UTF-8.
        """
        if not path.is_file():  # a device has none either
            return cls((), 0, b"")
        try:
            content = path.read_bytes()
            size = content.rfind(b"\n") + 1  # before decoding: the rest may end within a letter
            lines = content[:size].decode("utf-8-sig").splitlines()
        except (OSError, ValueError) as error:
            raise cannot_read(path, error, option) from None
        return cls(tuple(lines), size, content[size:])

    def cut(self, path: Path) -> None:
        """Cut off the rest, of a file that was recognised.

        Args:
            path: The file.

        Raises:
            OutputError: It cannot be written.
        """
        if self.rest:
            try:
                os.truncate(path, self.size)
            except OSError as error:
                raise _cannot_write(path, error) from None


class AppendedFile:
    """A file that texts are added to; a context manager.

    Every text is one write to the end of the file: what was written survives a crash. A file that
    does not exist is made by the first text.

    Args:
        path: The file.

    Raises:
        ConfigError: If `path` is no name of a file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Name the file; the class describes the argument."""
        self.path = file_name("log", path)
        self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def append(self, text: str) -> None:
        """Write a text to the end of the file.

        Args:
            text: The text.

        Raises:
            OutputError: If it cannot be written.
        """
        data = text.encode()
        try:
            if self._file < 0:
                # Windows ends lines in its own way unless it is told not to.
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self._file = os.open(self.path, flags, 0o666)
            while data:
                data = data[os.write(self._file, data) :]
        except (OSError, ValueError) as error:
            raise _cannot_write(self.path, error) from None

    def close(self) -> None:
        """Flush the file to disk and close it; a second call does nothing."""
        if self._file >= 0:
            with suppress(OSError):  # devices and pipes cannot be synchronised
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1


def _cannot_write(path: Path, error: Exception) -> OutputError:
    reason = getattr(error, "strerror", None) or error
    return OutputError(f"cannot write the log {path}: {reason}", path, option="log", given=reason)
