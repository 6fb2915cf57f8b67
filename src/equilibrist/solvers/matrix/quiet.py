"""Standard output without what HiGHS prints there from C++, whatever its options say."""

from __future__ import annotations

import contextlib
import ctypes
import os
import tempfile
import threading
from collections.abc import Iterator
from typing import IO, Final

_STDOUT: Final = 1
_PREFIX: Final = b"Highs"
"""What the lines of HiGHS begin with: the names of its classes."""


class _Capture:
    """File descriptor 1, which threads that solve at the same time share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.real = -1
        self.held: IO[bytes] | None = None

    def enter(self) -> None:
        with self.lock:
            self.users += 1
            if self.users > 1:
                return
            try:
                self.real = os.dup(_STDOUT)
            except OSError:  # there is no standard output
                return
            self.held = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `leave`
            os.dup2(self.held.fileno(), _STDOUT)

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users or self.held is None:
                return
            with contextlib.suppress(Exception):  # no C library to ask: what it holds comes later
                ctypes.CDLL(None).fflush(None)
            os.dup2(self.real, _STDOUT)
            os.close(self.real)
            with self.held as held:
                held.seek(0)
                kept = [line for line in held if not line.startswith(_PREFIX)]
            self.held = None
            for line in kept:  # of other threads
                _write(line)


def _write(text: bytes) -> None:
    while text:
        text = text[os.write(_STDOUT, text) :]


_CAPTURE: Final = _Capture()


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep from standard output what HiGHS prints inside; what others print there comes later."""
    _CAPTURE.enter()
    try:
        yield
    finally:
        _CAPTURE.leave()
