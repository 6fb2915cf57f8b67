"""Ctrl-C during a run: noted and acted on between two iterations."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


@dataclass
class Interrupt:
    """Whether Ctrl-C was pressed."""

    requested: bool = False


@contextmanager
def noted_interrupts() -> Iterator[Interrupt]:
    """Note Ctrl-C instead of raising, so that no state is left half updated.

    A second Ctrl-C raises KeyboardInterrupt as usual. Changes nothing outside the main thread,
    or where the program handles (or ignores) the signal itself.
    """
    interrupt = Interrupt()
    ordinary = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or not ordinary:
        yield interrupt
        return

    def note(_number: int, _frame: FrameType | None) -> None:
        interrupt.requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
