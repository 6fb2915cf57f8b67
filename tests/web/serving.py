"""A server in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import PROGRAM


@contextmanager
def served(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server as a process, and its address."""
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--no-browser", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "EQUILIBRIST_DATA_DIR": str(folder)},
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield process, address[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
