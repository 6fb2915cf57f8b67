"""`python -m equilibrist` is the command `equilibrist`; both begin and end here."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

OBJECTS_BETWEEN_COLLECTIONS = 300_000
"""More than a short command makes in all, nearly all of them while modules are imported, and these
stay: looking for garbage among them took a sixth of the command."""


def main() -> None:
    """Run the command line of this process; Ctrl-C shows no traceback while it is still loading."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    try:
        from equilibrist.cli.main import run
    except KeyboardInterrupt:
        sys.exit(130)
    _end(run(sys.argv[1:]))


def _end(code: int) -> NoReturn:
    """End the process as the interpreter does, but without taking objects apart one by one.

    Threads are waited for, handlers of `atexit` run, streams are flushed. To free what Numba and
    LLVM hold took a sixth of a short command.
    """
    if _is_observed():
        sys.exit(code)
    shut_down: Any = vars(threading)["_shutdown"]
    shut_down()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _is_observed() -> bool:
    """Whether a profiler, a debugger or a prompt still has work to do once the command ends."""
    monitoring = getattr(sys, "monitoring", None)
    watching = monitoring is not None and any(map(monitoring.get_tool, range(6)))
    return bool(watching or sys.flags.inspect or sys.gettrace() or sys.getprofile())


if __name__ == "__main__":
    main()
