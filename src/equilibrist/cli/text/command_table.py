"""Commands that are imported and built when they are called, so that a start pays for one alone."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand

from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands


class Entry(NamedTuple):
    """A command, or a group of commands, as the help lists it."""

    name: str
    heading: str
    """The heading of the help under which it stands."""
    place: str
    """Its module; behind a colon the function, or the Typer application of a group, if the name
    of that is another."""
    short_help: str

    def register(self, app: typer.Typer) -> None:
        """Import it and add it to `app`."""
        where, _, attribute = self.place.partition(":")
        module = import_module(where)
        command: Any = getattr(module, attribute or self.name)
        listed: dict[str, Any] = {"short_help": self.short_help, "rich_help_panel": self.heading}
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=self.name, **listed)
        else:
            app.command(self.name, help=module.HELP, cls=GroupedCommand, **listed)(command)

    def build(self) -> Any:
        """Import it and build it with its options."""
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        self.register(app)
        built: Any = typer.main.get_command(app)
        return built.commands[self.name] if app.registered_groups else built


class _Unbuilt(TyperCommand):
    """Stands for a command until it is called."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(
            name=entry.name, short_help=entry.short_help, rich_help_panel=entry.heading
        )
        self.entry = entry


class LazyCommands(GroupedCommands):
    """A group whose commands are built when they are called; its help builds none."""

    _is_listed = False

    def add_entries(self, entries: Iterable[Entry]) -> None:
        """List commands, in the order of the help."""
        self.commands.update((entry.name, _Unbuilt(entry)) for entry in entries)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Offer a shell the names of commands and options; builds none."""
        self._is_listed = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._is_listed = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, built; None if there is none."""
        command = self.commands.get(cmd_name)
        if self._is_listed:
            return command
        if isinstance(command, _Unbuilt):
            command = self.commands[cmd_name] = command.entry.build()
        return command
