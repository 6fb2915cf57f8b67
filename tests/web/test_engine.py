"""Loading what solves: threads that begin at the same time do not meet half of a package."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import importlib, threading
from equilibrist.web.engine import load_engine

failures, start = [], threading.Barrier(4)

def load(name):
    start.wait()
    try:
        load_engine()
        importlib.import_module(name)
    except Exception as error:
        failures.append(error)

names = ("numba", "numba.extending", "numba.core.types", "numba.typed")
threads = [threading.Thread(target=load, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
"""


def test_threads_load_numba_one_at_a_time() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=120)
