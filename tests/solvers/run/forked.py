"""A process that forks while a solver has threads: both processes go on to the same bits."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason=f"{sys.platform} has no fork")

SCRIPT = """
import os, signal, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
{solvers}
several.run(2)
child = os.fork()
signal.alarm(200)  # ends a kernel, too
several.run(3)
same = bits(several) == bits(alone.run(5))
if child:
    same &= os.waitpid(child, 0)[1] == 0
os._exit(not same)
"""


def survives_a_fork(solvers: str) -> bool:
    """Whether parent and child end with the bits of a run by one thread.

    `solvers` is code that makes `several` and `alone`, solvers of several threads and of one, and
    the function `bits` of a solver.
    """
    command = [sys.executable, "-c", SCRIPT.format(solvers=solvers)]
    return subprocess.run(command, timeout=300, check=False).returncode == 0
