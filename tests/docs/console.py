"""The commands of `console` blocks: read from a page, and run as the program runs them.

A command runs in this process, with streams, arguments and environment of its own. A few run in
processes of their own, to see that it makes no difference: those that read a pipe in the README and
in the chapter on playing, and those of the page on installing.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

from equilibrist.cli.main import run
from equilibrist.cli.text import progress
from tests.docs.markdown import ROOT, Block

PROGRAM = [sys.executable, "-m", "equilibrist"]
SETTINGS = {"COLUMNS": "100"}
INSTALLING = ROOT / "docs" / "install.md"
PIPED = (ROOT / "README.md", ROOT / "docs" / "play.md")
"""Pages whose commands read real pipes."""


@dataclass(frozen=True)
class Command:
    """One command line of a page, what it reads, and what the page says it prints."""

    place: str
    line: str
    typed: str
    arguments: list[str]
    expected: str
    own_process: bool

    def run(self) -> str:
        """What it prints, as on a terminal: standard output and standard error in their order.

        It must end with code 0.
        """
        code, shown = self._spawned() if self.own_process else self._called()
        assert code == 0, f"{self.place}: {self.line}\n{shown}"
        return shown

    def _spawned(self) -> tuple[int, str]:
        done = subprocess.run(
            [*PROGRAM, *self.arguments],
            input=self.typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **SETTINGS, "PYTHONUNBUFFERED": "1"},
        )
        return done.returncode, done.stdout

    def _called(self) -> tuple[int, str]:
        typed, shown = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
        typed.write(self.typed)
        typed.seek(0)
        with (
            # No time passes, so that a slow machine says nothing more.
            patch.object(progress, "monotonic", lambda: 0.0),
            patch.dict(os.environ, SETTINGS),
            patch.object(sys, "stdin", typed),
            contextlib.redirect_stdout(shown),
            contextlib.redirect_stderr(shown),
        ):
            code = run(self.arguments)
        shown.seek(0)
        return code, shown.read()


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block, in order."""
    for line, expected in steps(block):
        before, pipe, rest = line.rpartition(" | ")
        program, *arguments = shlex.split(rest)
        assert program == "equilibrist", f"{block.place}: only equilibrist is run: {line}"
        own_process = (bool(pipe) and block.path in PIPED) or block.path == INSTALLING
        yield Command(block.place, line, _typed(before, block), arguments, expected, own_process)


def steps(block: Block) -> list[tuple[str, str]]:
    """(command line, printed text) pairs; a line ending in a backslash goes on in the next."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0][:-1] + line.strip(), "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line + "\n")
        else:
            raise ValueError(f"{block.place}: a console block starts with a command")
    return found


def _typed(command: str, block: Block) -> str:
    """What `printf '...'` would print; nothing for no command."""
    if not command:
        return ""
    program, text = shlex.split(command)
    assert program == "printf", f"{block.place}: only printf may stand before a pipe: {command}"
    return text.replace("\\n", "\n")
