"""`mypy --strict` accepts every `python` block of README.md and docs/ as a user's script.

The blocks of a page are one script, at the lines where they stand on the page. The package is seen
as if it were installed: its annotations count, its own errors do not.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import equilibrist
from tests.docs.markdown import ROOT, blocks, originals

INSTALLED = Path(equilibrist.__file__).parents[1]
CACHE = ROOT / ".mypy_cache" / "scripts"
UNTYPED = ("open_spiel", "pandas", "pygambit", "pyspiel")
"""What the pages import and what has no types, or has them in a package of its own."""
# A folder of installed packages is searched anyway, and refused in `mypy_path`.
SEARCHED = "" if INSTALLED.name == "site-packages" else f"mypy_path = {INSTALLED}\n"
SETTINGS = f"""[mypy]
strict = true
{SEARCHED}
[mypy-equilibrist.*]
ignore_errors = true
[mypy-{",".join(f"{name}.*" for name in UNTYPED)}]
ignore_missing_imports = true
"""
WRONG = """import equilibrist as eq
from equilibrist.poker import Spot

eq.solve("kuhn").no_such_attribute
eq.no_such_name
eq.Strategy.uniform("kuhn")
Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip=7, pot=100, stack=100)
Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=1, stakes=1)
print(eq.solve("kuhn").values)
"""
FOUND_IN_WRONG = {4: "attr-defined", 5: "attr-defined", 6: "arg-type", 7: "arg-type", 8: "call-arg"}
"""The line of each mistake, and its kind."""


def script_of(page: Path) -> str:
    """The blocks of a page, with blank lines for all that is between them."""
    lines: list[str] = []
    for block in blocks(page):
        if block.language == "python":
            lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n" if lines else ""


@pytest.mark.slow
def test_every_block_passes_mypy_as_a_script(tmp_path: Path) -> None:
    scripts = {page: script_of(page) for page in originals()}
    pages = {}
    for page, text in scripts.items():
        if text:
            name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
            (tmp_path / f"{name}.py").write_text(text, "utf-8")
            pages[name] = str(page.relative_to(ROOT))
    assert len(pages) > 30
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    (tmp_path / "mypy.ini").write_text(SETTINGS, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file=mypy.ini", f"--cache-dir={CACHE}"]
    files = [f"{name}.py" for name in (*pages, "wrong")]
    done = subprocess.run([*command, *files], cwd=tmp_path, capture_output=True, text=True)
    assert not done.stderr, done.stderr
    found = re.findall(r"^(\w+)\.py:(\d+): error: (.*?)  \[([\w-]+)\]$", done.stdout, re.MULTILINE)
    assert len(found) == done.stdout.count(": error: ")
    assert {int(line): kind for name, line, _, kind in found if name == "wrong"} == FOUND_IN_WRONG
    mistakes = [f"{pages[name]}:{line}: {what}" for name, line, what, _ in found if name in pages]
    assert not mistakes, "\n".join(mistakes)
