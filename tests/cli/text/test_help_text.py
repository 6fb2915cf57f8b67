"""Help texts in groups, without Rich."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
import typer

from equilibrist.cli.main import application
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from tests.cli.command import Shell

app = typer.Typer(cls=GroupedCommands, rich_markup_mode=None, add_completion=False)
EXPECTED = """\
Options:
  --help  Show this message and exit.

Play:
  match   Let them play.

Commands:
  cache   Look.

Maintenance:
  repair  Do.
"""


@app.command("match", cls=GroupedCommand, rich_help_panel="Play", short_help="Let them play.")
def match(
    b: Annotated[int, typer.Option("--b", rich_help_panel="Second", help="B.")] = 0,
    a: Annotated[int, typer.Option("--a", rich_help_panel="First", help="A.")] = 0,
    c: Annotated[int, typer.Option("--c", help="C.")] = 0,
    d: Annotated[int, typer.Option("--d", rich_help_panel="Second", help="D.")] = 0,
    game: Annotated[str, typer.Argument(help="The game.")] = "kuhn",
) -> None:
    """Let them play."""


@app.command("cache", cls=GroupedCommand)
def cache() -> None:
    """Look."""


@app.command("hidden", cls=GroupedCommand, hidden=True)
def hidden() -> None:
    """Stay."""


@app.command("repair", cls=GroupedCommand, rich_help_panel="Maintenance")
def repair() -> None:
    """Do."""


def leaf_commands(group: Any = None, path: str = "") -> Iterator[tuple[str, Any]]:
    """All commands that have options of their own, by the words that call them."""
    whole: Any = typer.main.get_command(application()) if group is None else group
    for name, command in whole.commands.items():
        words = f"{path} {name}".strip()
        if hasattr(command, "commands"):
            yield from leaf_commands(command, words)
        else:
            yield words, command


def helped(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    typer.main.get_command(app).main(args=[*words, "--help"], standalone_mode=False)
    return capsys.readouterr().out


def test_commands_stand_under_their_headings(capsys: pytest.CaptureFixture[str]) -> None:
    assert helped(capsys).endswith(f"\n{EXPECTED}")


def test_options_stand_under_their_headings(capsys: pytest.CaptureFixture[str]) -> None:
    rows = helped(capsys, "match").splitlines()
    headings = [row for row in rows if row.endswith(":") and not row.startswith(" ")]
    assert headings == ["Arguments:", "Second:", "First:", "Display:", "Options:"]
    found = [row.split()[0] for row in rows if row.startswith("  ") and row[2:3].strip()]
    assert [one for one in found if one.startswith("-")] == [
        "--b", "--d", "--a", "-q,", "--c", "--help",
    ]  # fmt: skip


def test_no_help_text_names_a_type_of_python(shell: Shell) -> None:
    for command in ("solve", "play", "evaluate", "postflop solve", "postflop show"):
        printed = shell(f"{command} --help").ok().out
        assert "Arguments:" in printed
        assert not re.search(r"<(?:str|Path)>", printed)


def test_a_default_of_yes_or_no_answers_a_question() -> None:
    """As in `Whether an all-in reopens the betting. [default: no]`; other words say what holds."""
    for path, command in leaf_commands():
        for option in command.params:
            text = getattr(option, "help", None) or ""
            if re.search(r"\[default: (yes|no)\]", text):
                assert text.startswith("Whether"), (path, option.name)


def test_the_time_of_a_training_is_not_followed_by_a_measurement() -> None:
    """A run that measures says so, and a training does not."""
    helps = {
        path: option.help
        for path, command in leaf_commands()
        for option in command.params
        if option.name == "seconds"
    }
    assert "measured" in helps["postflop solve"]
    assert "measured" not in helps["blueprint train"]
