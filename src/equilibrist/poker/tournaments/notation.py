"""Stacks and payouts as people write them: `5000/3000/2000`, `Ann:12.5k/Bob:8k`, `50%/30%/20%`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from math import isfinite
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError, NotationError

_SCALES: Final = {"": 1.0, "k": 1e3, "m": 1e6, "bb": 1.0, "%": 1.0}
_NUMBER: Final = re.compile(
    r"[$€£¥]?\s*((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9_]+)?(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)\s*"
    r"(k|m|bb|%)?\s*[$€£¥]?\s*(?:[x*]\s*([0-9]+))?",
    re.IGNORECASE,
)
_MOST_REPEATS: Final = 100_000
_BRACKETS: Final = {("[", "]"), ("(", ")")}
_RATIO: Final = re.compile(r"[\d.,%]+(?:\s*[:=]\s*[\d.,%]+)+")
"""Numbers between colons."""
_FORMS: Final = "a number, such as 5000, 12.5k or 200x3 (three times 200)"


class Amounts(NamedTuple):
    """A list of amounts as it was written."""

    numbers: list[float]
    names: list[str] | None
    """The names before colons; None where none has one."""
    in_percent: bool
    """Whether the amounts have a percent sign."""


def read_amounts(text: str, kind: str) -> Amounts:
    """Read a list of amounts.

    Amounts stand between slashes, or between commas, semicolons or spaces where there is no slash;
    between slashes and spaces a comma separates thousands. `Ann:5000` or `Ann=5000` has a name,
    and `200x3` is 200 three times.

    Args:
        text: The list.
        kind: What an amount is, for messages: `stack` or `payout`.

    Returns:
        The amounts in order.

    Raises:
        NotationError: The text is no such list; has the position, and `kind` with an s as option.
    """
    try:
        return _read_amounts(text, kind)
    except NotationError as error:
        error.option = f"{kind}s"
        raise


def _read_amounts(text: str, kind: str) -> Amounts:
    numbers, names, percents = list[float](), list[str](), set[bool]()
    whole = text.strip()
    inside = whole[1:-1] if (whole[:1], whole[-1:]) in _BRACKETS else text
    start = text.find(inside)
    parts = [(start + at, part) for at, part in _parts(inside)]
    for position, part in parts:
        name, given, at = _named(part, position)
        if len(parts) == 1 and _RATIO.fullmatch(part):  # a name that is a number, of nobody else
            raise NotationError(
                f"{part!r} may be several {kind}s, or one with a name",
                text,
                position,
                remedy=f"write {re.sub('[:=]', '/', part)}",
            )
        match = _NUMBER.fullmatch(given)
        if match is None or not match[1] or match[1] in "._":
            raise NotationError(
                f"{given.strip()!r} is no {kind}", text, at, remedy=f"give {_FORMS}"
            )
        unit = (match[2] or "").lower()
        times = min(int(match[3] or 1), _MOST_REPEATS + 1)
        try:
            number = float(match[1].replace(",", "").replace("_", "")) * _SCALES[unit]
        except ValueError:
            number = float("inf")
        if not isfinite(number) or not 1 <= times <= _MOST_REPEATS - len(numbers):
            raise NotationError(
                f"{given.strip()!r} is no {kind}",
                text,
                at,
                remedy=f"give {_FORMS}, at most {_MOST_REPEATS:,} in all",
            )
        percents.add(unit == "%")
        if len(percents) > 1:
            raise NotationError(
                "amounts with and without a percent sign",
                text,
                at,
                remedy="give all of them in one unit",
            )
        numbers += [number] * times
        names += [name if times == 1 or not name else f"{name} {k + 1}" for k in range(times)]
    if not numbers:
        raise NotationError(
            f"there is no {kind}", text, 0, remedy=f"give {_FORMS}, between slashes"
        )
    named = any(names)
    called = [name or f"Player {number}" for number, name in enumerate(names, 1)]
    return Amounts(numbers, called if named else None, percents == {True})


def read_amount(text: str, kind: str) -> float:
    """Read one amount, such as `$1,200` or `1.2k`; ConfigError, `kind` names the option."""
    match = _NUMBER.fullmatch(text.strip())
    unit = (match[2] or "").lower() if match else "%"
    number = 0.0
    if match and match[1] and match[1] not in "._" and unit != "%" and not match[3]:
        with suppress(ValueError):
            number = float(match[1].replace(",", "").replace("_", "")) * _SCALES[unit]
    if not 0 < number < float("inf"):
        raise ConfigError(
            f"{kind} is {text!r}; expected an amount above 0",
            option=kind,
            given=text,
            expected="an amount above 0",
            remedy="give a number, such as 1200 or 1.2k",
        )
    return number


def read_prizes(payouts: str, pool: str | None = None) -> list[float]:
    """Read payouts, as shares of the prize pool if that is given.

    Args:
        payouts: The payouts from the first place down; with a pool, in percent.
        pool: The prize pool.

    Returns:
        The payouts, in the unit of the pool.

    Raises:
        NotationError: The payouts cannot be read.
        ConfigError: The pool cannot be read, or the payouts are no shares of it.
    """
    prizes = read_amounts(payouts, "payout")
    if pool is None:
        return prizes.numbers
    total = read_amount(pool, "pool")
    if not prizes.in_percent:
        raise ConfigError(
            "the pool is what payouts in percent are shares of",
            option="pool",
            given=pool,
            remedy="give payouts with percent signs, such as 50%/30%/20%, or leave out the pool",
        )
    if sum(prizes.numbers) > 100 * (1 + 1e-9):
        raise ConfigError(
            f"the payouts add up to {sum(prizes.numbers):g} % of the prize pool",
            option="payouts",
            given=payouts,
            remedy="give shares of at most 100 % in all",
        )
    return [total * percent / 100 for percent in prizes.numbers]


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """The parts with where they begin; a separator at the end is ignored."""
    separator = "/" if "/" in text else "[,;]" if re.search("[,;]", text) else r"\s"
    if separator == "[,;]" and _with_thousands(text):
        separator = r"\s"
    pattern = separator if separator != r"\s" else r"\s+"
    begin = 0
    ends = [*re.finditer(pattern, text), None]
    for match in ends:
        part = text[begin : len(text) if match is None else match.start()]
        spaces = len(part) - len(part.lstrip())
        if part.strip():
            yield begin + spaces, part.strip()
        elif separator != r"\s" and match is not None:
            raise NotationError(
                "there is nothing before the separator",
                text,
                match.start(),
                remedy="give an amount between two separators",
            )
        begin = begin if match is None else match.end()


def _with_thousands(text: str) -> bool:
    """Whether commas separate thousands, in amounts between spaces: `12,500 8,000 4,000`."""
    words = text.split()
    return (
        len(words) > 1
        and "," in words[0]
        and all(_NUMBER.fullmatch(word.rpartition(":")[2]) for word in words)
    )


def _named(part: str, position: int) -> tuple[str, str, int]:
    """The name before the last colon or equals sign, the amount and where it begins."""
    cut = max(part.rfind(":"), part.rfind("="))
    if cut < 0:
        return "", part, position
    given = part[cut + 1 :]
    spaces = len(given) - len(given.lstrip())
    return part[:cut].strip(), given.strip(), position + cut + 1 + spaces
