"""Text from users' games made safe to print: control characters are escaped.

Infoset keys, action labels and names of games are any text. Printed as they are, some would
steer the terminal (ESC), break a table (a line end), turn a line around (bidirectional marks) or
make a picture invalid (XML has no way to write most control characters).
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from unicodedata import category

_HARMLESS = frozenset({"Zs", "Co"})
"""Not printable by Python's definition, but neither obeyed nor invisible: spaces, private use."""
_ODD = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\U000e0001-\U000e007f]"
)
"""What JSON may hold as it is, but terminals obey or do not show; JSON can escape it."""

_FORMULA: Final = re.compile(r"('*)[=+\-@\t\r]..*", re.DOTALL)
"""What spreadsheets take for a formula, unless it is a number; one sign alone is none."""
_NUMBER: Final = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?%?|[-+]inf", re.IGNORECASE
)
_LONG_WORD: Final = 400
_LONG_TEXT: Final = 2_000
_WORDS: Final = re.compile(rf"\S{{{_LONG_WORD + 1},}}")


def escape_control_chars(text: str) -> str:
    r"""`text` with control and format characters written as Python does: `\n`, `\x1b`, `\u202e`.

    Backslashes stay as they are: this is for reading, not for reading back.
    """
    if text.isprintable():
        return text
    return "".join(
        char
        if char.isprintable() or category(char) in _HARMLESS
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def escape_lines(text: str) -> str:
    """Escape control characters in a text of several lines, whose line ends are meant."""
    if text.isprintable():
        return text
    return "\n".join(escape_control_chars(line) for line in text.split("\n"))


def guard_cell(text: str) -> str:
    """A cell of CSV that spreadsheets take for text: names of users may begin as formulas do.

    Args:
        text: What the cell says.

    Returns:
        The text, behind an apostrophe where it begins with =, +, -, @ or a blank sign and is no
        number; `unguard_cell` gives the text.
    """
    is_formula = _FORMULA.fullmatch(text) is not None and _NUMBER.fullmatch(text) is None
    return f"'{text}" if is_formula else text


def unguard_cell(text: str) -> str:
    """The text of a cell that `guard_cell` wrote, or that anybody else wrote without a guard."""
    found = _FORMULA.fullmatch(text)
    return text if found is None or not found[1] else text[1:]


def repr_short(value: object) -> str:
    """`value` on one short line, for a message; objects may fail to print themselves."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def shorten(text: str) -> str:
    """A message without the middle of what makes it endless: long words, or thousands of words.

    What was given may be of any length, and a message repeats it: a name of a million letters, a
    matrix of 90,000 numbers.

    Args:
        text: A message, of several lines if it tells of several errors.

    Returns:
        The same text if it has at most 2,000 characters and no word of more than 400.
    """
    if len(text) <= _LONG_WORD:
        return text
    text = _WORDS.sub(lambda match: _without_middle(match[0], 200, 40), text)
    return text if len(text) <= _LONG_TEXT else _without_middle(text, 1_200, 600)


def _without_middle(text: str, first: int, last: int) -> str:
    left_out = len(text) - first - last
    return f"{text[:first]}... ({left_out:,} characters left out) ...{text[-last:]}"


def json_text(document: Any, *, indent: int | None = None) -> str:
    """A JSON document in which control and format characters stand as escapes; NaN is refused."""
    text = json.dumps(document, allow_nan=False, ensure_ascii=False, indent=indent)
    return _ODD.sub(lambda match: json.dumps(match[0])[1:-1], text)
