"""Amounts as people write them: `2GB`, `10m`, `1e6`."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from decimal import Decimal
from typing import Final

from equilibrist.parsing.arguments import bad_argument

_BYTES: Final = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
    "k": 2**10,
    "m": 2**20,
    "g": 2**30,
    "t": 2**40,
}
_SECONDS: Final = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_AMOUNT: Final = re.compile(
    r"([0-9][0-9_]*(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)\s*([a-z]*)", re.IGNORECASE
)
_MOST_DIGITS: Final = 100
"""Digits of a count; beyond that its exact value matters to nobody, and takes memory."""


def read_bytes(text: str, name: str = "memory") -> int:
    """Bytes from `2GB`, `500MB`, `1.5GiB` or a plain number.

    Raises ConfigError for anything else, which names the option `name`, as all these do.
    """
    amount = _amount(text, _BYTES)
    if amount is None or amount < 1:
        raise bad_argument(name, text, "an amount of memory, such as 500MB, 2GB or 1.5GiB")
    return int(amount)


def read_seconds(text: str, name: str = "time") -> float:
    """Seconds from `0`, `90`, `90s`, `10m` or `1.5h`; ConfigError for anything else."""
    amount = _amount(text, _SECONDS)
    if amount is None:
        raise bad_argument(name, text, "a time, such as 90 (seconds), 10m or 1.5h")
    return amount


def read_count(text: str, name: str = "count", least: int = 1) -> int:
    """A whole number of at least `least`, which is not negative, from a text.

    Args:
        text: As `5000`, `10_000`, `10,000` or `1e6`.
        name: What it is, for errors.
        least: The least number that is taken.

    Returns:
        The number.

    Raises:
        ConfigError: It is no such number.
    """
    match = _AMOUNT.fullmatch(text.replace(",", "").strip())
    amount = None if match is None or match[2] else Decimal(match[1].replace("_", ""))
    if (
        amount is None
        or amount.adjusted() > _MOST_DIGITS
        or amount != int(amount)
        or amount < least
    ):
        raise bad_argument(name, text, f"a whole number of at least {least}")
    return int(amount)


def read_positive(text: str, name: str = "number") -> float:
    """A positive number such as `1e-3`; else ConfigError."""
    amount = _amount(text, {"": 1.0})
    if amount is None or amount <= 0:
        raise bad_argument(name, text, "a plain number above 0, such as 1e-3")
    return amount


def read_whole(text: str, name: str = "number") -> int:
    """A whole number such as `7` or `-1`; else ConfigError."""
    with suppress(ValueError):
        return int(text)
    raise bad_argument(name, text, "a whole number, such as 7")


def _amount(text: str, units: dict[str, int] | dict[str, float]) -> float | None:
    text = text.strip()
    match = _AMOUNT.fullmatch("0" + text if text.startswith(".") else text)
    if match is None or match[2].lower() not in units:
        return None
    amount = float(match[1].replace("_", "")) * units[match[2].lower()]
    return amount if math.isfinite(amount) else None
