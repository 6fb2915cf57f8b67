"""Run the command line as a user types it: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from equilibrist.cli.main import run

PROGRAM = [sys.executable, "-m", "equilibrist"]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    def ok(self) -> Ran:
        """Itself, if it succeeded."""
        assert self.code == 0, self.err
        return self

    def refused(self, *fragments: str) -> Ran:
        """Itself, if it ended with one clear error: code 2, nothing else on the way."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.err.count("error:") == 1
        assert "Traceback" not in self.err
        assert "equilibrist/src" not in self.err
        assert self.out == ""
        for fragment in fragments:
            assert fragment in self.err
        return self


class Shell:
    """Types command lines into this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, line: str) -> Ran:
        self.capture.readouterr()
        code = run(shlex.split(line))
        out, err = self.capture.readouterr()
        return Ran(code, out, err)


def spawn(line: str, **options: Any) -> Ran:
    """The same in a process of its own; stdout and stderr apart."""
    done = subprocess.run(
        [*PROGRAM, *shlex.split(line)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, **options.pop("env", {})},
        **options,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
