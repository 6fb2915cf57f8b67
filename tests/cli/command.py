"""Run the command line as a user types it: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from unittest.mock import patch

import pytest

from equilibrist.cli import main
from equilibrist.cli.inputs import start_time
from equilibrist.cli.main import _USAGE_ERRORS
from equilibrist.errors import EquilibristError
from tests.refusals import check_error

PROGRAM = [sys.executable, "-m", "equilibrist"]
IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str
    error: Any = None
    """What ended it, where it ran in this process."""

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def imported(self) -> set[str]:
        """The modules that it imported, where `IMPORTS` was in its environment."""
        rows = [line for line in self.err.splitlines() if line.startswith("import time:")]
        assert rows
        return {row.rpartition("|")[2].strip() for row in rows}

    def ok(self) -> Ran:
        """Itself, if it succeeded."""
        assert self.code == 0, self.err
        return self

    def refused(self, kind: type[EquilibristError], /, **fields: object) -> Ran:
        """Itself, if it ended with one clear error of ours, which has these fields."""
        self.one_error()
        check_error(self.error, kind, **fields)
        return self

    def misused(self, word: str) -> Ran:
        """Itself, if Typer did not understand the command line, and names this word of it."""
        self.one_error()
        assert isinstance(self.error, _USAGE_ERRORS)
        assert word in self.err
        return self

    def one_error(self) -> Ran:
        """Itself, if it ended with one clear error: code 2, nothing else on the way."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.err.count("error:") == 1
        assert "Traceback" not in self.err
        assert "equilibrist/src" not in self.err
        assert self.out == ""
        return self


class Shell:
    """Types command lines into this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, line: str) -> Ran:
        self.capture.readouterr()
        with (
            patch.object(main, "_explained", wraps=main._explained) as explained,
            patch.object(start_time, "STARTED", perf_counter()),  # not that of this process
        ):
            code = main.run(shlex.split(line))
        out, err = self.capture.readouterr()
        return Ran(code, out, err, explained.call_args[0][0] if explained.called else None)


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
