"""`equilibrist preflop`: hold'em before the flop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

from equilibrist.cli.commands.holdem import (
    multiway,
    preflop_buckets,
    preflop_count,
    preflop_solve,
    push_fold,
)
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands

app = typer.Typer(
    help="Hold'em before the flop.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)

SOLVING: Final = "Solving"
SIZES: Final = "Sizes"


@app.callback()
def _group() -> None:
    """Hold'em before the flop."""


_COMMANDS: Final[list[tuple[str, str, Callable[..., None], str, str]]] = [
    (
        "pushfold",
        SOLVING,
        push_fold.push_fold,
        push_fold.HELP,
        "Find who pushes and who calls with which hands.",
    ),
    (
        "solve",
        SOLVING,
        preflop_solve.solve_hand,
        preflop_solve.HELP,
        "Solve two players exactly, with betting up to the flop or the turn.",
    ),
    (
        "buckets",
        SOLVING,
        preflop_buckets.measure_buckets,
        preflop_buckets.HELP,
        "Measure what merging hands into buckets costs, exactly.",
    ),
    (
        "multiway",
        SOLVING,
        multiway.multiway,
        multiway.HELP,
        "Solve two to six seats, with betting before the flop alone.",
    ),
    (
        "count",
        SIZES,
        preflop_count.count_hand,
        preflop_count.HELP,
        "Count the decisions, infosets and states of a hand, exactly.",
    ),
]
for _name, _heading, _command, _help, _short in _COMMANDS:
    app.command(_name, help=_help, short_help=_short, cls=GroupedCommand, rich_help_panel=_heading)(
        _command
    )
