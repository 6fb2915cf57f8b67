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
INTERRUPTED = 130
USER_MODULES = "_equilibrist_"
"""How the names of modules begin that `parsing.user_code` and `rules.sources` make of files."""


def main() -> None:
    """Run the command line of this process; Ctrl-C shows no traceback while it is still loading."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    try:
        from equilibrist.cli.main import run
    except KeyboardInterrupt:
        sys.stderr.write("interrupted while the program was loading\n")
        _exit(INTERRUPTED)
    _end(run(sys.argv[1:]))


def _end(code: int) -> NoReturn:
    """End the process; after success without freeing objects one by one.

    Threads are waited for, handlers of `atexit` run, streams are flushed. To free what Numba and
    LLVM hold took a sixth of a short command. The interpreter does it where objects may be of the
    user: files that they left open are written, and temporary ones removed, when they are freed.
    It must not where native code still computes after Ctrl-C, whose memory it would free.
    """
    native = sys.modules.get("equilibrist.solvers.matrix.interruptible")
    is_computing = native is not None and native.computes_on()
    if not is_computing and (code or _is_observed() or _has_run_files()):
        _exit(code)
    if native is not None:
        atexit.unregister(native.end_at_once)  # it would end the process before other handlers
    shut_down: Any = vars(threading)["_shutdown"]
    for finish in (shut_down, atexit._run_exitfuncs):
        try:
            finish()
        except KeyboardInterrupt:
            code = INTERRUPTED
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _exit(code: int) -> NoReturn:
    """End the process with an exit code, also after Ctrl-C inside of `exec`.

    Python would then end by the signal, whatever was made of the KeyboardInterrupt, unless it runs
    another text.
    """
    exec("")  # noqa: S102
    sys.exit(code)


def _has_run_files() -> bool:
    """Whether files of Python were run: rules, variants, samplers."""
    return any(name.startswith(USER_MODULES) for name in sys.modules)


def _is_observed() -> bool:
    """Whether a profiler, a debugger or a prompt still has work to do once the command ends."""
    monitoring = getattr(sys, "monitoring", None)
    watching = monitoring is not None and any(map(monitoring.get_tool, range(6)))
    return bool(watching or sys.flags.inspect or sys.gettrace() or sys.getprofile())


if __name__ == "__main__":
    main()
