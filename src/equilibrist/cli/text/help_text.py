"""Help texts that list commands and options by groups, in plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from equilibrist.cli.text.next_commands import running
from equilibrist.options.option import DISPLAY

_OTHER_OPTIONS: Final = "Options"
_OTHER_COMMANDS: Final = "Commands"


class GroupedCommand(TyperCommand):
    """A command whose help lists options under the headings that they name.

    Each takes -q: one that shows no progress says with it no less than what it found, and nothing
    of what to do next.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        if not any("-q" in parameter.opts for parameter in self.params):
            self.params.append(_quiet())
        # Saves half of the 5 to 6 ms that reading a command line takes, 1 % of a start.
        for listed in self.params:
            parameter: Any = listed
            is_repeatable = parameter.multiple or parameter.nargs != 1
            if not (is_repeatable or parameter.required or parameter.callback):
                parameter.process_value = partial(_unless_none, parameter.process_value)

    def invoke(self, ctx: Any) -> Any:
        """Run it; what it suggests to type next goes on from it."""
        with running(ctx):
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then each group in the order of its first option."""
        _write_options(self, ctx, formatter)


class GroupedCommands(TyperGroup):
    """A group of commands whose help lists them under the headings that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write options and commands."""
        _write_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each group of commands in the order of its first one."""
        commands = {name: self.commands[name] for name in self.list_commands(ctx)}
        shown = {name: command for name, command in commands.items() if not command.hidden}
        width = max(map(len, shown), default=0)
        space = formatter.width - 6 - width
        rows = [
            (
                _heading(command, _OTHER_COMMANDS),
                (name.ljust(width), command.get_short_help_str(space)),
            )
            for name, command in shown.items()
        ]
        _write_groups(formatter, rows)


def _quiet() -> Any:
    """The option -q of a command that has no use for its value: `cli.main` reads it for all."""
    app = typer.Typer(add_completion=False)
    app.command()(_takes_quiet)
    (option,) = typer.main.get_command(app).params
    option.expose_value = False
    return option


def _takes_quiet(
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Show only the result.", rich_help_panel=DISPLAY),
    ] = False,
) -> None:
    """Declares the option."""


def _unless_none(process: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    """The value of a parameter: Typer makes a validator for each, also for what was not given."""
    return None if value is None else process(ctx, value)


def _write_options(command: Any, ctx: Any, formatter: Any) -> None:
    rows: list[tuple[str, tuple[str, str]]] = []
    others: list[tuple[str, tuple[str, str]]] = []
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            name, text = record
            record = name.partition(" <")[0], text  # without the type in Python
            rows.insert(sum(row[0] == "Arguments" for row in rows), ("Arguments", record))
        elif _heading(parameter, ""):
            rows.append((_heading(parameter, ""), record))
        else:
            others.append((_OTHER_OPTIONS, record))
    _write_groups(formatter, [*rows, *others])


def _heading(item: Any, otherwise: str) -> str:
    """The group that an option or a command names."""
    return getattr(item, "rich_help_panel", None) or otherwise


def _write_groups(formatter: Any, rows: Iterable[tuple[str, tuple[str, str]]]) -> None:
    """Write rows under their headings, in the order of the first row of each."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        groups.setdefault(heading, []).append(row)
    for heading, pairs in groups.items():
        with formatter.section(heading):
            formatter.write_dl(pairs)
