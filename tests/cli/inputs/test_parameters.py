"""Parameters of commands made from options as data."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer

from equilibrist.cli.inputs.parameters import parameter, takes, with_options
from equilibrist.cli.main import ENTRIES
from equilibrist.errors import ConfigError
from equilibrist.options.option import Kind, Option, by_flag, declare, options_of, shared
from equilibrist.options.reading import read_all
from tests.refusals import refuses

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


@dataclass(frozen=True)
class Chosen:
    names: list[str] = declare("texts", "Ways", "Which.", required=True)
    seat: int | None = declare("whole number", "Ways", "Whose.", least=0)
    seats: list[int] | None = declare("whole numbers", "Ways", "Whose, too.", flags=("--of", "-s"))
    share: float | None = declare("real number", "Ways", "How much.")
    seed: int = declare("whole number", "Ways", "Of chance.", make_default=lambda: 7)
    both: bool | None = shared(OPTIONS["both"], help="Or not at all.")


@dataclass(frozen=True)
class Shown:
    quiet: bool = declare("switch", "Display", "Or not.")


def chosen(line: str) -> tuple[Chosen, Shown, str]:
    """What a command with two groups of options is called with."""
    called = []

    @with_options
    def command(game: str, chosen: Chosen, shown: Shown) -> None:
        called.append((chosen, shown, game))

    app = typer.Typer()
    app.command()(command)
    typer.main.get_command(app).main(args=line.split(), standalone_mode=False)
    return called[0]


def test_a_command_takes_dataclasses_of_options() -> None:
    least, shown, game = chosen("kuhn --names a")
    assert (game, shown.quiet) == ("kuhn", False)
    assert asdict(least) == {
        "names": ["a"], "seat": None, "seats": None, "share": None, "seed": 7, "both": None,
    }  # fmt: skip
    line = "kuhn --names a --names b --seat 1 -s 0 --of 2,3 --share -0.5 --seed 3 --one --quiet"
    most, shown, _ = chosen(line)
    assert asdict(most) == {
        "names": ["a", "b"], "seat": 1, "seats": [0, 2, 3], "share": -0.5, "seed": 3, "both": False,
    }  # fmt: skip
    assert shown.quiet
    assert by_flag(most, "seats", "both") == {"--of": [0, 2, 3], "--both": False}


def test_numbers_and_required_options_are_checked() -> None:
    with refuses(ConfigError, option="seat", given=-1):
        chosen("kuhn --names a --seat -1")
    with refuses(ConfigError, option="seats", given="x"):
        chosen("kuhn --names a --of x")
    with pytest.raises(typer.BadParameter.__mro__[1]):
        chosen("kuhn")


TYPES: dict[Kind, Any] = {
    "choice": str, "contestant": str, "count": int, "file": Path, "memory": int, "number": float,
    "real number": float, "solution": Path, "switch": bool, "text": str, "texts": list[str],
    "time": float, "whole number": int, "whole numbers": list[int],
}  # fmt: skip
"""The types of values, by kinds."""


def groups() -> list[type]:
    """The dataclasses of options of all commands."""
    places = [entry.place.partition(":")[0] for entry in ENTRIES]
    places += [f"equilibrist.cli.inputs.{name}" for name in ("options", "sessions", "walking")]
    listed = {member for place in places for member in vars(import_module(place)).values()
              if isinstance(member, type) and is_dataclass(member)}  # fmt: skip
    return sorted((group for group in listed if _is_of_options(group)), key=str)


def _is_of_options(group: Any) -> bool:
    return all("option" in field.metadata for field in group.__dataclass_fields__.values())


@pytest.mark.parametrize("group", groups())
def test_values_have_the_types_that_their_fields_say(group: type) -> None:
    hints = get_type_hints(group)
    for name, row in options_of(group).items():
        is_plain_switch = row.kind == "switch" and not any("/" in flag for flag in row.flags)
        has_value = row.required or row.default is not None or row.make_default is not None
        expected = TYPES[row.kind]
        expected = expected if has_value or is_plain_switch else expected | None
        assert hints[name] == expected, name
