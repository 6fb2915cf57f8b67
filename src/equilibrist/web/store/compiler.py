"""Loading Numba from several threads.

Each thread must import it whole before it imports a part of it: a thread that begins with
`numba.core` while another imports `numba` gets a module that is not complete.
"""

from __future__ import annotations

import threading
from typing import Final

from starlette.concurrency import run_in_threadpool

_is_loaded: Final = threading.Event()


def load_compiler() -> None:
    """Import Numba, or wait until another thread has; to be called before kernels are imported."""
    import numba  # noqa: F401

    _is_loaded.set()


async def compiler_loaded() -> None:
    """The same for an event loop, which goes on meanwhile."""
    if not _is_loaded.is_set():
        await run_in_threadpool(load_compiler)
