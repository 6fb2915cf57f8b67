"""Text from users' games as people can see it: control characters escaped, nothing obeyed.

Infoset keys, action labels and names of games are any text. Printed as they are, some would
steer the terminal (ESC), break a table (a line end), turn a line around (bidirectional marks) or
make a picture invalid (XML has no way to write most control characters).
"""

from __future__ import annotations

from unicodedata import category

_HARMLESS = frozenset({"Zs", "Co"})
"""Not printable by Python's definition, but neither obeyed nor invisible: spaces, private use."""


def visible(text: str) -> str:
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


def visible_lines(text: str) -> str:
    """The same for a text of several lines, whose line ends are meant."""
    if text.isprintable():
        return text
    return "\n".join(visible(line) for line in text.split("\n"))
