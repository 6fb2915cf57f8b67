"""Mappings: the kept action to which an action that was left out is translated.

A bet of size x between two kept ones, the smaller A and the larger B, all as shares of the pot, is
taken for A with some probability f(x) and else for B; a bet beyond all kept ones is taken for the
nearest. Sam Ganzfried and Tuomas Sandholm, "Action translation in extensive-form games with large
action spaces: axioms, paradoxes, and the pseudo-harmonic mapping", IJCAI 2013.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.abstraction.actions.sizes import Sizes
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.parsing.user_code import failure_text, load_function, pass_interrupts

Translate = Callable[[str, tuple[str, ...], Mapping[str, Any]], "str | Mapping[str, float]"]
"""A user's mapping: (label, kept labels, facts) -> a kept label, or {label: probability}."""

_USER = re.compile(r"\s*(?P<path>.*?\.py)\s*:\s*(?P<name>\w+)\s*")


def pseudo_harmonic(size: float, smaller: float, larger: float) -> float:
    """The probability of taking a bet for the smaller of its neighbours.

    f = (B - x)(1 + A) / ((B - A)(1 + x)): the mix of the two under which a player who calls A with
    probability 1 / (1 + A), and B with 1 / (1 + B), calls x with 1 / (1 + x), which leaves a bluff
    of any size without profit.

    Args:
        size: The bet x, as a share of the pot.
        smaller: The next smaller kept bet A.
        larger: The next larger kept bet B.

    Returns:
        f, from 0 to 1.

    Raises:
        ConfigError: Not 0 <= A <= x <= B with A < B.
    """
    x, a, b = (
        finite_number(name, value)
        for name, value in (("size", size), ("smaller", smaller), ("larger", larger))
    )
    if not (0.0 <= a <= x <= b and a < b):
        raise bad_argument("size", size, f"a bet from {a:g} to {b:g}, shares of the pot")
    return (b - x) * (1.0 + a) / ((b - a) * (1.0 + x))


def _nearest(size: float, smaller: float, larger: float) -> float:
    return float(size - smaller <= larger - size)


@dataclass(frozen=True)
class BetMapping:
    """A row of the registry.

    Attributes:
        name: As `--translate` takes it.
        doc: What it does, in a line.
        share: (x, A, B) -> the probability of taking x for A.
        needs_pot: Whether sizes must be shares of the pot.
    """

    name: str
    doc: str
    share: Callable[[float, float, float], float]
    needs_pot: bool = False


_ROWS = (
    BetMapping(
        "pseudo-harmonic",
        "the smaller with probability (B - x)(1 + A) / ((B - A)(1 + x)), sizes in pots",
        pseudo_harmonic,
        needs_pot=True,
    ),
    BetMapping("nearest", "the nearer of the two, the smaller where both are as near", _nearest),
    BetMapping("half", "each of the two with probability 1/2", lambda *_: 0.5),
    BetMapping("down", "the smaller", lambda *_: 1.0),
    BetMapping("up", "the larger", lambda *_: 0.0),
)
MAPPINGS: Final[dict[str, BetMapping]] = {row.name: row for row in _ROWS}
"""The mappings by name; a function of yours, `rules.py:translate`, is one, too."""


@dataclass(frozen=True)
class UserMapping:
    """A user's function `translate(label, kept, facts)`, which returns a label or {label: share}.

    Attributes:
        name: `rules.py:translate`.
        function: The function.
    """

    name: str
    function: Callable[..., Any]

    def shares(
        self, label: str, kept: tuple[str, ...], facts: Mapping[str, Any], place: str
    ) -> dict[int, float]:
        """The probability of each of `kept` by its place; ConfigError for a bad answer."""
        try:
            answer = self.function(label, kept, facts)
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"{self.name} raised for {label!r} {place}: {failure_text(error)}",
                option="translate",
                given=type(error).__name__,
                expected="a kept label, or {label: probability}",
                place=place,
                remedy="correct the function",
            ) from None
        table = {answer: 1.0} if isinstance(answer, str) else answer
        shares: dict[int, float] = {}
        if isinstance(table, Mapping) and set(table) <= set(kept):
            for name, share in table.items():
                if isinstance(share, int | float) and share >= 0.0:
                    shares[kept.index(name)] = float(share)
        if not isinstance(table, Mapping) or len(shares) != len(table) or not _adds_up(shares):
            raise ConfigError(
                f"{self.name} gave {repr_short(answer)} for {label!r} {place}, where "
                f"{', '.join(kept)} are kept",
                option="translate",
                given=answer,
                expected="a kept label, or {label: probability} that adds up to 1",
                place=place,
                remedy="return one of the labels in `kept`, or a dictionary of their probabilities",
            )
        return {k: share for k, share in shares.items() if share > 0.0}


def _adds_up(shares: Mapping[int, float]) -> bool:
    return abs(sum(shares.values()) - 1.0) <= 1e-9


def get_mapping(mapping: str | BetMapping | UserMapping | Translate) -> BetMapping | UserMapping:
    """The mapping of a name, or a user's as `rules.py:translate`.

    Raises UnknownNameError, and ConfigError for a file that cannot be used.
    """
    if isinstance(mapping, BetMapping | UserMapping):
        return mapping
    if callable(mapping):
        return UserMapping(getattr(mapping, "__name__", "given"), mapping)
    if not isinstance(mapping, str):
        raise bad_argument("translate", mapping, f"a name: {', '.join(MAPPINGS)}, or a function")
    user = _USER.fullmatch(mapping)
    if user is None:
        return _named(mapping)
    expected = "a function translate(label, kept, facts)"
    function = load_function(user["path"], user["name"], "translate", expected)
    return UserMapping(f"{user['path']}:{user['name']}", function)


def check_mapping_name(name: str) -> None:
    """UnknownNameError for a name that no mapping has; files of users are not run."""
    if _USER.fullmatch(name) is None:
        _named(name)


def _named(name: str) -> BetMapping:
    try:
        return MAPPINGS[name.strip().lower().replace("_", "-")]
    except KeyError:
        hint = "(a function of yours is named by its file: rules.py:translate)"
        raise UnknownNameError(
            "translation", name, tuple(MAPPINGS), hint, option="translate"
        ) from None


def between(
    size: float, kept: Sizes, share: Callable[[float, float, float], float]
) -> dict[int, float]:
    """The probability of each kept action by its place; empty where none of them has a size."""
    sized = sorted((other, k) for k, other in enumerate(kept) if other is not None)
    below = [entry for entry in sized if entry[0] <= size]
    above = [entry for entry in sized if entry[0] >= size]
    if not sized:
        return {}
    if not below or not above or below[-1][0] == size:
        return {(below[-1] if below else above[0])[1]: 1.0}
    (smaller, low), (larger, high) = below[-1], above[0]
    f = share(size, smaller, larger)
    return {k: p for k, p in ((low, f), (high, 1.0 - f)) if p > 0.0}
