"""Arguments and options that several commands share, and short spellings for their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from equilibrist.cli.completion import values
from equilibrist.cli.completion.values import Completer
from equilibrist.cli.inputs.parameters import (
    described,
    file_name,
    player_called,
    solution_name,
    word_called,
)
from equilibrist.errors import ConfigError
from equilibrist.library.names import is_name
from equilibrist.options.defaults import DUPLICATE_DEALS
from equilibrist.options.option import DISPLAY, FILES, THREADS, Option, declare
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.parsing.quantities import read_whole
from equilibrist.storage.kinds.file_kinds import looks_like_file

_WORK: Final = "Work"
"""The heading of what a server takes on."""
GAME_FORMS: Final = (
    "name, name(key=value,...), rules.py[:MyGame], rules:my_rules.py, openspiel:NAME(...), "
    "file.efg, or payoffs such as table.csv or table.nfg"
)


def optional(
    flag: str,
    metavar: str,
    help_text: str,
    group: str | None = None,
    *,
    short: str = "",
    completes: Completer | None = None,
) -> Any:
    """An option without a default; `short` is a second spelling."""
    flags = [flag, short] if short else [flag]
    return typer.Option(
        *flags,
        metavar=metavar,
        autocompletion=completes,
        show_default=False,
        help=help_text,
        rich_help_panel=group,
    )


def valued(flag: str, metavar: str, help_text: str, group: str | None = None) -> Any:
    """An option with a default, which the help shows."""
    return typer.Option(flag, metavar=metavar, help=help_text, rich_help_panel=group)


def whole(
    flag: str, metavar: str, help_text: str, group: str | None = None, *, default: bool = False
) -> Any:
    """An option for a whole number; `default` says whether it has one, which the help shows."""
    name = flag.removeprefix("--").replace("-", "_")
    return typer.Option(
        flag,
        metavar=metavar,
        parser=lambda text: read_whole(text, name),
        show_default=default,
        help=help_text,
        rich_help_panel=group,
    )


def file(flag: str, metavar: str, help_text: str, group: str | None = None) -> Any:
    """An option for the name of a file or a folder."""
    return typer.Option(
        flag,
        metavar=metavar,
        parser=file_name,
        show_default=False,
        help=help_text,
        rich_help_panel=group,
    )


def solution(flag: str, metavar: str, help_text: str, group: str | None = None) -> Any:
    """An option for a file with a strategy, or a stored solution such as `last`."""
    return typer.Option(
        flag,
        metavar=metavar,
        parser=solution_name,
        autocompletion=values.solutions,
        show_default=False,
        help=help_text,
        rich_help_panel=group,
    )


def out(help_text: str) -> Any:
    """The option `--out` or `-o` for the file that a command writes."""
    return typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        parser=file_name,
        show_default=False,
        help=help_text,
        rich_help_panel=FILES,
    )


def switch(flag: str, help_text: str, group: str | None = None) -> Any:
    """An option without a value."""
    return typer.Option(flag, help=help_text, rich_help_panel=group)


def argument(
    metavar: str,
    help_text: str,
    completes: Completer | None = None,
    parser: Callable[[str], object] | None = None,
) -> Any:
    """An argument without a default."""
    return typer.Argument(
        metavar=metavar,
        parser=parser,
        autocompletion=completes,
        show_default=False,
        help=help_text,
    )


def word_argument(metavar: str, help_text: str, completes: Completer) -> Any:
    """A required argument that may name a stored solution or something else."""
    return argument(metavar, help_text, completes, word_called)


def player_argument(metavar: str, help_text: str) -> Any:
    """A required argument for what plays: a file, a stored solution, uniform or an algorithm."""
    return argument(metavar, help_text, values.contestants, player_called)


def file_argument(metavar: str, help_text: str) -> Any:
    """A required argument for the name of a file."""
    return argument(metavar, help_text, parser=file_name)


def solution_argument(metavar: str, help_text: str, completes: Completer = values.solutions) -> Any:
    """A required argument for a file with a strategy, or a stored solution such as `last`."""
    return argument(metavar, help_text, completes, solution_name)


def game_name(text: str) -> str:
    """The text that names a game; ConfigError for a stored solution, GameSpecError for a file."""
    if is_name(text):
        raise ConfigError(
            f"{text} is the name of a stored solution, and a game is expected",
            option="game",
            given=text,
            remedy="give the name of a game; `equilibrist last` lists the game of each solution",
        )
    if looks_like_file(text):
        from equilibrist.games.spec import parse_spec

        parse_spec(text)  # says what the file is, before anything is said about options
    return text


Game = Annotated[
    str,
    argument(
        "GAME",
        f"The game: {GAME_FORMS}; `equilibrist games` lists the names.",
        values.games,
        game_name,
    ),
]
JSON: Final = Option("switch", DISPLAY, "Print one JSON document on standard output, nothing else.")
QUIET: Final = Option(
    "switch", DISPLAY, "Show no progress, only the result.", flags=("--quiet", "-q")
)
TIME: Final = Option(
    "time",
    DISPLAY,
    "Stop after this long, such as 90 (seconds) or 10m, counted from the start of the command, "
    "with what has been found so far, if anything.",
)
"""Of commands that are no solve; those with partial results say in which they end."""
MOVED_CARDS: Final = Option(
    "file", FILES, "The card buckets of a blueprint, if they are elsewhere now."
)
GAME: Final = Option(
    "text",
    "Game",
    f"The game of the strategy, where the file does not name it: {GAME_FORMS}.",
    metavar="GAME",
)
Json = Annotated[bool, described("json", JSON)]
Quiet = Annotated[bool, described("quiet", QUIET)]
Threads = Annotated[
    int | None,
    whole(
        "--threads",
        "N",
        "Work with this many threads; the result is the same.  [default: one per processor]",
        THREADS,
    ),
]
"""Of commands whose result does not depend on the number."""
Checkpoint = Annotated[Path | None, described("checkpoint", SOLVE_OPTIONS["checkpoint"])]
Resume = Annotated[
    Path | None,
    file("--resume", "FILE", "Resume from this checkpoint, and save to it.", FILES),
]
MovedCards = Annotated[Path | None, described("cards", MOVED_CARDS)]
Alternating = Annotated[
    bool,
    typer.Option(
        *SOLVE_OPTIONS["alternating"].flags,
        help="Update the players in turn, or all of them from one profile.  [default: in turn]",
        show_default=False,
    ),
]
MemoryOfJobs = Annotated[
    str | None,
    optional(
        "--memory",
        "SIZE",
        "Memory of all running solves together, such as 8GB.  [default: half of the machine's]",
        _WORK,
    ),
]
JobsAtOnce = Annotated[str, valued("--jobs", "N", "How many solves run at the same time.", _WORK)]
MaxDepth = Annotated[str, described("max_depth", SOLVE_OPTIONS["max_depth"])]
MAX_DEPTH: Final = f"{SOLVE_OPTIONS['max_depth'].default}"
DUELS: Final = "Head-to-head play"


@dataclass(frozen=True)
class DuplicateDeals:
    """How strategies play each other by deals instead of computing."""

    deals: int | None = declare(
        "count",
        DUELS,
        "Play this many duplicate deals instead of computing.",
        default_text=f"exact; {DUPLICATE_DEALS} where there is no tree",
        least=2,
    )
    lines: int | None = declare(
        "count",
        DUELS,
        "For strategies found without a tree: enumerate and weigh up to this many lines of play of "
        "a game, sample the rest; slower, with a narrower interval.",
        default_text="1",
    )
    seed: int | None = declare(
        "whole number", DUELS, "Seed of these deals.", default_text="0", least=0
    )

    @property
    def are_wanted(self) -> bool:
        """Whether any of the options was given."""
        return any(value is not None for value in (self.deals, self.lines, self.seed))
