"""Which kinds of files each command takes, and the command to call instead for all others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Final

from equilibrist.cli.inputs.dispatch.file_kinds import (
    BLUEPRINT,
    BLUEPRINT_CHECKPOINT,
    CARDS,
    CARDS_STAGE,
    CHARTS,
    CHECKPOINT,
    CHECKPOINTS,
    DEVICE,
    GAME,
    HANDS,
    MULTIWAY,
    PACKED,
    PREFLOP_CHECKPOINT,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    RANGES,
    SAMPLED_CHECKPOINT,
    SOLUTION,
    SPOT,
    SPOT_CHECKPOINT,
    SPOT_SOLUTION,
    TABLE,
    TREELESS_CHECKPOINT,
    file_kind,
    words_of,
)
from equilibrist.errors import ConfigError, FileFormatError

if TYPE_CHECKING:
    from equilibrist.poker.solutions.result import PostflopResult

_STRATEGIES: Final = (SOLUTION, PACKED, TABLE)
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

_ANY: Final = ""
_OF_GAMES: Final = {
    "postflop play": ("play", "FILE"),
    "postflop report": ("evaluate", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
    _ANY: ("inspect", "FILE"),
}
_OF_HANDS: Final = {
    "match": ("play", "FILE"),
    "postflop play": ("play", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
    _ANY: ("inspect", "FILE"),
}
_SOLVE_SPOT: Final = ("postflop", "solve", "FILE", "--out", "OUT.spot")
_INSTEAD: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    SOLUTION: _OF_GAMES,
    PACKED: _OF_GAMES,
    TABLE: {
        "postflop play": ("play", "FILE", "--game", "GAME"),
        "postflop report": ("evaluate", "FILE", "--game", "GAME"),
        _ANY: ("inspect", "FILE", "--game", "GAME"),
    },
    GAME: {
        "match": ("match", "A", "B", "--game", "FILE"),
        "postflop play": ("play", "FILE"),
        _ANY: ("solve", "FILE"),
    },
    SPOT_SOLUTION: {
        "match": ("play", "FILE", "--seats", "ai,OTHER.spot", "--hands", "1000", "--quiet"),
        _ANY: ("inspect", "FILE"),
    },
    PREFLOP_SOLUTION: _OF_HANDS,
    BLUEPRINT: {
        "postflop play": ("play", "FILE"),
        "postflop show": ("inspect", "FILE"),
        "postflop export": ("export", "FILE", "OUT.csv"),
        "match": ("play", "FILE", "--seats", "ai,OTHER", "--hands", "1000", "--quiet"),
        _ANY: ("inspect", "FILE"),
    },
    PUSH_FOLD: _OF_HANDS,
    MULTIWAY: _OF_HANDS,
    SAMPLED_CHECKPOINT: {_ANY: ("inspect", "FILE")},
    PREFLOP_CHECKPOINT: {_ANY: ("preflop", "solve", "--resume", "FILE", "--out", "OUT")},
    SPOT_CHECKPOINT: {_ANY: ("postflop", "solve", "--resume", "FILE", "--out", "OUT.spot")},
    SPOT: {
        "inspect": ("postflop", "estimate", "FILE"),
        "export": ("postflop", "export", "FILE", "--out", "OUT.jsonl"),
        _ANY: _SOLVE_SPOT,
    },
    DEVICE: {"play": ("play", "GAME", "--mediator", "FILE"), _ANY: ("inspect", "FILE")},
    RANGES: {_ANY: ("range", "FILE")},
    CARDS: {_ANY: ("cards", "show", "FILE")},
    CARDS_STAGE: {_ANY: ("cards", "build", "--help")},
}
"""The words of the command to call instead of another; _ANY for all others."""


def kind_for(command: str, given: str | Path) -> str | None:
    """The kind of the file that a command was given; None where it is none of ours, or no file.

    Raises FileFormatError, which names the command to call, for kinds that this one does not take.
    """
    path = Path(given)
    kind = file_kind(path)
    if kind is None or kind in TAKEN[command]:
        return kind
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
    from equilibrist.poker.files.storage import load

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


def _remedy(command: str, path: Path, kind: str) -> str:
    if kind == HANDS:
        return (
            f"read it in Python: equilibrist.play.read_log({str(path)!r}); "
            "`equilibrist play --log` adds to it"
        )
    if kind in (CHECKPOINT, TREELESS_CHECKPOINT):
        from equilibrist.cli.inputs.dispatch.saved_runs import how_to_resume

        return f"resume it to get a solution: `{how_to_resume(path)}`"
    if kind == BLUEPRINT_CHECKPOINT:
        from equilibrist.cli.inputs.dispatch.saved_runs import how_to_train_on

        return f"use `{how_to_train_on(path)} --out OUT`"
    found = _INSTEAD[kind]
    words = found.get(command) or found[_ANY]
    return f"use `equilibrist {join(str(path) if word == 'FILE' else word for word in words)}`"
