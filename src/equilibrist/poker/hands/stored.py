"""How files hold a hand: as the keys that are not at their defaults, in plain values."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand


def stored_hand(hand: Hand) -> dict[str, Any]:
    """Write a hand as files hold it.

    Args:
        hand: The hand.

    Returns:
        The keys that are not at their defaults, as JSON has them.
    """
    return hand.model_dump(mode="json", exclude_defaults=True)


def stored_keys(stored: object) -> dict[str, Any]:
    """The keys of a hand in a file, which are not checked.

    Args:
        stored: What `stored_hand` gave, or the text of a hand file, as earlier files have it.

    Returns:
        The keys.

    Raises:
        TypeError: It is neither.
        ValueError: The text is not TOML.
    """
    if isinstance(stored, str):
        return tomllib.loads(stored)
    if not isinstance(stored, dict):
        raise TypeError(f"a hand is a table of keys, not {type(stored).__name__}")
    return stored


def read_stored_hand(stored: object) -> Hand:
    """The hand in a file.

    Args:
        stored: As for `stored_keys`.

    Returns:
        The hand, validated.

    Raises:
        TypeError: As from `stored_keys`, and so is ValueError.
        ConfigError: As from `Hand`, and so are UnknownNameError and BetSizeSyntaxError.
    """
    from equilibrist.poker.hands.hand import Hand

    return Hand(**stored_keys(stored))
