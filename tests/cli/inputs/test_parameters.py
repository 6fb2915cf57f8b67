"""Parameters of commands made from options as data."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from equilibrist.cli.inputs.parameters import parameter, takes
from equilibrist.options.option import Option
from equilibrist.options.reading import read_all

OPTIONS = {
    "count": Option("count", "Stopping", "How many.", flags=("--count", "-n"), default="1e3"),
    "limit": Option("memory", "Limits", "How much."),
    "both": Option("switch", "Ways", "Or not.", flags=("--both/--one",)),
    "way": Option("choice", "Ways", "Which.", choices=("all", "no-rivers"), default="all"),
}


def run(line: str) -> dict[str, Any]:
    """What a command is called with."""
    called: dict[str, Any] = {}

    @takes(OPTIONS, "given")
    def command(game: str, given: dict[str, Any], aloud: bool = False) -> None:
        called.update(given, game=game, aloud=aloud)

    app = typer.Typer()
    app.command()(command)
    typer.main.get_command(app).main(args=line.split(), standalone_mode=False)
    return called


def test_a_command_takes_options() -> None:
    assert run("kuhn") == {
        "game": "kuhn", "aloud": False, "count": 1000, "limit": None, "both": None, "way": "all",
    }  # fmt: skip
    assert run("kuhn -n 5 --limit 1kB --one --way no-rivers --aloud") == {
        "game": "kuhn", "aloud": True, "count": 5, "limit": 1000, "both": False, "way": "no-rivers",
    }  # fmt: skip
    assert run("kuhn --both")["both"] is True


def test_an_empty_file_name_is_refused() -> None:
    app = typer.Typer()

    @app.command()
    @takes({"out": Option("file", "Files", "Where.")}, "given")
    def command(given: dict[str, Any]) -> None:
        assert given == {"out": Path("a")}

    command_line = typer.main.get_command(app)
    command_line.main(args=["--out", "a"], standalone_mode=False)
    with pytest.raises(typer.BadParameter):
        command_line.main(args=["--out", ""], standalone_mode=False)


def test_the_parameter_says_all_that_the_option_says() -> None:
    made = parameter("count", OPTIONS["count"])
    assert (made.name, made.kind) == ("count", inspect.Parameter.KEYWORD_ONLY)
    kind, info = get_args(made.annotation)
    assert kind is str
    assert (info.help, info.metavar, info.rich_help_panel) == ("How many.", "N", "Stopping")
    assert info.show_default is True
    assert get_args(parameter("limit", OPTIONS["limit"]).annotation)[1].show_default is False
    assert read_all(OPTIONS, {"count": "2", "limit": None, "both": None, "way": None}) == {
        "count": 2, "limit": None, "both": None, "way": None,
    }  # fmt: skip
