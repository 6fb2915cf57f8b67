"""`equilibrist hands`: files of played hands, shown, written in other forms, and judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from equilibrist.cli.commands.playing.hands_review import REVIEW, review
from equilibrist.cli.inputs import options
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.output import note, show, show_json

app = typer.Typer(
    help="Files of played hands: histories of poker sites, PHH, match logs.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)
SHOW: Final = """Show the hands of a file: seats, cards, actions by street, who won.

FILE is a hand history of PokerStars or GGPoker in English, PHH or PHHS, Open Hand History (JSON), a
match log of the ACPC, a log of `equilibrist play --log`, or what `hands convert` wrote: told by its
content, whatever its name. Streets are shown with the pot before their actions; a star marks the
player whose file it is. Amounts are in the unit of the file.

PokerKit replays every hand: blinds, calls, pots and winnings are compared with the rules. Hands
that do not follow them are left out and named with their line, and so are those with several
boards. Needs the extra phh: pip install "equilibrist[phh]".

\b
Examples:
  equilibrist hands show session.txt
  equilibrist hands show session.txt --hand 3 --json
  equilibrist hands show match.log --game holdem.game
"""
CONVERT: Final = """Write the hands of a file in another form.

SOURCE is any file that `hands show` takes. The form is that of --to, or of the end of TARGET's
name: phh (.phh) for one hand in PHH, phhs (.phhs) for several, ohh (.ohh, .json) for Open Hand
History, acpc (.log) for a match log of the ACPC, jsonl (.jsonl) for a JSON object a line,
pokerstars (.txt) for the text of PokerStars, ggpoker for that of GGPoker. Without TARGET the file
is called as the source, with that end; several hands become .phhs where phh is asked for.

The game definition of a match log is the file beside it that ends in .game, or that of --game; it
is written with a new log. A log has one game, without antes: hands with other stacks, blinds or
limits than the first are left out.

Hands that are left out are listed with the reason and their line. PokerKit checks every action. A
TARGET that exists is replaced if it holds the first of these hands and nothing else. Needs the
extra phh: pip install "equilibrist[phh]".

\b
Examples:
  equilibrist hands convert session.txt --to phh
  equilibrist hands convert match.log match.phhs
  equilibrist hands convert hands.phhs stars.txt
"""
_SHOWN: Final = 20
"""Hands that were left out of which the reason is shown."""


@app.callback()
def _group() -> None:
    """Files of played hands: histories of poker sites, PHH, match logs."""


def show_hands(
    file: Annotated[Path, options.file_argument("FILE", "The file with the hands.")],
    hand: Annotated[
        str | None,
        options.optional("--hand", "N", "Only the Nth hand, or that with this number at the site."),
    ] = None,
    game: Annotated[
        Path | None,
        options.file("--game", "FILE", "The game definition of FILE, if that is a match log."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Read, pick, print."""
    from equilibrist.cli.text.playing.played_hands import show_hand
    from equilibrist.play.histories.documents import hands_document
    from equilibrist.protocols.hand_files import picked_hands, read_hands, told_hands

    read = told_hands(read_hands(file, game))
    hands = picked_hands(read, file, hand)
    if json:
        show_json(hands_document(read, hands))
    else:
        for number, played in enumerate(hands):
            if number:
                show()
            show_hand(played)
    if hand is None:
        _note_left_out([str(out) for out in read.left_out])


def convert(
    source: Annotated[Path, options.file_argument("SOURCE", "The file with the hands.")],
    target: Annotated[Path | None, options.file_argument("TARGET", "The file to write.")] = None,
    to: Annotated[
        str | None,
        options.optional(
            "--to", "FORM", "The form: phh, phhs, ohh, acpc, jsonl, pokerstars or ggpoker."
        ),
    ] = None,
    game: Annotated[
        Path | None,
        options.file("--game", "FILE", "The game definition of the match log."),
    ] = None,
) -> None:
    """Convert, say what was left out."""
    from equilibrist.protocols.converting import convert_hands

    converted = convert_hands(source, target, game, to)
    _note_left_out(converted.left_out)
    hands = "1 hand" if converted.hands == 1 else f"{converted.hands:,} hands"
    note(f"wrote {hands} to {' and '.join(map(str, converted.files))}")


def _note_left_out(left_out: Sequence[str]) -> None:
    for text in left_out[:_SHOWN]:
        note(f"left out {text}")
    if len(left_out) > _SHOWN:
        note(f"left out {len(left_out) - _SHOWN:,} more")


app.command("show", help=SHOW, short_help="Show the hands of a file.", cls=GroupedCommand)(
    show_hands
)
app.command(
    "convert",
    help=CONVERT,
    short_help="Write the hands of a file in another form.",
    cls=GroupedCommand,
)(convert)
app.command("review", help=REVIEW, short_help="Judge played hands.", cls=GroupedCommand)(review)
