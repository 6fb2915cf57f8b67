"""The text of a spot file (TOML)."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.poker.spots.reading import other_file
from equilibrist.storage.plain_file import read_plain_file

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that need no quotes."""
_MOST_PARTS: Final = 16
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_\"'-])(?:{_PART}\.[ \t]*+){{{_MOST_PARTS},}}")
"""A key of more parts; the standard parser takes a time that grows with their square."""


def parse_spot(text: str) -> dict[str, Any]:
    """The keys in the text of a spot file.

    Raises ValueError, and RecursionError for tables too deep, where it is not TOML.
    """
    if (found := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"a key of more than {_MOST_PARTS} parts (at line {line})")
    return tomllib.loads(text)


def read_spot_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys in a spot file; raises FileFormatError if it is none, and OSError."""
    content = read_plain_file(Path(path))
    try:
        return parse_spot(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        text = "it is not text" if isinstance(error, UnicodeDecodeError) else f"{error}"
        other = other_file(path)
        its_lines = 'its lines are keys and values, such as board = "QsJh2h" and pot = 60'
        raise FileFormatError(
            f"{path} is not a spot file in TOML: {other or text}",
            path,
            option="file",
            expected="a spot file",
            remedy=None if other else its_lines,
        ) from None


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
