"""`equilibrist hands`: files of hands in other forms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from equilibrist.cli.commands.playing.hands_review import REVIEW, review
from equilibrist.cli.inputs import options
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.output import note

app = typer.Typer(
    help="Files of played hands: match logs and hand histories.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)
CONVERT: Final = """Convert match logs of the ACPC to hand histories (PHH), and back.

The ends of the names say what SOURCE is and TARGET becomes: .log is a match log, .phh one hand
history, .phhs several. The game definition of a log is the file beside it that ends in .game, or
that of --game; it is written with a new log.

A TARGET that exists is replaced if it holds the first of these hands and nothing else.

A log has one game, without antes. Hands with other stacks, blinds or limits than the first are left
out and listed, and so are those that are not played to their end, or whose winnings are not those
of the play. PokerKit checks every action of a hand history. Needs the extra phh:
pip install "equilibrist[phh]".

\b
Examples:
  equilibrist hands convert match.log match.phhs
  equilibrist hands convert hands.phhs hands.log
"""
_SHOWN: Final = 20
"""Hands that were left out of which the reason is shown."""


@app.callback()
def _group() -> None:
    """Files of played hands: match logs and hand histories."""


def convert(
    source: Annotated[Path, options.file_argument("SOURCE", "The file with the hands.")],
    target: Annotated[Path, options.file_argument("TARGET", "The file to write.")],
    game: Annotated[
        Path | None,
        options.file("--game", "FILE", "The game definition of the match log."),
    ] = None,
) -> None:
    """Convert, say what was left out."""
    from equilibrist.protocols.converting import convert_hands

    converted = convert_hands(source, target, game)
    for text in converted.left_out[:_SHOWN]:
        note(f"left out {text}")
    if len(converted.left_out) > _SHOWN:
        note(f"left out {len(converted.left_out) - _SHOWN:,} more")
    hands = "1 hand" if converted.hands == 1 else f"{converted.hands:,} hands"
    note(f"wrote {hands} to {' and '.join(map(str, converted.files))}")


app.command("convert", help=CONVERT, short_help="Convert match logs and PHH.", cls=GroupedCommand)(
    convert
)
app.command("review", help=REVIEW, short_help="Judge played hands.", cls=GroupedCommand)(review)
