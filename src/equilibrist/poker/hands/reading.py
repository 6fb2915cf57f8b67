"""Readers of the fields of a hand: each takes a given value and returns the checked one.

All raise ConfigError, and errors of notation with the key and the position.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Final

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.betting.chips import read_chips
from equilibrist.poker.hands.fields import HAND_KEYS
from equilibrist.poker.postflop.spot.reading import at_place
from equilibrist.poker.postflop.spot.toml import read_toml_file
from equilibrist.storage.kinds.file_kinds import SPOT

_SPOT_KEYS: Final = frozenset({"oop", "ip", "pot", "donks", "rake"})
"""Keys of spots that are none of hands."""


def check_hand_keys(keys: Any) -> Any:
    """The table of keys itself; UnknownNameError for a key that is not known."""
    if not isinstance(keys, dict):
        raise bad_argument("hand", keys, "a table of keys")
    for key in keys:
        if key in _SPOT_KEYS:
            raise ConfigError(
                f"{key} is a key of a spot, which begins on the flop; a hand begins with the deal",
                option="key",
                given=key,
                remedy="solve it with `equilibrist postflop solve`, or remove the key",
            )
        if key not in HAND_KEYS:
            raise UnknownNameError("key of a hand", str(key), list(HAND_KEYS), option=str(key))
    if keys.get("stack") is None and keys.get("stacks") is None:
        raise ConfigError(
            "the stack is missing",
            option="stack",
            remedy="give the stack before posting in big blinds, such as 100",
        )
    return keys


def read_amount_or_zero(name: str, value: object) -> float:
    """An amount of at most four decimals, 0 allowed."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value == 0:
        return 0
    if isinstance(value, str) and value.strip() in {"0", "0.0"}:
        return 0
    return read_chips(name, value)


def read_amounts(name: str, value: object, count: int | None, example: str) -> tuple[float, ...]:
    """Amounts separated by strokes, or a list of them."""
    if isinstance(value, str):
        pieces: Sequence[object] = [piece.strip() for piece in value.split("/")]
    elif isinstance(value, list | tuple):
        pieces = value
    else:
        pieces = [value]
    if count is not None and len(pieces) != count:
        raise bad_argument(name, value, f"{count} amounts, such as {example}")
    return tuple(read_amount_or_zero(name, piece) for piece in pieces)


def read_cap(value: object) -> int | tuple[int | None, ...] | None:
    """A cap, or one a street: a number, or a text such as `4|3|3|3`, `none` for no cap."""
    if value is None:
        return None
    if isinstance(value, str):
        pieces: list[object] = [
            None if text.strip().lower() in {"", "none"} else _whole(text)
            for text in value.split("|")
        ]
        return _one_cap(pieces[0]) if len(pieces) == 1 else tuple(map(_one_cap, pieces))
    if isinstance(value, list | tuple):
        return tuple(map(_one_cap, value))
    return _one_cap(value)


def _one_cap(value: object) -> int | None:
    return None if value is None else whole_number("raise_cap", value, 0, 100)


def _whole(text: str) -> object:
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdecimal() else text


def read_board_cards(value: object) -> tuple[int, ...]:
    """The board cards of each street after the first."""
    pieces: Sequence[object]
    if isinstance(value, str):
        pieces = [_whole(text) for text in value.split("/")] if value.strip() else []
    elif isinstance(value, list | tuple):
        pieces = value
    else:
        pieces = [value]
    if len(pieces) > 3:
        raise bad_argument("board", value, "at most three streets after the first, as in 3/1/1")
    return tuple(whole_number("board", piece, 1, 5) for piece in pieces)


def read_text(name: str, value: object, example: str) -> str:
    """A text, and nothing else."""
    if isinstance(value, str):
        return value
    raise bad_argument(name, value, f"sizes as text, such as '{example}'")


def read_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """One of some texts."""
    if isinstance(value, str) and value.strip().lower() in choices:
        return value.strip().lower()
    raise bad_argument(name, value, f"one of {', '.join(choices)}")


def exact(amount: float) -> Fraction:
    """An amount as the decimal number that it stands for."""
    return Fraction(repr(amount))


@contextmanager
def at_key(key: str) -> Iterator[None]:
    """Name the key that is at fault in errors."""
    try:
        yield
    except EquilibristError as error:
        error.add_place(key)
        error.option = key
        raise


def read_hand_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys in a hand file; raises FileFormatError if it is none, and OSError."""
    return read_toml_file(path, "a hand file", "stack = 100", refused=SPOT)


__all__ = [
    "at_key",
    "at_place",
    "check_hand_keys",
    "exact",
    "read_amount_or_zero",
    "read_amounts",
    "read_board_cards",
    "read_cap",
    "read_choice",
    "read_hand_file",
    "read_text",
]
