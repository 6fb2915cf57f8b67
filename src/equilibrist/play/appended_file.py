"""Files of hands that grow: opened by the first hand, each hand one write to the end."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import Self

from equilibrist.errors import OutputError
from equilibrist.parsing.arguments import file_name


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
            reason = getattr(error, "strerror", None) or error
            raise OutputError(
                f"cannot write the log {self.path}: {reason}",
                self.path,
                option="log",
                given=reason,
            ) from None

    def close(self) -> None:
        """Flush the file to disk and close it; a second call does nothing."""
        if self._file >= 0:
            with suppress(OSError):  # devices and pipes cannot be synchronised
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1
