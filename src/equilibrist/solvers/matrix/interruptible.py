"""Native code that Ctrl-C can interrupt: Python handles signals between its own steps alone."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_TICK: Final = 0.1
"""Seconds between two looks at signals, where waiting for a thread holds them up (Windows)."""


def interruptible(call: Callable[P, R], /, *arguments: P.args, **keywords: P.kwargs) -> R:
    """Call a function that holds up signals, such as HiGHS, from a thread of its own.

    The main thread, which gets the signals, waits for that thread, so that signal handlers run. If
    one of them raises, the function computes on and its result is dropped; the process may end
    before it (`end_at_once`).

    Args:
        call: The function; it releases the interpreter's lock while it computes.
        arguments: Its arguments.
        keywords: Its keywords.

    Returns:
        What it returns; what it raises is raised.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments, **keywords)
    returned: list[R] = []
    raised: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            returned.append(call(*arguments, **keywords))
        except BaseException as error:
            raised.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=run, name="native code", daemon=True)
    try:
        thread.start()
        while not done.wait(_TICK):
            pass
    except BaseException:
        _left_behind.append(thread)
        raise
    if raised:
        raise raised[0]
    return returned[0]


_left_behind: list[threading.Thread] = []


def computes_on() -> bool:
    """Whether a call is still running whose caller was interrupted."""
    return any(thread.is_alive() for thread in _left_behind)


@atexit.register
def end_at_once() -> None:
    """End the process if native code still computes: freeing its memory would abort it."""
    if computes_on():
        error = getattr(sys, "last_value", None)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(0 if error is None else 130 if isinstance(error, KeyboardInterrupt) else 1)
