"""Bet sizes as people write them, and the chips that each of them means.

| size | of a bet | of a raise, to |
|---|---|---|
| `70%` | this share of the pot | the bet + this share of the pot after a call |
| `2.5x` | refused | this multiple of the bet |
| `100c` | so many chips | the bet + so many chips |
| `20c3r` | refused | the same, at most three times on a street (limit hold'em) |
| `3e`, `3e200%` | a third of the way to all-in, by equal shares; at most 200 % | the same |
| `e` | `3e` on the flop, `2e` on the turn, `1e` on the river | the same |
| `a` | all-in | all-in |

Fractions of a chip are rounded to the nearest chip, halves up. All amounts of a street are totals
of that street: a raise to 300 over a bet of 120 is 300.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, Final, Literal, NamedTuple, Protocol

Street = Literal[0, 1, 2]
"""0 the flop, 1 the turn, 2 the river."""
STREETS: Final = ("flop", "turn", "river")
"""The names of the streets."""


class Situation(NamedTuple):
    """What a size depends on; all in chips."""

    pot: int
    """In the middle when the street began."""
    bet: int
    """The opponent's total on the street, which is to be matched; 0 if nobody has bet."""
    all_in: int
    """The largest total on the street."""
    street: Street
    raises: int
    """Raises on the street so far; the first bet is none."""


class BetSize(Protocol):
    """One size of a list."""

    only_raises: ClassVar[bool]
    """Whether the size means nothing where nobody has bet."""

    def amount(self, spot: Situation) -> int | None:
        """The total on the street in chips, within no limits; None if the size is used up."""


@dataclass(frozen=True)
class PotShare:
    """`70%`."""

    share: Fraction
    only_raises: ClassVar[bool] = False

    def amount(self, spot: Situation) -> int:
        """The bet, and the share of the pot after a call on top of it."""
        return _rounded(spot.bet + self.share * (spot.pot + 2 * spot.bet))

    def __str__(self) -> str:
        return f"{_decimal(100 * self.share)}%"


@dataclass(frozen=True)
class Multiple:
    """`2.5x`."""

    factor: Fraction
    only_raises: ClassVar[bool] = True

    def amount(self, spot: Situation) -> int:
        """The multiple of the bet."""
        return _rounded(self.factor * spot.bet)

    def __str__(self) -> str:
        return f"{_decimal(self.factor)}x"


@dataclass(frozen=True)
class Chips:
    """`100c`."""

    chips: int
    only_raises: ClassVar[bool] = False

    def amount(self, spot: Situation) -> int:
        """The chips on top of the bet."""
        return spot.bet + self.chips

    def __str__(self) -> str:
        return f"{self.chips}c"


@dataclass(frozen=True)
class CappedChips:
    """`20c3r`."""

    chips: int
    most_raises: int
    only_raises: ClassVar[bool] = True

    def amount(self, spot: Situation) -> int | None:
        """The chips on top of the bet, until the street has seen `most_raises` raises."""
        return spot.bet + self.chips if spot.raises < self.most_raises else None

    def __str__(self) -> str:
        return f"{self.chips}c{self.most_raises}r"


@dataclass(frozen=True)
class Geometric:
    """`3e200%`; `steps` is None where the street says it, `most` where there is no limit."""

    steps: int | None = None
    most: Fraction | None = None
    only_raises: ClassVar[bool] = False

    def amount(self, spot: Situation) -> int:
        """The bet, and the equal share on top of it; a raise that went before is one step less."""
        steps = max((self.steps or 3 - spot.street) - spot.raises, 1)
        pot, behind = spot.pot + 2 * spot.bet, spot.all_in - spot.bet
        if steps == 1 and self.most is None:
            return spot.all_in
        share = (((pot + 2 * behind) / pot) ** (1 / steps) - 1) / 2
        if self.most is not None and share > self.most:
            return _rounded(spot.bet + self.most * pot)
        return _rounded(spot.bet + Fraction(share) * pot)

    def __str__(self) -> str:
        limit = "" if self.most is None else f"{_decimal(100 * self.most)}%"
        return f"{self.steps or ''}e{limit}"


@dataclass(frozen=True)
class AllIn:
    """`a`."""

    only_raises: ClassVar[bool] = False

    def amount(self, spot: Situation) -> int:
        """Everything."""
        return spot.all_in

    def __str__(self) -> str:
        return "a"


def _rounded(chips: Fraction) -> int:
    return (2 * chips.numerator + chips.denominator) // (2 * chips.denominator)


def _decimal(number: Fraction) -> str:
    return format(Decimal(number.numerator) / number.denominator, "f")


Sizes = tuple[BetSize, ...]
"""A list of sizes; empty where a player may not bet or raise."""


@dataclass(frozen=True)
class Thresholds:
    """What changes a list of sizes by itself; 0 is off. Fractions, not percents."""

    add_all_in: float = 0.0
    """All-in is added where it is at most this share of the pot, to lists that are not empty."""
    force_all_in: float = 0.0
    """A bet becomes all-in if a call would leave at most this share of the pot behind."""
    merge: float = 0.0
    """Of two bets of X and Y pots, X > Y, Y goes if (1 + X) / (1 + Y) < 1 + this."""


def amounts(sizes: Sizes, spot: Situation, least: int, thresholds: Thresholds) -> list[int]:
    """The totals on the street that a list means at a spot, rising; the last may be all-in.

    What is below `least`, the smallest legal total, becomes that, and what is above all-in, or if
    all-in is below `least`, becomes all-in.
    """
    pot = spot.pot + 2 * spot.bet
    add, force, merge = map(
        _exact, (thresholds.add_all_in, thresholds.force_all_in, thresholds.merge)
    )
    wanted = [size.amount(spot) for size in sizes]
    if sizes and spot.all_in - spot.bet <= add * pot:
        wanted.append(spot.all_in)
    totals = {min(max(total, least), spot.all_in) for total in wanted if total is not None}
    forced = {
        spot.all_in if spot.all_in - total <= force * (spot.pot + 2 * total) else total
        for total in totals
    }
    kept: list[int] = []
    for total in sorted(forced, reverse=True):
        size, next_larger = pot + total - spot.bet, pot + (kept[-1] if kept else 0) - spot.bet
        if not kept or next_larger >= (1 + merge) * size:
            kept.append(total)
    return kept[::-1]


def _exact(threshold: float) -> Fraction:
    """The decimal number that was written: 0.1 is a tenth, not the double beside it."""
    return Fraction(repr(float(threshold)))
