"""The kinds of files that users have, a row each: what they are called, and what takes them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import join
from types import MappingProxyType
from typing import Final, NamedTuple

from equilibrist.errors import FileFormatError

SOLUTION: Final = "solution"
PACKED: Final = "packed-strategy"
SPOT_SOLUTION: Final = "spot-solution"
THREE_SPOT: Final = "three-spot-solution"
CHECKPOINT: Final = "checkpoint"
TREELESS_CHECKPOINT: Final = "treeless-checkpoint"
TRAINING_CHECKPOINT: Final = "training-checkpoint"
SPOT_CHECKPOINT: Final = "spot-checkpoint"
PREFLOP_SOLUTION: Final = "preflop-solution"
PREFLOP_CHECKPOINT: Final = "preflop-checkpoint"
BLUEPRINT: Final = "blueprint"
BLUEPRINT_CHECKPOINT: Final = "blueprint-checkpoint"
PUSH_FOLD: Final = "push-fold-solution"
MULTIWAY: Final = "multiway-solution"
SAMPLED_CHECKPOINT: Final = "sampled-checkpoint"
DEVICE: Final = "device"
CARDS: Final = "card-buckets"
CARDS_STAGE: Final = "card-buckets-stage"
VALUE_NETWORK: Final = "value-network"
VALUE_CHECKPOINT: Final = "value-checkpoint"
HOLDEM_ROWS: Final = "holdem-value-rows"
HOLDEM_NETWORK: Final = "holdem-value-network"
HOLDEM_CHECKPOINT: Final = "holdem-value-checkpoint"

SPOT: Final = "spot"
HAND: Final = "hand"
TABLE: Final = "table"
GAME: Final = "game"
RANGES: Final = "ranges"
BOARDS: Final = "boards"
HANDS: Final = "hands"
HAND_LINES: Final = "hand-lines"
PHH: Final = "hand-histories"
HISTORY: Final = "site-hand-histories"
MATCH_LOG: Final = "match-log"
MATCH_ACTIONS: Final = "match-transactions"
MATCH_GAME: Final = "game-definition"
BOT_MATCH: Final = "bot-match"
NORMAL_FORM: Final = "normal-form"
SPOT_TREE: Final = "spot-tree"
HAND_DECISIONS: Final = "hand-decisions"
REPORT: Final = "spot-report"
REVIEW: Final = "hand-review"
MEASUREMENTS: Final = "measurements"
PRINTED: Final = "printed-document"
PAYOFFS: Final = "payoff-table"
PIO: Final = "pio-tree"
SCRIPT: Final = "solver-script"
SETUP: Final = "solver-setup"
BATCH: Final = "batch"
BATCH_SETTINGS: Final = "batch-settings"
CSV: Final = "csv"
JSON: Final = "json"
INCOMPLETE: Final = "incomplete-json"
PICTURE: Final = "picture"
DOCUMENT: Final = "document"
PACKAGE: Final = "package"
ARRAYS: Final = "arrays"
PICKLE: Final = "pickle"
FOREIGN_TENSORS: Final = "foreign-safetensors"
TOML: Final = "toml"
TEXT: Final = "text"
BINARY: Final = "binary"
EMPTY: Final = "empty"

TABLES: Final = (TABLE, CSV, JSON, INCOMPLETE)
"""Kinds that are read as tables: of the last three the reader says what they lack to be one."""
SETUPS: Final = (PIO, SCRIPT, SETUP)
"""Kinds of files with the set-up of another solver."""
PLAYED: Final = (PHH, HISTORY, HANDS, HAND_LINES, MATCH_LOG)
"""Kinds of files with played hands."""


GAMES: Final = (GAME, NORMAL_FORM, PAYOFFS)
"""Kinds that hold the rules of a game."""


class FileKind(NamedTuple):
    """What a kind of file is called in messages, and what takes it.

    Attributes:
        words: The name, with an article.
        command: The words behind `equilibrist` of the command that takes it, FILE for the file;
            none where no command does.
        remedy: What to do instead of calling a command, whatever was expected; none where that
            depends on it.
        as_strategy: What to do with it where a table of a strategy is taken.
        opener: The public name, behind `equilibrist.`, of what opens it in Python.
        taken_by: The commands that take such files, among those that take files of many kinds.
        instead: The words of the command to call in place of another one that does not take it,
            where `command` would not do.
        has_charts: Whether it holds play of whole hands of hold'em, of which the browser shows
            charts before the flop.
        is_checkpoint: Whether it is the checkpoint of a run.
        tables: The suffixes of the tables and documents that `export` writes of it.
    """

    words: str
    command: tuple[str, ...] = ()
    remedy: str = ""
    as_strategy: str = ""
    opener: str = ""
    taken_by: tuple[str, ...] = ()
    instead: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    has_charts: bool = False
    is_checkpoint: bool = False
    tables: tuple[str, ...] = ()


_INSPECT: Final = ("inspect", "FILE")
_SHOW_HANDS: Final = ("hands", "show", "FILE")
NO_COMMAND: Final = "no command reads such files"
_EXPORTED: Final = "other programs read it; give the solution itself"
_CONVERT: Final = "no command reads it; export the strategy from there as a table in CSV or JSON"
_STRATEGY: Final = ("inspect", "play", "export", "evaluate", "match", "graft", "resolve")
_HOLDEM: Final = ("inspect", "play", "export", "evaluate", "bot play", "bot serve")
_HAND: Final = (
    *_HOLDEM,
    "bot match",
    "bot evaluate",
    "acpc client",
    "acpc game",
    "bot challenge",
    "hands review",
)
_INSTEAD_OF_SPOT: Final = {
    "bot play": ("play", "FILE"),
    "bot match": ("match", "FILE", "OTHER"),
    "postflop play": ("play", "FILE"),
    "postflop report": ("evaluate", "FILE"),
    "postflop mistakes": ("evaluate", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
}
"""Of the solution of a game where that of a spot was expected."""
_SOLVE_SPOT: Final = ("postflop", "solve", "FILE", "--out", "OUT.spot")
_HANDS_TAKEN_BY: Final = ("postflop report", "postflop mistakes", "postflop export")
_SPOT_TAKEN_BY: Final = (*_HANDS_TAKEN_BY, "hands review")
_INSTEAD_OF_UNSOLVED: Final = {
    "inspect": ("postflop", "estimate", "FILE"),
    "export": ("postflop", "export", "FILE", "--out", "OUT.jsonl"),
    "preflop solve": _SOLVE_SPOT,
}
"""Of a spot that is not solved yet."""
_GAME: Final = ("inspect", "play", "export")
_INSTEAD_OF_GAME: Final = {
    "match": ("match", "A", "B", "--game", "FILE"),
    "postflop play": ("play", "FILE"),
}
_SEATS: Final = ("play", "FILE", "--seats", "ai,OTHER.spot", "--hands", "1000", "--quiet")
_SEATS_OF_THREE: Final = ("play", "FILE", "--seats", "ai,ai,uniform", "--hands", "1000", "--quiet")
_INSTEAD_OF_MATCH: Final = {
    "match": ("bot", "match", "FILE", "OTHER"),
    "postflop play": ("play", "FILE"),
    "postflop export": ("export", "FILE", "OUT.csv"),
}
"""Of the solution of a hand."""

KINDS: Final[dict[str, FileKind]] = {
    SOLUTION: FileKind(
        "the solution of a game",
        _INSPECT,
        opener="load_result",
        taken_by=(*_STRATEGY, "bot serve", "bot evaluate", "site"),
        instead=_INSTEAD_OF_SPOT,
        tables=(".csv", ".json", ".parquet"),
    ),
    PACKED: FileKind(
        "a strategy that was found without a tree",
        _INSPECT,
        opener="load_result",
        taken_by=(*_STRATEGY, "bot serve", "site"),
        instead=_INSTEAD_OF_SPOT,
        tables=(".csv", ".json", ".parquet"),
    ),
    SPOT_SOLUTION: FileKind(
        "the solution of a spot",
        _INSPECT,
        opener="load_result",
        taken_by=(
            *_HOLDEM,
            "postflop show",
            "postflop browse",
            "postflop compare",
            "postflop play",
            "postflop report",
            "postflop mistakes",
            "postflop export",
            "hands review",
            "site",
        ),
        instead=dict.fromkeys(("match", "bot match"), _SEATS),
        tables=(".csv", ".json", ".jsonl", ".parquet"),
    ),
    THREE_SPOT: FileKind(
        "the solution of a spot with three ranges",
        _INSPECT,
        opener="load_result",
        taken_by=(
            "inspect",
            "play",
            "export",
            "evaluate",
            "postflop show",
            "postflop browse",
            "postflop play",
            "postflop report",
            "bot play",
            "bot serve",
        ),
        instead={
            **dict.fromkeys(("match", "bot match"), _SEATS_OF_THREE),
            "postflop export": ("export", "FILE", "OUT.csv"),
            "postflop compare": ("evaluate", "FILE"),
        },
        tables=(".csv", ".json", ".txt"),
    ),
    DEVICE: FileKind(
        "a correlation device",
        _INSPECT,
        opener="equilibria.CorrelationDevice.load",
        taken_by=("inspect",),
        instead={"play": ("play", "GAME", "--mediator", "FILE")},
    ),
    CARDS: FileKind(
        "a file of card buckets",
        ("cards", "show", "FILE"),
        opener="poker.CardBuckets.load",
        taken_by=("inspect", "cards show"),
    ),
    CARDS_STAGE: FileKind(
        "a finished street of card buckets that are being built", ("cards", "build", "--help")
    ),
    HOLDEM_ROWS: FileKind(
        "a part of a dataset of hold'em values",
        ("postflop", "train", "FOLDER", "--out", "turn.safetensors"),
    ),
    HOLDEM_NETWORK: FileKind(
        "a hold'em value network",
        ("postflop", "solve", "SPOT.toml", "--values", "FILE"),
        opener="learned.holdem_values.load_holdem_values",
        taken_by=("inspect",),
    ),
    HOLDEM_CHECKPOINT: FileKind(
        "the checkpoint of a hold'em value network that is being trained",
        ("postflop", "train", "FOLDER", "--checkpoint", "FILE", "--resume"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    BLUEPRINT: FileKind(
        "a blueprint",
        _INSPECT,
        opener="load_result",
        taken_by=(*_HAND, "site"),
        instead=_INSTEAD_OF_MATCH,
        has_charts=True,
        tables=(".csv", ".json", ".txt"),
    ),
    BLUEPRINT_CHECKPOINT: FileKind(
        "the checkpoint of a blueprint that is being trained",
        ("blueprint", "train", "--resume", "FILE", "--out", "OUT"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    CHECKPOINT: FileKind(
        "the checkpoint of a run on a tree",
        ("solve", "GAME", "--resume", "FILE"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    TREELESS_CHECKPOINT: FileKind(
        "the checkpoint of a run without a tree",
        ("solve", "GAME", "--resume", "FILE"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    TRAINING_CHECKPOINT: FileKind(
        "the checkpoint of a run that trains networks",
        ("train", "GAME", "--resume", "FILE"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    SPOT_CHECKPOINT: FileKind(
        "the checkpoint of a run on a spot",
        ("postflop", "solve", "--resume", "FILE", "--out", "OUT.spot"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    PREFLOP_SOLUTION: FileKind(
        "the solution of a hand",
        _INSPECT,
        opener="load_result",
        taken_by=(*_HAND, "resolve", "site"),
        instead=_INSTEAD_OF_MATCH,
        has_charts=True,
        tables=(".csv", ".json", ".txt"),
    ),
    PREFLOP_CHECKPOINT: FileKind(
        "the checkpoint of a run on a hand",
        ("preflop", "solve", "--resume", "FILE", "--out", "OUT"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    PUSH_FOLD: FileKind(
        "a file with charts of push or fold",
        _INSPECT,
        opener="load_result",
        taken_by=(*_HAND, "site"),
        instead=_INSTEAD_OF_MATCH,
        has_charts=True,
        tables=(".csv", ".json", ".txt"),
    ),
    MULTIWAY: FileKind(
        "the solution of a hand of several seats",
        _INSPECT,
        opener="load_result",
        taken_by=(*_HAND, "site"),
        instead=_INSTEAD_OF_MATCH,
        has_charts=True,
        tables=(".csv", ".json", ".txt"),
    ),
    SAMPLED_CHECKPOINT: FileKind(
        "the checkpoint of a run on sampled deals",
        _INSPECT,
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    VALUE_NETWORK: FileKind(
        "a value network", ("resolve", "GAME", "--values", "FILE"), taken_by=("inspect",)
    ),
    VALUE_CHECKPOINT: FileKind(
        "the checkpoint of values that are being trained",
        ("train-values", "--resume", "FILE", "--out", "OUT"),
        taken_by=("inspect",),
        is_checkpoint=True,
    ),
    SPOT: FileKind(
        "a spot that is not solved yet",
        _SOLVE_SPOT,
        taken_by=_SPOT_TAKEN_BY,
        instead=_INSTEAD_OF_UNSOLVED,
    ),
    HAND: FileKind(
        "a hand that is not solved yet",
        ("preflop", "solve", "FILE", "--out", "OUT"),
        taken_by=("acpc game",),
        instead={"blueprint show": ("blueprint", "train", "FILE", "--out", "OUT")},
    ),
    TABLE: FileKind(
        "a table of a strategy",
        ("inspect", "FILE", "--game", "GAME"),
        taken_by=_STRATEGY,
        instead={
            "postflop play": ("play", "FILE", "--game", "GAME"),
            "postflop report": ("evaluate", "FILE", "--game", "GAME"),
            "postflop mistakes": ("evaluate", "FILE", "--game", "GAME"),
        },
    ),
    GAME: FileKind("a game", ("solve", "FILE"), taken_by=_GAME, instead=_INSTEAD_OF_GAME),
    RANGES: FileKind("a file of ranges", ("range", "FILE")),
    BOARDS: FileKind(
        "a list of boards",
        ("postflop", "batch", "SPOT.toml", "--boards", "FILE", "--out", "OUT"),
    ),
    HANDS: FileKind("a log of hands", _SHOW_HANDS, taken_by=_HANDS_TAKEN_BY),
    HAND_LINES: FileKind(
        "a file of played hands (JSON lines)", _SHOW_HANDS, taken_by=_HANDS_TAKEN_BY
    ),
    PHH: FileKind("a file of hand histories (PHH)", _SHOW_HANDS, taken_by=_HANDS_TAKEN_BY),
    MATCH_LOG: FileKind("a match log of the ACPC", _SHOW_HANDS, taken_by=_HANDS_TAKEN_BY),
    MATCH_ACTIONS: FileKind(
        "a log of the transactions of a match of the ACPC",
        ("acpc", "dealer", "MATCH.game", "--append", "--transactions", "FILE"),
    ),
    BOT_MATCH: FileKind("a log of a match of bots", ("bot", "match", "A", "B", "--log", "FILE")),
    MATCH_GAME: FileKind(
        "a game definition of the ACPC", ("acpc", "dealer", "FILE", "--hands", "100")
    ),
    HISTORY: FileKind("a file of hand histories", _SHOW_HANDS, taken_by=_HANDS_TAKEN_BY),
    NORMAL_FORM: FileKind(
        "a payoff table of Gambit's (.nfg)",
        ("solve", "FILE"),
        taken_by=_GAME,
        instead=_INSTEAD_OF_GAME,
    ),
    PAYOFFS: FileKind(
        "a payoff table",
        ("solve", "FILE"),
        taken_by=_GAME,
        instead=_INSTEAD_OF_GAME,
    ),
    SPOT_TREE: FileKind("an exported tree of a spot", remedy=_EXPORTED),
    HAND_DECISIONS: FileKind("a file of exported decisions of a hand", remedy=_EXPORTED),
    REPORT: FileKind("a report of a spot", remedy=_EXPORTED),
    REVIEW: FileKind("a review of played hands", remedy=_EXPORTED),
    MEASUREMENTS: FileKind(
        "a table of the measurements of a comparison",
        remedy="other programs read it; give a solution",
    ),
    PRINTED: FileKind(
        "a document that a command printed with --json",
        remedy="other programs read it; give the file that the command read or saved",
    ),
    PIO: FileKind(
        "a tree configuration of PioSOLVER",
        _SOLVE_SPOT,
        taken_by=_SPOT_TAKEN_BY,
        instead=_INSTEAD_OF_UNSOLVED,
    ),
    SCRIPT: FileKind(
        "a script for another solver",
        _SOLVE_SPOT,
        taken_by=_SPOT_TAKEN_BY,
        instead=_INSTEAD_OF_UNSOLVED,
    ),
    SETUP: FileKind(
        "a set-up of WASM Postflop or Desktop Postflop",
        _SOLVE_SPOT,
        taken_by=_SPOT_TAKEN_BY,
        instead=_INSTEAD_OF_UNSOLVED,
    ),
    BATCH: FileKind(
        "the folder of a batch",
        remedy="its report is the file report.csv in it; `equilibrist postflop show` and "
        "`equilibrist postflop browse` open the solutions that it keeps",
        taken_by=("postflop show", "postflop browse", "postflop compare"),
    ),
    BATCH_SETTINGS: FileKind(
        "the settings of a batch", remedy="its report is the file report.csv beside it"
    ),
    CSV: FileKind(
        "a table without a column infoset",
        as_strategy="a strategy has the columns infoset, action, probability",
        taken_by=_STRATEGY,
    ),
    JSON: FileKind(
        "a JSON file that holds no strategy",
        as_strategy="a strategy is {infoset: {action: probability}}",
        taken_by=_STRATEGY,
    ),
    INCOMPLETE: FileKind("a file whose JSON is not complete", remedy="write it again"),
    PICTURE: FileKind("a picture"),
    DOCUMENT: FileKind("a document of another program", as_strategy=_CONVERT),
    PACKAGE: FileKind("a compressed file", remedy="unpack it, and give a file in it"),
    ARRAYS: FileKind("a file of NumPy arrays", as_strategy=_CONVERT),
    PICKLE: FileKind(
        "a pickle of Python",
        as_strategy="it is never opened, as it could run anything; " + _CONVERT,
    ),
    FOREIGN_TENSORS: FileKind("a safetensors file of another program", as_strategy=_CONVERT),
    TOML: FileKind("a TOML file without a spot or a hand"),
    TEXT: FileKind("a text"),
    BINARY: FileKind("a binary file"),
    EMPTY: FileKind("an empty file", remedy="give another one"),
}
"""All kinds."""
ARCHIVES: Final = tuple(
    kind
    for kind, row in KINDS.items()
    if row.opener or row.is_checkpoint or kind in (CARDS_STAGE, HOLDEM_ROWS)
)
"""The kinds that Equilibrist saves as archives."""
ARCHIVE_SUFFIXES: Final = (".safetensors", ".spot", ".ckpt", ".device")
"""If such a file holds no text, it is taken for a damaged archive."""
CHARTS: Final = tuple(kind for kind, row in KINDS.items() if row.has_charts)
"""The kinds with play of whole hands, which have charts before the flop."""
CHECKPOINTS: Final = tuple(kind for kind, row in KINDS.items() if row.is_checkpoint)

_PART: Final = r"""[^()\[\]{}=,:"'\n/]"""
_FILE_NAME: Final = re.compile(
    rf"(?:{_PART}*/)+{_PART}*\w{_PART}*|{_PART}*[^()\[\]{{}}=,:\"'\n/.\s]\.[A-Za-z][A-Za-z0-9]{{0,15}}"
)
_LONGEST_NAME: Final = 4096
_MOST_SAMPLED_SEATS: Final = 6
"""The most seats of hands that `preflop multiway` solves."""


def looks_like_file(text: object) -> bool:
    """Whether a word can only be meant as a file that holds no game: it has a suffix or a folder.

    Rules in Python and files of Gambit's are games.
    """
    if not isinstance(text, str) or len(text) > _LONGEST_NAME:
        return False
    return _FILE_NAME.fullmatch(text) is not None and Path(text).suffix.lower() not in (
        ".py",
        ".efg",
    )


def missing_file(text: object) -> FileFormatError:
    """The error for the name of a file that does not exist."""
    remedy = "check the name, and the folder that you are in"
    if Path(f"{text}").suffix.lower() in ARCHIVE_SUFFIXES:
        remedy += "; `equilibrist last` lists the stored solutions"
    is_link = isinstance(text, str | Path) and os.path.islink(text)  # noqa: PTH114 - no error
    return FileFormatError(
        f"{text} is a link that leads to no file" if is_link else f"there is no file {text}",
        text,
        option="file",
        given=os.strerror(errno.ENOENT),
        remedy=remedy,
    )


def words_of(kind: str) -> str:
    """Name a kind in messages, with an article."""
    return KINDS[kind].words if kind in KINDS else f"a {kind}"


def suffix_of(kind: str) -> str:
    """The suffix that files of this kind usually have, which are archives."""
    if kind == SPOT_SOLUTION:
        return ".spot"
    return ".ckpt" if kind in CHECKPOINTS else ".safetensors"


def opening(kind: str) -> str | None:
    """The code that opens a file of this kind in Python; None where nothing does."""
    opener = KINDS[kind].opener if kind in KINDS else ""
    return f"{opener}(path)" if opener else None


def command_for(path: Path, kind: str, words: tuple[str, ...]) -> str:
    """The command with these words behind `equilibrist`, FILE replaced by a file of this kind."""
    argument = game_argument(path, kind) if kind in GAMES else str(path)
    return f"equilibrist {join(argument if word == 'FILE' else word for word in words)}"


def game_argument(path: Path, kind: str) -> str:
    """How a file that holds a game of this kind is named as one, by its suffix or with a prefix."""
    if kind == GAME:
        return str(path) if path.suffix.lower() in (".py", ".efg") else f"efg:{path}"
    return str(path) if looks_like_file(str(path)) else f"payoffs:{path}"


def remedy_for(path: Path, kind: str, otherwise: str = NO_COMMAND) -> str | None:
    """The remedy for a file of this kind where another one was expected.

    Args:
        path: The file.
        kind: What it is.
        otherwise: The remedy where `KINDS` names none for the kind.

    Returns:
        The remedy; None for an unknown kind.
    """
    if kind not in KINDS:
        return None
    if (place := place_in(path, kind)) is not None:
        return f"write it again, or mend it at {place.removeprefix(f'{path}, ')}"
    words = _hand_command(path) if kind == HAND else KINDS[kind].command
    return use(path, kind, words) if words else KINDS[kind].remedy or otherwise


def use(path: Path, kind: str, words: tuple[str, ...]) -> str:
    """Advise the command with these words, FILE replaced by a file of this kind."""
    return f"use `{command_for(path, kind, words)}`"


def place_in(path: Path, kind: str) -> str | None:
    """Where a file of this kind is at fault, as `game.json, line 2, column 8`; None for others."""
    if kind != INCOMPLETE:
        return None
    from equilibrist.storage.plain_file import text_of
    from equilibrist.storage.table_forms.documents import place_of_fault

    place = None
    with suppress(OSError, ValueError):
        place = place_of_fault(text_of(path.read_bytes()))
    return None if place is None else f"{path}, {place}"


def _hand_command(path: Path) -> tuple[str, ...]:
    """The command that solves the hand of a file, by its seats."""
    import json  # not for `equilibrist --help`
    import tomllib

    from equilibrist.storage.plain_file import text_of

    try:
        text = text_of(path.read_bytes())
        load = json.loads if text.lstrip().startswith("{") else tomllib.loads
        seats = load(text).get("seats", 2)
    except (OSError, ValueError, RecursionError):  # the command for two seats says what is wrong
        seats = 2
    if not isinstance(seats, int) or seats <= 2:
        return KINDS[HAND].command
    if seats <= _MOST_SAMPLED_SEATS:
        return ("preflop", "multiway", "FILE", "--out", "OUT")
    return ("blueprint", "train", "FILE", "--out", "OUT")


def another_kind(
    path: Path, kind: str, wanted: str, *, option: str = "format", remedy: str | None = None
) -> FileFormatError:
    """The error for a file of one kind where another one was expected.

    Args:
        path: The file.
        kind: What it is.
        wanted: What was expected, a kind or its name with an article.
        option: What is at fault.
        remedy: What to do, by default what `KINDS` says, else to give a file that was expected.

    Returns:
        The error.
    """
    words = words_of(wanted) if wanted in KINDS else wanted
    otherwise = f"give {words}"
    if wanted in (TABLE, SOLUTION) and kind in KINDS:
        otherwise = KINDS[kind].as_strategy or otherwise
    return FileFormatError(
        f"{path} is {words_of(kind)}, not {words}",
        path,
        option=option,
        given=kind,
        expected=wanted,
        place=place_in(path, kind) or str(path),
        remedy=remedy or remedy_for(path, kind, otherwise),
    )
