"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from equilibrist.game import DEFAULT_MAX_DEPTH


def file_name(text: str) -> Path:
    """The path an option gives; an empty one, which pathlib takes for this folder, is refused."""
    if not text:
        raise typer.BadParameter("the name of the file is empty (an unset variable, perhaps)")
    return Path(text)


def optional(flag: str, metavar: str, help_text: str) -> Any:
    """An option that means nothing unless it is given."""
    return typer.Option(flag, metavar=metavar, show_default=False, help=help_text)


def file(flag: str, metavar: str, help_text: str) -> Any:
    """The same, for the name of a file or a folder."""
    return typer.Option(flag, metavar=metavar, parser=file_name, show_default=False, help=help_text)


GAME_FORMS = (
    "name, name(key=value,...), rules.py:MyGame, rules:my_rules.py, openspiel:NAME(...) or file.efg"
)

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        show_default=False,
        help=f"The game: {GAME_FORMS}; `equilibrist games` lists the names.",
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON document on standard output, nothing else."),
]
MaxHistories = Annotated[
    str | None,
    typer.Option(
        "--max-histories",
        metavar="N",
        show_default=False,
        help="Refuse games with more histories than this.  [default: 100,000 of a rules module]",
    ),
]
MaxHistoriesOfTree = Annotated[
    str | None,
    typer.Option(
        "--max-histories",
        metavar="N",
        show_default=False,
        help="Refuse games with more histories than this; sample a rules module without a tree.  "
        "[default: 100,000 of a rules module]",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        show_default=False,
        help="Refuse games that need more, for instance 500MB or 2GB.  [default: half of the "
        "machine's]",
    ),
]
MemoryOfTreeOrTable = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        show_default=False,
        help="Refuse games that need more, for instance 500MB or 2GB; without a tree, the bound of "
        "the table and all that goes with it.  [default: half of the machine's, without a tree "
        "1GiB]",
    ),
]
MaxDepth = Annotated[
    str,
    typer.Option(
        "--max-depth",
        metavar="N",
        help="Take a line of play of more moves than this for endless.",
    ),
]
MAX_DEPTH = f"{DEFAULT_MAX_DEPTH}"
WarmStart = Annotated[
    Path | None,
    typer.Option(
        "--warm-start",
        parser=file_name,
        metavar="FILE",
        show_default=False,
        help="Go on from the strategy in this file (a solution or a table); full passes only.",
    ),
]
WarmIterations = Annotated[
    str,
    typer.Option(
        "--warm-iterations",
        metavar="N",
        help="As if so many iterations had played it; they count as iterations.",
    ),
]
GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        show_default=False,
        help=f"The game of the strategy, where the file does not say it: {GAME_FORMS}.",
    ),
]
Deals = Annotated[
    str | None,
    typer.Option(
        "--deals",
        "--hands",
        metavar="N",
        show_default=False,
        help="Play so many duplicate deals instead of computing.  [default: exact; 1000000 where "
        "there is no tree]",
    ),
]
Lines = Annotated[
    str | None,
    typer.Option(
        "--lines",
        metavar="N",
        show_default=False,
        help="Of strategies found without a tree: follow and weigh up to so many lines of play of "
        "a game, draw the rest: slower, and a narrower interval.  [default: 1]",
    ),
]
