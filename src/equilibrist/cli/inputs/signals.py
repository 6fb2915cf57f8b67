"""How a solve responds to signals that end it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
"""The exit code of a run that was interrupted."""


@contextmanager
def terminate_like_interrupt() -> Iterator[None]:
    """Let SIGTERM (docker stop, timeout) end the run as Ctrl-C does: with the partial result."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
