"""Hands by name: `royal(bets=all)`, `hand(stack=20,bets="50%,a")`.

A name stands for some keys of `Hand`; those in brackets are added, or replace them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from equilibrist.errors import ConfigError, UnknownNameError

NAMED_HANDS: Final[dict[str, dict[str, Any]]] = {
    "hand": {},
    "royal": {"blinds": (1, 2), "stack": 20, "deck": "T", "board": (3,), "bets": "all"},
}
"""Keys by name. `royal` is no-limit royal hold'em with two rounds: the 20 cards from the tens up, a
showdown after the flop, and every whole bet; the smallest no-limit game of M. Johanson, "Measuring
the size of large no-limit poker games", 2013."""
_NAME = re.compile(r"\s*([A-Za-z]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_BEGINNING = re.compile(r"\s*([A-Za-z]+)\s*(?:\(|\Z)")
_KEY = re.compile(
    r"""\s*(?P<key>\w+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<plain>[^,"'()=]+?))"""
    r"\s*(?:,|\Z)"
)
_SWITCHES: Final = {"true": True, "false": False}
_COUNTS: Final = ("seats", "suits", "hole_cards")
"""Keys that are whole numbers, and nothing that is written otherwise."""


def is_hand_name(text: str) -> bool:
    """Whether a text names a hand, rather than a file.

    Args:
        text: A text.

    Returns:
        True for a known name, with or without brackets.
    """
    match = _BEGINNING.match(text)
    return match is not None and match[1].lower() in NAMED_HANDS


def hand_keys(text: str) -> dict[str, Any]:
    """Read the keys of a hand that is given by name.

    Args:
        text: The name, perhaps with keys in brackets; values with commas are quoted.

    Returns:
        The keys, which `Hand` checks.

    Raises:
        UnknownNameError: No hand has that name.
        ConfigError: The keys cannot be read.
    """
    if not is_hand_name(text):
        name = text.split("(", maxsplit=1)[0].strip()
        raise UnknownNameError("hand", name, list(NAMED_HANDS), option="hand")
    match = _NAME.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"the hand {text} does not end with a bracket",
            option="hand",
            given=text,
            expected="name(key=value,...)",
            remedy="close the bracket, with nothing after it",
        )
    keys = dict(NAMED_HANDS[match[1].lower()])
    inner = match[2] or ""
    position = 0
    while inner[position:].strip():
        entry = _KEY.match(inner, position)
        if entry is None:
            column = match.start(2) + position + 1
            raise ConfigError(
                f"the keys of the hand cannot be read from column {column} on",
                option="hand",
                given=text,
                place=f"column {column}",
                expected='key=value, separated by commas, such as stack=20,bets="50%,a"',
                remedy="write key=value, and values with commas in quotes",
            )
        value = entry["double"] or entry["single"] or entry["plain"] or ""
        is_count = entry["key"] in _COUNTS and value.isdecimal()
        keys[entry["key"]] = int(value) if is_count else _SWITCHES.get(value.lower(), value)
        position = entry.end()
    return keys
