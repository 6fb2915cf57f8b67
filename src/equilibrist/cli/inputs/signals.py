"""How a solve responds to signals that end it."""

from __future__ import annotations

import _thread
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equilibrist.cli.text.progress import LiveLine

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


class _TimeIsUpError(KeyboardInterrupt):
    """The time of `--time` is over; it ends all that a KeyboardInterrupt ends."""


@contextmanager
def working(text: str, seconds: float | None = None) -> Iterator[LiveLine]:
    """Around a long computation: a line that counts its seconds, and what ends it early.

    Args:
        text: What is being done; the line begins with it, and more can be said by its `now`.
        seconds: The most seconds that it may take; None for no limit.

    Yields:
        The line.

    Raises:
        EquilibristError: The seconds were over before the end.
        KeyboardInterrupt: Ctrl-C, after a note that there is nothing to show.
    """
    from equilibrist.cli.text.output import note
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.cli.text.quantities import seconds_text
    from equilibrist.errors import EquilibristError

    over = False
    try:
        with _alarm(seconds) as rang, LiveLine(interrupted="") as line:
            line.count_seconds(text)
            yield line
        over = rang.is_set()
    except _TimeIsUpError:
        over = True
    except KeyboardInterrupt:
        note("interrupted before there was anything to show")
        raise
    if over:
        raise EquilibristError(
            f"{text} took longer than {seconds_text(seconds or 0.0)}",
            option="--time",
            given=seconds,
            remedy="give it more time, or take a smaller game",
        )


@contextmanager
def _alarm(seconds: float | None) -> Iterator[threading.Event]:
    """Raise _TimeIsUpError in the main thread after so many seconds; the event says whether."""
    rang = threading.Event()
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield rang
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        rang.set()
        raise _TimeIsUpError

    number = getattr(signal, "SIGALRM", signal.SIGINT)  # Windows has no alarm
    send: Callable[[], None] = partial(_thread.interrupt_main, number)
    if hasattr(signal, "pthread_kill"):  # which also wakes it where it waits for a process
        send = partial(signal.pthread_kill, threading.main_thread().ident or 0, number)
    timer = threading.Timer(max(seconds, 1e-3), send)
    before = signal.signal(number, ring)
    timer.daemon = True
    timer.start()
    try:
        yield rang
    finally:
        timer.cancel()
        signal.signal(number, before)


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
