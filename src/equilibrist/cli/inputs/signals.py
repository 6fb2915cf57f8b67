"""How a solve responds to signals that end it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

INTERRUPTED = 130
"""The exit code of a run that was interrupted."""


@contextmanager
def resumable(checkpoint: str | os.PathLike[str] | None) -> Iterator[None]:
    """Around a run and its report: on a second Ctrl-C, say where the run is, if it was saved.

    The first ends a run with its partial result; the second ends the command at once.
    """
    from equilibrist.cli.text.output import note

    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None or not Path(checkpoint).exists():
            note("interrupted before there was anything to show")
        else:
            name = os.fspath(checkpoint)
            note(f"stopped at once; the run is in {name}: resume it with --resume {name}")
        raise


@contextmanager
def terminate_like_interrupt() -> Iterator[None]:
    """Let SIGTERM (docker stop, timeout) end the run as Ctrl-C does: with the partial result.

    SIGHUP (a closed terminal) does the same, unless it is ignored, as under `nohup`.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    numbers = [signal.SIGTERM]
    hang_up = getattr(signal, "SIGHUP", None)  # Windows has none
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        numbers.append(hang_up)
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
