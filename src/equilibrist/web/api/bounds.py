"""Bounds of the spots that a request may give, checked before anything takes long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from equilibrist.web.errors import TooLargeError

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

MOST_SIZES: Final = 30
"""Sizes in one list of a street."""
MOST_LINES: Final = 300
"""Added lines, removed lines, or locks."""
MOST_STATES: Final = 60_000
"""Distinct betting states of a spot. A flop with more needs hundreds of gigabytes."""
LONGEST: Final = 250_000
"""Characters of one text of a spot, or of a spot file."""
_LISTS: Final = ("added_lines", "removed_lines", "locks", "folded")
_SIZES: Final = frozenset(
    {"bets", "raises", "donks", "oop_bets", "oop_raises", "ip_bets", "ip_raises"}
)


def check_texts(keys: Mapping[str, Any]) -> None:
    """Raise TooLargeError for keys of a spot with more sizes, lines or characters than are read.

    Args:
        keys: Keys of a spot, of any values: only texts and lists are looked at.
    """
    for name, value in keys.items():
        if isinstance(value, str):
            _check(name, len(value), LONGEST, "characters")
            if name in _SIZES:
                most = max(map(_sizes_in, value.split("|")))
                _check(name, most, MOST_SIZES, "sizes in one list")
        elif name in _LISTS and isinstance(value, list | tuple):
            _check(name, len(value), MOST_LINES, "entries")
            characters = sum(len(entry) for entry in value if isinstance(entry, str))
            _check(name, characters, LONGEST, "characters")


def bounded(spot: Spot) -> Spot:
    """The spot itself, with its betting enumerated up to the bound of a server.

    Raises MemoryBudgetError where there is more.
    """
    from equilibrist.poker.betting.public_tree import WalkedBetting
    from equilibrist.poker.betting.street_tree import street_bettings

    if "betting" not in spot.__dict__:
        rules = spot.rules()
        spot.__dict__["betting"] = WalkedBetting(rules, street_bettings(rules, MOST_STATES))
    return spot


def _sizes_in(text: str) -> int:
    return text.count(",") + 1


def _check(name: str, count: int, most: int, what: str) -> None:
    if count > most:
        raise TooLargeError(
            f"{name} has {count:,} {what}; expected at most {most:,}",
            option=name,
            given=count,
            expected=most,
            remedy="give fewer",
        )
