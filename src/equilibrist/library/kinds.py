"""What commands and the browser take: files of every kind, by the rows of `KINDS`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.storage.archive import file_kind, folder_error, kind_of
from equilibrist.storage.kinds.file_kinds import (
    ARCHIVE_SUFFIXES,
    ARCHIVES,
    BINARY,
    BLUEPRINT,
    EMPTY,
    KINDS,
    NO_COMMAND,
    TABLE,
    TEXT,
    THREE_SPOT,
    looks_like_file,
    missing_file,
    place_in,
    remedy_for,
    use,
    words_of,
)

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution

    ChartFile = PushFoldSolution | PreflopSolution | MultiwaySolution | Blueprint
    """What files with charts hold."""

TAKEN: Final = {
    command: tuple(kind for kind, row in KINDS.items() if command in row.taken_by)
    for command in dict.fromkeys(command for row in KINDS.values() for command in row.taken_by)
}
"""The kinds of files that each command takes. `export` says itself what it does with tables."""
WITHOUT_TABLES: Final = (THREE_SPOT,)
"""The kinds that commands play against, and no table of the browser does."""
SAVED: Final = tuple(
    kind for kind in TAKEN["play"] if kind in ARCHIVES and kind not in WITHOUT_TABLES
)
"""The kinds that are solved and saved, and played against in the browser, too."""
SHOWN: Final = (*SAVED, *WITHOUT_TABLES)
"""The kinds that pages of the browser show."""
SOLUTIONS: Final = tuple(kind for kind in SAVED if not KINDS[kind].has_charts)
"""Those of games and spots; the others are of whole hands (`CHARTS`)."""


def kind_for(command: str, file: str | Path, *, or_game: bool = True) -> str | None:
    """The kind of the file that a command takes; None where it is none of ours, or no file.

    Where the name of a game is taken, too (`or_game`), a folder may be called as one is.

    Raises FileFormatError, which names the command to call, for kinds that this one does not take,
    and for what can only be the name of a file, and there is none.
    """
    path = Path(file)
    kind = file_kind(path)
    if kind is None and looks_like_file(str(file)) and not os.path.exists(path):  # noqa: PTH110
        raise missing_file(path)
    is_folder = kind is None and os.path.isdir(path)  # noqa: PTH112 - no error
    if is_folder and not (or_game and str(file).isidentifier()):
        raise folder_error(path, f"a file that `equilibrist {command}` takes", TAKEN[command])
    if kind is None or kind in TAKEN[command]:
        return kind
    if kind in (TEXT, EMPTY, BINARY) and str(file).isidentifier():
        return None  # it may be the name of a game, and is no file of ours
    if path.suffix.lower() in ARCHIVE_SUFFIXES and kind not in ARCHIVES:
        return None  # opening it says what it is instead
    raise FileFormatError(
        f"{path} is {words_of(kind)}, which `equilibrist {command}` does not take",
        path,
        option="format",
        given=kind,
        expected=", ".join(TAKEN[command]),
        place=place_in(path, kind) or str(path),
        remedy=_remedy(command, path, kind),
    )


class Saved(NamedTuple):
    """The kind of a file, and what it holds."""

    kind: str
    content: Any


def open_saved(path: Path, cards: Path | None = None) -> Saved:
    """Open the file of a solution or of play of hands with the opener of its kind.

    Raises FileFormatError for files of all other kinds.

    Args:
        path: The file.
        cards: The card buckets of a blueprint, where they are not beside it.
    """
    from equilibrist.solving.files import load_result

    content = load_result(path, cards=cards)
    return Saved(str(kind_of(path)), content)


def load(path: Path) -> Any:
    """Open the file of a solution or of play of hands; raises as `open_saved`."""
    return open_saved(path).content


def open_spot(command: str, path: Path) -> PostflopResult:
    """Load the solution of a spot; raises as `kind_for` and `load_result`."""
    from equilibrist.poker.postflop.files.storage import load_spot

    kind_for(command, path)
    return load_spot(path)


def refuse_options(file: str | Path, kind: str, options: Mapping[str, object]) -> None:
    """Raise ConfigError for the first of these options with a value: the kind has no use of it."""
    for flag, value in options.items():
        if value is not None and value is not False and value != "" and value != []:
            raise ConfigError(
                f"{file} is {words_of(kind)}, for which there is no {flag}",
                option=flag,
                given=value,
                remedy=f"leave out {flag}",
            )


def refuse_cards(file: str | Path, kind: str | None, cards: Path | None) -> None:
    """Raise ConfigError where card buckets were named, and the file is not a blueprint."""
    if cards is not None and kind != BLUEPRINT:
        raise ConfigError(
            f"--cards names the card buckets of a blueprint, and {file} is not one",
            option="--cards",
            given=cards,
            remedy="leave out --cards",
        )


def _remedy(command: str, path: Path, kind: str) -> str | None:
    if KINDS[kind].is_checkpoint:
        from equilibrist.library.saved_runs import FINISHING

        if kind in FINISHING:
            return FINISHING[kind](path)
    words = KINDS[kind].instead.get(command)
    if words is not None:
        return use(path, kind, words)
    if TABLE in TAKEN[command]:
        return remedy_for(path, kind, KINDS[kind].as_strategy or NO_COMMAND)
    *others, last = map(words_of, TAKEN[command])
    taken = f"{', '.join(others)} or {last}" if others else last
    return remedy_for(path, kind, f"give {taken}")
