"""How a solve responds to signals that end it."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from shlex import quote
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Final

import typer

from equilibrist.cli.inputs import start_time

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.solvers.run.stopping import StopReason

INTERRUPTED = 130
"""The exit code of a run that was interrupted."""
_GRACE: Final = 2.0
"""Seconds that computations have to answer the end of `--time`, or `_GRACE_SHARE` of it."""
_GRACE_SHARE: Final = 0.1
_AGAIN: Final = 0.01
"""Seconds until a signal is sent again; compiled code should have returned by then."""


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
            note(f"stopped at once; the run is in {name}: resume it with --resume {quote(name)}")
        raise


class _TimeIsUpError(KeyboardInterrupt):
    """The time of `--time` is over; it ends all that a KeyboardInterrupt ends."""


class TimeLimit:
    """The limit of `--time` of one command, and what the command is doing.

    Attributes:
        seconds: The most seconds from the start of the command; None for no limit.
        is_over: Whether they have passed.
        doing: What the command does at present, in words.
        counts: Whether there still is something to end.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.is_over = False
        self.counts = True
        self.doing = "reading the game"

    @contextmanager
    def working(self, text: str) -> Iterator[LiveLine]:
        """Around a long computation: a line that counts its seconds.

        Args:
            text: What is being done; the line begins with it, and more can be said by its `now`.

        Yields:
            The line.
        """
        from equilibrist.cli.text.progress import LiveLine

        self.doing = text
        with LiveLine(interrupted="") as line:
            line.count_seconds(text)
            yield line

    def stopped_by(self, *, interrupted: bool) -> StopReason | None:
        """Name what cut a computation short, of which there is a partial result.

        Args:
            interrupted: Whether it answered a KeyboardInterrupt by what it had found so far.

        Returns:
            The reason; None for a computation that came to its end.
        """
        if not interrupted:
            return None
        return "seconds" if self.is_over else "interrupted"


@contextmanager
def limited(
    seconds: float | None,
    remedy: str = "give it more time, or take a smaller game",
    *,
    keeps_partial: bool = False,
    patient: bool = False,
) -> Iterator[TimeLimit]:
    """Around all that a command reads and computes: what ends it early.

    When the seconds are over, a KeyboardInterrupt is raised inside, which computations may answer
    by what they have found so far, as they answer Ctrl-C. Two seconds later, or a tenth of the
    limit, the command ends in any case.

    Args:
        seconds: The most seconds from the start of the command (`STARTED`); None for no limit.
        remedy: What to do where they were over before there was a result.
        keeps_partial: Whether the result says that it was cut short; else none counts that comes
            after the seconds are over.
        patient: Whether such a result is waited for, however long it takes.

    Yields:
        The limit.

    Raises:
        EquilibristError: The seconds were over before there was a result.
        KeyboardInterrupt: Ctrl-C, after a note that there is nothing to show.
    """
    from equilibrist.cli.text.progress import note_interrupt
    from equilibrist.errors import EquilibristError
    from equilibrist.formatting.amounts import seconds_text

    limit = TimeLimit(seconds)
    try:
        with _alarm(limit, patient=patient):
            yield limit
        if keeps_partial or not limit.is_over:
            return
    except _TimeIsUpError:
        pass
    except KeyboardInterrupt as error:
        if not limit.is_over:
            note_interrupt(error, "interrupted before there was anything to show")
            raise
    raise EquilibristError(
        f"the command took longer than {seconds_text(seconds or 0.0)}, and has no result to show "
        f"({limit.doing})",
        option="--time",
        given=seconds,
        remedy=remedy,
    )


@contextmanager
def _alarm(limit: TimeLimit, *, patient: bool) -> Iterator[None]:
    """Interrupt the main thread when a limit is over, and again for as long as it goes on."""
    if limit.seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if not limit.counts:  # the signal was on its way when the work ended
            return
        limit.is_over = True
        if callable(handler) and handler is not signal.default_int_handler:
            handler(number, frame)  # of a run that ends after its present iteration
        else:
            raise _TimeIsUpError

    number: int | None = getattr(signal, "SIGALRM", None)  # Windows has no alarm
    send = _sends(number)
    ended = threading.Event()

    def wait(pauses: Iterable[float]) -> None:
        for seconds in pauses:
            if ended.wait(seconds):
                return
            limit.is_over = True
            send()

    remaining = limit.seconds - (time.perf_counter() - start_time.STARTED)
    if remaining <= 0.0:
        limit.is_over = True
        raise _TimeIsUpError
    grace = max(_GRACE, _GRACE_SHARE * limit.seconds)
    before = None if number is None else signal.signal(number, ring)
    # On a busy machine two signals may reach the thread as one, so the second is not the last.
    pauses = (remaining,) if patient else chain((remaining,), repeat(grace))
    waiting = threading.Thread(target=wait, args=(pauses,), daemon=True)
    try:
        try:
            with _sent_again(_TimeIsUpError, send):
                waiting.start()  # the time may be over before this returns
                yield
        finally:
            limit.counts = False
    finally:  # also where the time was over a moment before that
        limit.counts = False
        ended.set()
        if waiting.ident is not None:  # it was started
            waiting.join()
        if number is not None:
            signal.signal(number, before)


def _sends(number: int | None) -> Callable[[], None]:
    """What sends a signal to the main thread, and wakes it where it waits for a lock or a process.

    Args:
        number: The signal; None for the interrupt of a system that has no such signal.
    """
    if number is None or not hasattr(signal, "pthread_kill"):  # Windows
        return _thread.interrupt_main
    return partial(signal.pthread_kill, threading.main_thread().ident or 0, number)


def _is_in(code: CodeType) -> bool:
    """Whether the main thread is in a function at present, or in what it calls."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


@contextmanager
def _sent_again(kind: type[KeyboardInterrupt], send: Callable[[], None]) -> Iterator[None]:
    """Send a signal again whose exception was lost in a function that compiled code calls.

    Python drops what is raised there, as while Numba compiles, and tells `sys.unraisablehook`.

    Args:
        kind: The very class of the exception.
        send: Sends the signal.
    """
    ended = threading.Event()
    threads: list[threading.Thread] = []

    def again() -> None:
        while not ended.wait(_AGAIN):
            if not _is_in(hook.__code__):  # what is raised inside the hook is lost as well
                send()
                return

    def hook(lost: UnraisableHookArgs) -> None:
        if lost.exc_type is not kind:
            before(lost)
            return
        threads.append(threading.Thread(target=again, daemon=True))
        threads[-1].start()

    before = sys.unraisablehook
    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
        ended.set()
        for thread in threads:
            thread.join()


def end_cut_short(
    stopped_by: StopReason | None, seconds: float | None, what: str, *, json: bool
) -> None:
    """Mark a partial result that has been shown, and end the command if Ctrl-C did.

    Args:
        stopped_by: What ended the computation early, if anything.
        seconds: The limit of `--time`.
        what: What the result does not say, such as "there may be more".
        json: Whether the result is a document, which has the mark.

    Raises:
        typer.Exit: With code 130, after Ctrl-C.
    """
    from equilibrist.cli.text.output import show
    from equilibrist.formatting.amounts import seconds_text

    if stopped_by is None:
        return
    if not json:
        by = f"--time {seconds_text(seconds)}" if stopped_by == "seconds" and seconds else "Ctrl-C"
        show()
        show(f"Cut short by {by}: {what}.")
    if stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


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
        with _sent_again(KeyboardInterrupt, _sends(signal.SIGINT)):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
