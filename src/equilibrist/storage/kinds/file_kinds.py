"""The kinds of files that users have: what they are called, and which command takes them."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from shlex import join
from typing import Final, NamedTuple

from equilibrist.errors import FileFormatError

SOLUTION: Final = "solution"
PACKED: Final = "packed-strategy"
SPOT_SOLUTION: Final = "spot-solution"
CHECKPOINT: Final = "checkpoint"
TREELESS_CHECKPOINT: Final = "treeless-checkpoint"
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

SPOT: Final = "spot"
HAND: Final = "hand"
TABLE: Final = "table"
GAME: Final = "game"
RANGES: Final = "ranges"
HANDS: Final = "hands"
PHH: Final = "hand-histories"
HISTORY: Final = "site-hand-histories"
NORMAL_FORM: Final = "normal-form"
SPOT_TREE: Final = "spot-tree"
PIO: Final = "pio-tree"
SCRIPT: Final = "solver-script"
BATCH: Final = "batch"
CSV: Final = "csv"
JSON: Final = "json"
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

TABLES: Final = (TABLE, CSV, JSON)
"""Kinds that are read as tables: of the last two the reader says what they lack to be one."""
CHARTS: Final = (PUSH_FOLD, MULTIWAY)
CHECKPOINTS: Final = (
    CHECKPOINT,
    TREELESS_CHECKPOINT,
    SPOT_CHECKPOINT,
    PREFLOP_CHECKPOINT,
    SAMPLED_CHECKPOINT,
    BLUEPRINT_CHECKPOINT,
)


class FileKind(NamedTuple):
    """What a kind of file is called in messages, and what takes it.

    Attributes:
        words: The name, with an article.
        command: The words behind `equilibrist` of the command that takes it, FILE for the file;
            none where no command does.
        remedy: What to do instead of calling a command.
    """

    words: str
    command: tuple[str, ...] = ()
    remedy: str = ""


_INSPECT: Final = ("inspect", "FILE")
_NOT_YET: Final = "no command reads it yet"
_NO_COMMAND: Final = "no command reads such files"
_CONVERT: Final = "no command reads it; export the strategy from there as a table in CSV or JSON"

KINDS: Final[dict[str, FileKind]] = {
    SOLUTION: FileKind("the solution of a game", _INSPECT),
    PACKED: FileKind("a strategy that was found without a tree", _INSPECT),
    SPOT_SOLUTION: FileKind("the solution of a spot", _INSPECT),
    DEVICE: FileKind("a correlation device", _INSPECT),
    CARDS: FileKind("a file of card buckets", ("cards", "show", "FILE")),
    CARDS_STAGE: FileKind(
        "a finished street of card buckets that are being built", ("cards", "build", "--help")
    ),
    BLUEPRINT: FileKind("a blueprint", _INSPECT),
    BLUEPRINT_CHECKPOINT: FileKind(
        "the checkpoint of a blueprint that is being trained",
        ("blueprint", "train", "--resume", "FILE", "--out", "OUT"),
    ),
    CHECKPOINT: FileKind(
        "the checkpoint of a run on a tree", ("solve", "GAME", "--resume", "FILE")
    ),
    TREELESS_CHECKPOINT: FileKind(
        "the checkpoint of a run without a tree", ("solve", "GAME", "--resume", "FILE")
    ),
    SPOT_CHECKPOINT: FileKind(
        "the checkpoint of a run on a spot",
        ("postflop", "solve", "--resume", "FILE", "--out", "OUT.spot"),
    ),
    PREFLOP_SOLUTION: FileKind("the solution of a hand", _INSPECT),
    PREFLOP_CHECKPOINT: FileKind(
        "the checkpoint of a run on a hand",
        ("preflop", "solve", "--resume", "FILE", "--out", "OUT"),
    ),
    PUSH_FOLD: FileKind("a file with charts of push or fold", _INSPECT),
    MULTIWAY: FileKind("the solution of a hand of several seats", _INSPECT),
    SAMPLED_CHECKPOINT: FileKind("the checkpoint of a run on sampled deals", _INSPECT),
    SPOT: FileKind(
        "a spot that is not solved yet", ("postflop", "solve", "FILE", "--out", "OUT.spot")
    ),
    HAND: FileKind("a hand that is not solved yet", ("preflop", "solve", "FILE", "--out", "OUT")),
    TABLE: FileKind("a table of a strategy", ("inspect", "FILE", "--game", "GAME")),
    GAME: FileKind("a game", ("solve", "FILE")),
    RANGES: FileKind("a file of ranges", ("range", "FILE")),
    HANDS: FileKind("a log of hands"),
    PHH: FileKind("a file of hand histories (PHH)", remedy=_NOT_YET),
    HISTORY: FileKind("a file of hand histories", remedy=_NOT_YET),
    NORMAL_FORM: FileKind(
        "a payoff table of Gambit's (.nfg)",
        remedy="only Gambit reads it; games are read from .efg files, and payoffs are given as "
        "matrix(payoffs=[[0,1],[1,0]])",
    ),
    SPOT_TREE: FileKind(
        "an exported tree of a spot", remedy="other programs read it; give the solution itself"
    ),
    PIO: FileKind(
        "a tree of PioSOLVER",
        remedy="no command reads it yet; give board, ranges, pot, stack and sizes as a spot file "
        "(TOML) or as options of `equilibrist postflop solve`",
    ),
    SCRIPT: FileKind(
        "a script for another solver",
        remedy="no command reads it yet; give board, ranges, pot, stack and sizes as a spot file "
        "(TOML) or as options of `equilibrist postflop solve`",
    ),
    BATCH: FileKind("the folder of a batch", remedy="its report is the file report.csv in it"),
    CSV: FileKind("a table without a column infoset", remedy=_NO_COMMAND),
    JSON: FileKind(
        "a JSON file that holds no strategy",
        remedy="a strategy is {infoset: {action: probability}}",
    ),
    PICTURE: FileKind("a picture", remedy=_NO_COMMAND),
    DOCUMENT: FileKind("a document of another program", remedy=_CONVERT),
    PACKAGE: FileKind("a compressed file", remedy="unpack it, and give a file in it"),
    ARRAYS: FileKind("a file of NumPy arrays", remedy=_CONVERT),
    PICKLE: FileKind(
        "a pickle of Python", remedy="it is never opened, as it could run anything; " + _CONVERT
    ),
    FOREIGN_TENSORS: FileKind("a safetensors file of another program", remedy=_CONVERT),
    TOML: FileKind("a TOML file without a spot or a hand", remedy=_NO_COMMAND),
    TEXT: FileKind("a text", remedy=_NO_COMMAND),
    BINARY: FileKind("a binary file", remedy=_NO_COMMAND),
    EMPTY: FileKind("an empty file", remedy="give another one"),
}
"""All kinds."""
ARCHIVES: Final = (*KINDS,)[: [*KINDS].index(SAMPLED_CHECKPOINT) + 1]
"""The kinds that Equilibrist saves as archives."""
ARCHIVE_SUFFIXES: Final = (".safetensors", ".spot", ".ckpt", ".device")
"""If such a file holds no text, it is taken for a damaged archive."""

OPENERS: Final = {
    SOLUTION: "load_result(path)",
    PACKED: "load_result(path)",
    SPOT_SOLUTION: "load_result(path)",
    DEVICE: "equilibria.CorrelationDevice.load(path)",
    CARDS: "poker.CardBuckets.load(path)",
    PREFLOP_SOLUTION: "poker.load_preflop(path)",
    PUSH_FOLD: "poker.load_push_fold(path)",
    MULTIWAY: "poker.load_multiway(path)",
    BLUEPRINT: "blueprint.Blueprint.load(path)",
}
"""What opens archives in Python."""

_PART: Final = r"""[^()\[\]{}=,:"'\n/]"""
_FILE_NAME: Final = re.compile(
    rf"(?:{_PART}*/)+{_PART}*\w{_PART}*|{_PART}*[^()\[\]{{}}=,:\"'\n/.\s]\.[A-Za-z][A-Za-z0-9]{{0,15}}"
)
_LONGEST_NAME: Final = 4096


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
    """What a kind is called in messages, with an article."""
    return KINDS[kind].words if kind in KINDS else f"a {kind}"


def command_for(path: Path, kind: str, words: tuple[str, ...]) -> str:
    """The command with these words behind `equilibrist`, FILE replaced by a file of this kind."""
    named = kind != GAME or path.suffix.lower() in (".py", ".efg")
    argument = str(path) if named else f"efg:{path}"
    return f"equilibrist {join(argument if word == 'FILE' else word for word in words)}"


def remedy_for(path: Path, kind: str) -> str | None:
    """What to do with a file of this kind where another one was expected."""
    if kind not in KINDS:
        return None
    if kind == HANDS:
        return (
            f"read it in Python: equilibrist.play.read_log({str(path)!r}); "
            "`equilibrist play --log` adds to it"
        )
    words = KINDS[kind].command
    return f"use `{command_for(path, kind, words)}`" if words else KINDS[kind].remedy or None


def another_kind(
    path: Path, kind: str, wanted: str, *, option: str = "format", remedy: str | None = None
) -> FileFormatError:
    """The error for a file of one kind where another one was expected.

    Args:
        path: The file.
        kind: What it is.
        wanted: What was expected, a kind or its name with an article.
        option: What is at fault.
        remedy: What to do, by default what `KINDS` says.

    Returns:
        The error.
    """
    words = words_of(wanted) if wanted in KINDS else wanted
    return FileFormatError(
        f"{path} is {words_of(kind)}, not {words}",
        path,
        option=option,
        given=kind,
        expected=wanted,
        remedy=remedy or remedy_for(path, kind),
    )
