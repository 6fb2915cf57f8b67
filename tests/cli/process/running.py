"""Processes of the command that run until a test ends them."""

from __future__ import annotations

import os
import subprocess
from typing import AnyStr

from tests.cli.command import PROGRAM


def start(line: str) -> subprocess.Popen[str]:
    """Start a solve and wait until it iterates."""
    process = subprocess.Popen(
        [*PROGRAM, *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    for text in process.stderr:
        if text.startswith("iteration "):
            break
    return process


def ended(process: subprocess.Popen[AnyStr]) -> tuple[AnyStr, AnyStr]:
    """Both streams to their end; a process that does not end is killed."""
    try:
        return process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
