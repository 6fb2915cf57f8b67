"""Fill in what the commands and examples of pages print: `python -m tests.docs PAGE...`.

Only what a page shows otherwise is filled in: times, for instance, stay as they are (`printed.py`).
Review the difference, and run the tests of the pages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import types
from pathlib import Path

from tests.docs.console import commands
from tests.docs.markdown import blocks
from tests.docs.printed import matches, matches_in_form
from tests.docs.test_code_blocks import FILES, run_python, same_text


def filled(page: Path) -> str:
    """The text of a page with what its blocks print."""
    lines = page.read_text("utf-8").splitlines()
    module = types.ModuleType("__page__")
    sys.modules["__page__"] = module
    found: list[tuple[int, int, list[str]]] = []
    printed, source = "", None
    for block in blocks(page):
        empty = lines[block.line - 1].strip() == "```"
        size = 0 if empty else len(block.text.splitlines())
        new: list[str] | None = None
        if block.language in FILES and block.title:
            Path(block.title).write_text(block.text, "utf-8")
        elif block.language == "python":
            printed, source = run_python(block, vars(module), block.quick), block
        elif block.language == "output" and source:
            if source.quick and not matches_in_form(block.text, printed):
                printed = run_python(source, vars(module))
            if not (matches_in_form if source.quick else matches)(block.text, printed):
                new = printed.rstrip("\n").split("\n")
        elif block.language == "console":
            shown: list[str] = []
            whole = True
            for command in commands(block):
                text = command.run()
                same = same_text(block, command.expected, text, Path.cwd())
                text = command.expected if same else text.rstrip()
                shown += [f"$ {command.line}", *text.splitlines()]
                whole = whole and same
            if block.excerpt and not whole:
                print(f"{block.place} is no excerpt of this:", *shown, sep="\n")
            new = None if whole or block.excerpt else shown
        if new is not None:
            found.append((block.line - 1, size, [line.rstrip() for line in new]))
    for first, size, new in reversed(found):
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines[first : first + size] = [indent + line if line else "" for line in new]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.update(NO_COLOR="1", MPLBACKEND="Agg", EQUILIBRIST_THREADS="1")
    for path in [Path(name).resolve() for name in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as data:
            os.chdir(folder)
            os.environ["EQUILIBRIST_DATA_DIR"] = data
            path.write_text(filled(path), "utf-8")
