"""Which kinds of files each command takes, and the command to call instead for all others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import (
    ARCHIVE_SUFFIXES,
    ARCHIVES,
    BINARY,
    BLUEPRINT,
    BLUEPRINT_CHECKPOINT,
    CARDS,
    CHARTS,
    CHECKPOINT,
    CHECKPOINTS,
    DEVICE,
    EMPTY,
    GAME,
    HAND,
    MULTIWAY,
    PACKED,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SOLUTION,
    SPOT,
    SPOT_SOLUTION,
    TABLE,
    TABLES,
    TEXT,
    TREELESS_CHECKPOINT,
    command_for,
    looks_like_file,
    missing_file,
    remedy_for,
    words_of,
)

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult

_STRATEGIES: Final = (SOLUTION, PACKED, *TABLES)
TAKEN: Final[dict[str, tuple[str, ...]]] = {
    "inspect": (
        *_STRATEGIES,
        GAME,
        SPOT_SOLUTION,
        PREFLOP_SOLUTION,
        BLUEPRINT,
        *CHARTS,
        *CHECKPOINTS,
        DEVICE,
        CARDS,
    ),
    "play": (*_STRATEGIES, GAME, SPOT_SOLUTION, PREFLOP_SOLUTION, BLUEPRINT, *CHARTS),
    "export": (*_STRATEGIES, GAME, SPOT_SOLUTION, PREFLOP_SOLUTION, BLUEPRINT, *CHARTS),
    "evaluate": (*_STRATEGIES, SPOT_SOLUTION, PREFLOP_SOLUTION, BLUEPRINT, *CHARTS),
    "match": _STRATEGIES,
    "graft": _STRATEGIES,
    "cards show": (CARDS,),
    "postflop show": (SPOT_SOLUTION,),
    "postflop browse": (SPOT_SOLUTION,),
    "postflop play": (SPOT_SOLUTION,),
    "postflop report": (SPOT_SOLUTION, SPOT),
    "postflop export": (SPOT_SOLUTION, SPOT),
}
"""The kinds of files that each command takes. `export` says itself what it does with tables."""

_OF_GAMES: Final = {
    "postflop play": ("play", "FILE"),
    "postflop report": ("evaluate", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
}
_OF_HANDS: Final = {
    "match": ("play", "FILE"),
    "postflop play": ("play", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
}
_INSTEAD: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    SOLUTION: _OF_GAMES,
    PACKED: _OF_GAMES,
    TABLE: {
        "postflop play": ("play", "FILE", "--game", "GAME"),
        "postflop report": ("evaluate", "FILE", "--game", "GAME"),
    },
    GAME: {
        "match": ("match", "A", "B", "--game", "FILE"),
        "postflop play": ("play", "FILE"),
    },
    SPOT_SOLUTION: {
        "match": ("play", "FILE", "--seats", "ai,OTHER.spot", "--hands", "1000", "--quiet"),
    },
    PREFLOP_SOLUTION: _OF_HANDS,
    BLUEPRINT: {
        "postflop play": ("play", "FILE"),
        "postflop export": ("export", "FILE", "OUT.csv"),
        "match": ("play", "FILE", "--seats", "ai,OTHER", "--hands", "1000", "--quiet"),
    },
    PUSH_FOLD: _OF_HANDS,
    MULTIWAY: _OF_HANDS,
    SPOT: {
        "inspect": ("postflop", "estimate", "FILE"),
        "export": ("postflop", "export", "FILE", "--out", "OUT.jsonl"),
        "preflop solve": ("postflop", "solve", "FILE", "--out", "OUT.spot"),
    },
    HAND: {
        "blueprint show": ("blueprint", "train", "FILE", "--out", "OUT"),
    },
    DEVICE: {"play": ("play", "GAME", "--mediator", "FILE")},
}
"""The words of the command to call instead of another, where that of `KINDS` would not do."""


def kind_for(command: str, given: str | Path) -> str | None:
    """The kind of the file that a command was given; None where it is none of ours, or no file.

    Raises FileFormatError, which names the command to call, for kinds that this one does not take,
    and for what can only be the name of a file, and there is none.
    """
    path = Path(given)
    kind = file_kind(path)
    if kind is None and looks_like_file(str(given)) and not os.path.exists(path):  # noqa: PTH110
        raise missing_file(path)
    if kind is None or kind in TAKEN[command]:
        return kind
    if kind in (TEXT, EMPTY, BINARY) and str(given).isidentifier():
        return None  # it may be the name of a game, and is no file of ours
    if path.suffix.lower() in ARCHIVE_SUFFIXES and kind not in ARCHIVES:
        return None  # opening it says what it is instead
    raise FileFormatError(
        f"{path} is {words_of(kind)}, which `equilibrist {command}` does not take",
        path,
        option="format",
        given=kind,
        expected=", ".join(TAKEN[command]),
        remedy=_remedy(command, path, kind),
    )


def open_spot(command: str, path: Path) -> PostflopResult:
    """Load the solution of a spot; raises as `kind_for` and `poker.load`."""
    from equilibrist.poker.postflop.files.storage import load

    kind_for(command, path)
    return load(path)


def refuse_options(file: str | Path, kind: str, given: Mapping[str, object]) -> None:
    """Raise ConfigError for the first of these that was given: the kind has no use of it."""
    for flag, value in given.items():
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
    if kind in (CHECKPOINT, TREELESS_CHECKPOINT):
        from equilibrist.library.saved_runs import how_to_resume

        return f"resume it to get a solution: `{how_to_resume(path)}`"
    if kind == BLUEPRINT_CHECKPOINT:
        from equilibrist.library.saved_runs import how_to_train_on

        return f"use `{how_to_train_on(path)} --out OUT`"
    words = _INSTEAD.get(kind, {}).get(command)
    return remedy_for(path, kind) if words is None else f"use `{command_for(path, kind, words)}`"
