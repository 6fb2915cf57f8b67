"""`equilibrist bot`: strategies that think at the table, and answer other programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

from equilibrist.cli.commands.bots import (
    bot_challenge,
    bot_evaluate,
    bot_match,
    bot_play,
    bot_serve,
)
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands

app = typer.Typer(
    help="Bots: strategies that think at the table; play them, and measure them.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)


@app.callback()
def _group() -> None:
    """Bots: strategies that think at the table; play them, and measure them."""


_COMMANDS: Final[list[tuple[str, Callable[..., None], str, str]]] = [
    ("play", bot_play.play, bot_play.PLAY, "Play against a bot."),
    ("match", bot_match.match, bot_match.MATCH, "Let bots play each other."),
    ("evaluate", bot_evaluate.evaluate, bot_evaluate.EVALUATE, "Measure how good a bot is."),
    ("serve", bot_serve.serve, bot_serve.SERVE, "Answer other programs: HTTP, JSON lines."),
    (
        "challenge",
        bot_challenge.challenge,
        bot_challenge.CHALLENGE,
        "Play against a server, by Slumbot's calls.",
    ),
]
for _name, _command, _help, _short in _COMMANDS:
    app.command(_name, help=_help, short_help=_short, cls=GroupedCommand)(_command)
