"""The text of a spot file (TOML)."""

from __future__ import annotations

import json
import os
import re
import tomllib
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.archive import file_kind, folder_error
from equilibrist.storage.kinds.file_kinds import (
    EMPTY,
    HAND,
    INCOMPLETE,
    KINDS,
    PACKAGE,
    PLAYED,
    SETUPS,
    SPOT,
    TEXT,
    another_kind,
)
from equilibrist.storage.plain_file import (
    cannot_read,
    decoded_file,
    not_text,
    parse_json,
    read_plain_file,
)

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that need no quotes."""
_DESCRIPTIONS: Final = (SPOT, HAND, TEXT, EMPTY)
"""Kinds of files that may be TOML."""
_MENDED: Final = (PACKAGE, INCOMPLETE)
"""Kinds of files that may hold a description: their own remedies come first."""
_SETTING: Final = re.compile(
    r"^[ \t]*(#(?:Range[01]|Board|Pot|EffectiveStacks|(?:Flop|Turn|River)Config(?:IP)?\.\w+)#).*$",
    re.MULTILINE,
)
"""A setting of a tree of PioSOLVER, whose lines are comments of TOML."""
_MOST_PARTS: Final = 16
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_\"'-])(?:{_PART}\.[ \t]*+){{{_MOST_PARTS},}}")
"""A key of more parts; the standard parser takes a time that grows with their square."""


def parse_spot(text: str) -> dict[str, Any]:
    """The keys in the text of a spot file, which may begin with a byte order mark.

    An object in JSON is taken, too. Raises ValueError, and RecursionError for tables too deep,
    where it is neither.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):  # as no TOML does
        keys: dict[str, Any] = parse_json(text)
        return keys
    if (long_key := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, long_key.start()) + 1
        raise ValueError(f"a key of more than {_MOST_PARTS} parts (at line {line})")
    return tomllib.loads(text)


def read_spot_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys in a spot file; raises FileFormatError if it is none, and OSError."""
    return read_toml_file(path, "a spot file", 'board = "QsJh2h" and pot = 60', refused=HAND)


def read_toml_file(
    path: str | os.PathLike[str], what: str, example: str, refused: str
) -> dict[str, Any]:
    """The keys in a file that describes a spot or a hand.

    Args:
        path: The file.
        what: What it should be: "a spot file".
        example: What its lines look like.
        refused: SPOT or HAND, whichever is not wanted.

    Raises:
        FileFormatError: It is a file of another kind or not TOML, or cannot be read.
    """
    file = file_name("path", path)
    kind = file_kind(file)
    lines = f"its lines are keys and values, such as {example}"
    if kind is not None and kind not in _DESCRIPTIONS:
        is_taken = kind in _MENDED or (kind in KINDS and KINDS[kind].command)
        remedy = None if is_taken else f"give {what}: {lines}"
        raise another_kind(file, kind, what, option="file", remedy=remedy)
    try:
        content = read_plain_file(file)
    except IsADirectoryError:
        taken = (HAND,) if refused == SPOT else (SPOT, *SETUPS, *PLAYED)
        raise folder_error(file, what, taken) from None
    except OSError as error:
        raise cannot_read(file, error) from None
    try:
        text = decoded_file(path, content)
        keys = parse_spot(text)
    except (ValueError, RecursionError) as error:
        form = "JSON" if isinstance(error, json.JSONDecodeError) else "TOML"
        reason, remedy = f"{error}", lines
        if isinstance(error, UnicodeDecodeError):
            reason, remedy = not_text(error)
        raise FileFormatError(
            f"{path} is not {what} in {form}: {reason}",
            path,
            option="file",
            expected=what,
            remedy=remedy,
        ) from None
    if (setting := _SETTING.search(text)) is not None:
        place = f"{path}, line {text.count(chr(10), 0, setting.start(1)) + 1}"
        raise FileFormatError(
            f"{place}: {setting[1]} is a line of PioSOLVER, and a comment of TOML",
            path,
            option=setting[1],
            given=setting[0].strip(),
            expected=what,
            place=place,
            remedy=f"write all of the file in one form; in {what} {lines}",
        )
    if kind == refused and (kind == HAND or not {"oop", "ip"}.isdisjoint(keys)):
        raise another_kind(file, kind, what, option="file")
    return keys


def spot_text(keys: dict[str, Any]) -> str:
    """The keys of a spot as TOML; the locks come last, as tables of their own."""
    lines = _lines({key: value for key, value in keys.items() if key != "locks"})
    for lock in keys.get("locks", ()):
        lines += ["", "[[locks]]", *_lines({k: v for k, v in lock.items() if k != "hands"})]
        if "hands" in lock:
            lines += ["[locks.hands]", *_lines(lock["hands"])]
    return "\n".join(lines) + "\n"


def _lines(table: dict[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _value(value: Any) -> str:
    """A value; JSON's escapes suffice for the texts of spots."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(_lines(value))} }}" if value else "{}"
    return json.dumps(value)
