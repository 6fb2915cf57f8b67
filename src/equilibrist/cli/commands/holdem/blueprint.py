"""`equilibrist blueprint`: strategies of whole hands over card buckets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

from equilibrist.cli.commands.holdem import (
    blueprint_evaluate,
    blueprint_show,
    blueprint_size,
    blueprint_train,
)
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands

app = typer.Typer(
    help="Blueprints: strategies of whole hands of hold'em over card buckets.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)


@app.callback()
def _group() -> None:
    """Blueprints: strategies of whole hands of hold'em over card buckets."""


_COMMANDS: Final[list[tuple[str, Callable[..., None], str, str]]] = [
    ("size", blueprint_size.size, blueprint_size.SIZE, "Count an abstract game."),
    ("train", blueprint_train.train, blueprint_train.TRAIN, "Train a blueprint."),
    ("show", blueprint_show.show_node, blueprint_show.SHOW, "Show the strategy at a decision."),
    ("export", blueprint_show.export, blueprint_show.EXPORT, "Write strategies and ranges."),
    (
        "evaluate",
        blueprint_evaluate.evaluate,
        blueprint_evaluate.EVALUATE,
        "Measure how good a blueprint is.",
    ),
]
for _name, _command, _help, _short in _COMMANDS:
    app.command(_name, help=_help, short_help=_short, cls=GroupedCommand)(_command)
