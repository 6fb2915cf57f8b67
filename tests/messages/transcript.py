"""Run `messages.txt`, which shows what users type and the error that each line gives.

A line that begins with `>>> ` is Python (`... ` continues it), one that begins with `$ ` a command
line. Below each stands the error: its class with its fields, then its sentence, indented. A line
without an error below it prepares the next ones. `python -m tests.messages` rewrites the file: it
keeps the lines that users type and puts below them what they give now.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from equilibrist.cli import main
from equilibrist.errors import EquilibristError

FILE = Path(__file__).parent / "messages.txt"
_SECTION = re.compile(r"^# (.+)\n", re.MULTILINE)
_TYPED = (">>> ", "... ", "$ ")
_WALKED = re.compile(r"has over [\d,]+ histories")  # how far a walk got depends on its speed
_STORED = re.compile(r"/[^' ]*/solutions/(\d+-[\w-]+)-[0-9a-f]{8}")
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def sections(text: str) -> dict[str, str]:
    """The text of each section by its name."""
    _, *parts = _SECTION.split(text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def run_section(
    text: str, folder: Path, note: Callable[[EquilibristError], None] = lambda error: None
) -> str:
    """The same section as its lines give it now, run in an empty folder, the working one.

    `note` is told every error.
    """
    scene: dict[str, Any] = {}
    lines: list[str] = []
    for typed in _statements(text):
        error = _outcome(typed, scene)
        if error is not None:
            note(error)
        lines += ["", *typed, *_shown(error, folder)]
    return "\n".join(lines) + "\n\n"


def _statements(text: str) -> Iterator[list[str]]:
    """The typed lines, several where a statement is continued."""
    typed = [line for line in text.splitlines() if line.startswith(_TYPED)]
    for number, line in enumerate(typed):
        if not line.startswith("... "):
            more = typed[number + 1 :]
            yield [line, *takewhile(lambda other: other.startswith("... "), more)]


def _outcome(typed: list[str], scene: dict[str, Any]) -> EquilibristError | None:
    """The error that a statement ends with, or None."""
    if typed[0].startswith("$ "):
        return _command(typed[0].removeprefix("$ equilibrist "))
    code = "\n".join(line[4:] for line in typed)
    try:
        exec(code, scene)
    except EquilibristError as error:
        return error
    return None


def _command(line: str) -> EquilibristError | None:
    errors: list[EquilibristError] = []
    explain = main._explained

    def explained(error: BaseException, words: Any) -> int:
        assert isinstance(error, EquilibristError), error
        errors.append(error)
        return explain(error, words)

    main._explained = explained
    stderr = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(stderr):
            main.run(shlex.split(line))
    finally:
        main._explained = explain
    if not errors:
        return None
    errors[0].args = (stderr.getvalue().rpartition("error: ")[2].rstrip("\n"),)
    return errors[0]


def _shown(error: EquilibristError | None, folder: Path) -> list[str]:
    """An error as the file shows it: without what differs from run to run."""
    if error is None:
        return []
    names = ("option", "given", "expected", "place")
    fields = [
        f"{name}={getattr(error, name)!r}" for name in names if getattr(error, name) is not None
    ]
    text = f"{type(error).__name__}({', '.join(fields)})\n{error}"
    for path in (str(folder), os.path.realpath(folder)):
        text = text.replace(path, "/folder")
    text = _STORED.sub(r"/data/solutions/\1-xxxxxxxx", text)
    text = _WALKED.sub("has over N histories", text)
    head, *sentence = _ADDRESS.sub("0x...", text).rstrip().split("\n")
    return [head, *(f"    {line}".rstrip() for line in sentence)]


def rewritten(text: str, folder: Path) -> str:
    """The whole file as its lines give it now, each section in a folder of its own below."""
    parts = [text[: text.index("# ")]]
    home = Path.cwd()
    for number, (name, section) in enumerate(sections(text).items()):
        own = folder / str(number)
        own.mkdir()
        os.environ["EQUILIBRIST_DATA_DIR"] = str(folder / f"data-{number}")
        os.chdir(own)
        try:
            parts.append(f"# {name}\n{run_section(section, own)}")
        finally:
            os.chdir(home)
    return "".join(parts).rstrip("\n") + "\n"
