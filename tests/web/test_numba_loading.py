"""Numba is loaded by several threads at once: the first request must not meet half of it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import threading, time
from equilibrist.web.numba_loading import load_engine

failures = []

def use(number):
    time.sleep(0.04 * number)  # so that some begin while the first is in the middle
    try:
        load_engine()
        from numba.core import types
        assert types.boolean
    except BaseException as error:
        failures.append(repr(error))

threads = [threading.Thread(target=use, args=(number,)) for number in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
"""


def test_threads_that_load_kernels_together_all_get_them() -> None:
    subprocess.run([sys.executable, "-c", CODE], check=True, timeout=120)
