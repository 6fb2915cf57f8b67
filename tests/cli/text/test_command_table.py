"""Commands that are imported when they are called."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from equilibrist.cli import main
from equilibrist.cli.text.command_table import Entry
from equilibrist.mcp import COMMANDS as ASSISTANTS
from equilibrist.web import COMMANDS as BROWSER

COMMANDS = ("equilibrist.cli.commands.", "equilibrist.cli.postflop.")
HIGHER = {**BROWSER, **ASSISTANTS}
GROUPS = {
    *("acpc", "blueprint", "bot", "cache", "cards"),
    *("desktop", "hands", "postflop", "preflop"),
}


def modules_after(*words: str) -> set[str]:
    """The modules of commands that a process has imported after a command line."""
    script = (
        "import sys; from equilibrist.cli.main import run\n"
        "run(sys.argv[1:])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words], check=True, capture_output=True, text=True
    )
    packages = {f"equilibrist.cli.commands.{folder.name}" for folder in FOLDERS}
    found = {name for name in done.stderr.split() if name.startswith(COMMANDS)}
    return found - packages


FOLDERS = [path for path in (Path(main.__file__).parent / "commands").iterdir() if path.is_dir()]


def test_a_start_imports_one_command() -> None:
    assert modules_after("--help") == set()
    assert modules_after("samplers", "--help") == {"equilibrist.cli.commands.solving.samplers"}


def test_type_checkers_and_contracts_see_every_command() -> None:
    """What the table names is imported in the block for type checkers, and nothing else."""
    tree = ast.parse(Path(main.__file__).read_text("utf-8"))
    block = next(
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test)[:4] == "TYPE"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    named = {entry.place.partition(":")[0] for entry in main.ENTRIES}
    higher = {
        place.partition(":")[0] for _, place, _ in HIGHER.values()
    }  # which packages above this one add
    assert seen == named - higher
    assert higher <= named


@pytest.mark.parametrize("entry", main.ENTRIES, ids=lambda entry: entry.name)
def test_every_command_builds(entry: Entry) -> None:
    built = entry.build()
    assert (built.name, built.short_help) == (entry.name, entry.short_help)
    assert built.rich_help_panel == entry.heading
    assert hasattr(built, "commands") is (entry.name in GROUPS)


def test_the_application_has_all_commands() -> None:
    whole = typer.main.get_command(main.application())
    names = set(whole.commands)  # type: ignore[attr-defined]
    assert names == {entry.name for entry in main.ENTRIES}
