"""Fill in what the commands and examples of pages print: `python -m tests.docs PAGE...`.

Only blocks that were cut (`...`) are filled in, up to MOST_LINES lines for each command; the others
stay as they are. Review the difference, and run the tests of the pages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import types
from pathlib import Path

from tests.docs.console import commands
from tests.docs.markdown import blocks
from tests.docs.test_code_blocks import run_python

MOST_LINES = 60


def filled(page: Path) -> str:
    """The text of a page with the whole output in place of cut output."""
    lines = page.read_text("utf-8").splitlines()
    module = types.ModuleType("__page__")
    sys.modules["__page__"] = module
    found: list[tuple[int, int, list[str]]] = []
    printed = ""
    for block in blocks(page):
        size = len(block.text.splitlines())
        new: list[str] | None = None
        if block.language == "text" and block.title:
            Path(block.title).write_text(block.text, "utf-8")
        elif block.language == "python":
            printed = run_python(block, vars(module), block.quick)
        elif block.language == "output" and "..." in block.text:
            new = printed.rstrip("\n").split("\n")
        elif block.language == "console":
            new = []
            for command in commands(block):
                shown = command.run().rstrip("\n").split("\n")
                new.append(f"$ {command.line}")
                whole = "..." in command.expected and len(shown) <= MOST_LINES
                new += shown if whole else command.expected.rstrip("\n").split("\n")
            if "..." not in block.text:
                new = None
        if new is not None:
            found.append((block.line - 1, size, [line.rstrip() for line in new]))
    for first, size, new in reversed(found):
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines[first : first + size] = [indent + line if line else "" for line in new]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.update(NO_COLOR="1", MPLBACKEND="Agg")
    for path in [Path(name).resolve() for name in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            path.write_text(filled(path), "utf-8")
