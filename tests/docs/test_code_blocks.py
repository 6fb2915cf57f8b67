"""Every code block of README.md and docs/ runs, and prints what the page says it prints.

- `python` blocks of one page share one namespace and one empty working folder. A block with
  `title="rules.py"` is also written to that file, so that later blocks and commands find it.
- a `text` block with a title is written to that file.
- an `output` block right after a `python` block is what the latter prints.
- in `console` blocks the lines `$ equilibrist ...` are run and must end with exit code 0; lines
  below a command are what it prints (standard output, then standard error). Before it may stand
  `printf '...' | `, which is what it reads.
In printed text `...` stands for anything; alone on a line it stands for any number of lines.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, Block, blocks, pages

COMMAND = [sys.executable, "-m", "equilibrist"]
PAGES = [p for p in pages() if any(b.language in {"python", "console"} for b in blocks(p))]


def matches(expected: str, printed: str) -> bool:
    """Whether `printed` is `expected`, but for the dots and for blanks at the ends of lines."""
    pattern = ""
    for line in expected.strip().splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"\n"
    tidy = "".join(line.rstrip() + "\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, tidy) is not None


def run_python(block: Block, namespace: dict[str, object]) -> str:
    if block.title:
        Path(block.title).write_text(block.text, "utf-8")
    # Blank lines in front make a traceback name the line of the page.
    code = compile("\n" * (block.line - 1) + block.text, str(block.path), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def console_steps(block: Block) -> list[tuple[str, str]]:
    """(command, printed text) pairs of a console block; a line ending in a backslash goes on."""
    steps: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], ""))
        elif steps and steps[-1][0].endswith("\\"):
            steps[-1] = (steps[-1][0][:-1] + line.strip(), "")
        elif steps:
            steps[-1] = (steps[-1][0], steps[-1][1] + line + "\n")
        else:
            raise ValueError(f"{block.place}: a console block starts with a command")
    return steps


def typed_text(command: str, block: Block) -> str:
    """What `printf '...'` would print; nothing for no command."""
    if not command:
        return ""
    program, text = shlex.split(command)
    assert program == "printf", f"{block.place}: only printf may stand before a pipe: {command}"
    return text.replace("\\n", "\n")


def run_console(block: Block) -> None:
    for command, expected in console_steps(block):
        typed, _, rest = command.rpartition(" | ")
        program, *arguments = shlex.split(rest)
        assert program == "equilibrist", f"{block.place}: only equilibrist is run: {command}"
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=typed_text(typed, block),
            capture_output=True,
            text=True,
            env={**os.environ, "COLUMNS": "100"},
        )
        assert done.returncode == 0, f"{block.place}: {command}\n{done.stderr}"
        if expected.strip():
            printed = done.stdout + done.stderr
            assert matches(expected, printed), f"{block.place}: {command} printed\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("__page__")
    monkeypatch.setitem(sys.modules, "__page__", module)
    printed: str | None = None
    for block in blocks(page):
        if block.language == "text" and block.title:
            Path(block.title).write_text(block.text, "utf-8")
        if block.language == "python":
            printed = run_python(block, vars(module))
            continue
        if block.language == "output":
            assert printed is not None, f"{block.place}: no python block right before"
            assert matches(block.text, printed), f"{block.place}: it printed\n{printed}"
        elif block.language == "console":
            run_console(block)
        printed = None


def test_every_page_is_looked_at() -> None:
    """The collection is not empty by accident: these pages hold code."""
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "docs/first-solve.md", "docs/own-game.md", "docs/own-variant.md"} <= names


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("value -0.0556\n", "value -0.0556\n", True),
        ("value -0.0556", "value -0.0557", False),
        ("a ... z", "a b z", True),
        ("a ... z", "a b\nc z", False),
        ("a\n...\nz", "a\nb\nc\nz", True),
        ("a\n...\nz", "a\nz", True),
        ("a\n...", "a", True),
        ("...\nz", "a\nb", False),
        ("a", "a\nb", False),
        ("1+1 (two)", "1+1 (two)   ", True),
    ],
)
def test_matching_printed_text(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_console_blocks_are_read_step_by_step(tmp_path: Path) -> None:
    text = "$ equilibrist a \\\n    --b\nprinted\n\n$ equilibrist c\n"
    block = Block(tmp_path, "console", None, 1, text)
    assert console_steps(block) == [("equilibrist a --b", "printed\n\n"), ("equilibrist c", "")]


def test_a_broken_block_is_reported_with_its_line(tmp_path: Path) -> None:
    block = Block(tmp_path / "page.md", "python", None, 7, "x = 1\nraise KeyError(x)\n")
    with pytest.raises(KeyError) as caught:
        run_python(block, {"__name__": "__page__"})
    assert caught.traceback[-1].lineno == 7  # counted from 0: the page's line 8
