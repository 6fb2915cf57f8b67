"""The compiler of the kernels, loaded by one thread at a time.

Modules of a package that import each other in a circle break where two threads begin to import
them: one of them finds a module half made. Numba is such a package.
"""

from __future__ import annotations

import threading
from typing import Final

from starlette.concurrency import run_in_threadpool

_LOADING: Final = threading.Lock()
_IS_LOADED: Final = threading.Event()


def load_engine() -> None:
    """Load Numba, which takes a second; call it in a thread, before anything that needs kernels."""
    with _LOADING:
        import numba  # noqa: F401
    _IS_LOADED.set()


async def engine_loaded() -> None:
    """Wait until Numba is loaded, without holding up the event loop."""
    if not _IS_LOADED.is_set():
        await run_in_threadpool(load_engine)
