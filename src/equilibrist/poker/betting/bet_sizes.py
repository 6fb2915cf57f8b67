"""Bet sizes in the usual notation, and the chips that each amounts to.

| size | of a bet | of a raise, to |
|---|---|---|
| `70%` | this share of the pot | the bet + this share of the pot after a call |
| `2.5x` | not allowed | this multiple of the bet |
| `100c` | 100 chips | the bet + 100 chips |
| `20c3r` | not allowed | the bet + 20 chips, at most 3 raises on a street (limit hold'em) |
| `3e`, `3e200%` | geometric: all-in in 3 equal shares of the pot; at most 200 % | the same |
| `e` | `3e` on the flop, `2e` on the turn, `1e` on the river | the same |
| `a` | all-in | all-in |
| `all` | every whole amount, from the smallest legal one to all-in | the same |

Amounts are whole numbers of the unit of the rules: a chip, or 0.1, 0.01 ... chips where the rules
have decimal amounts. Fractions of a unit are rounded to the nearest, halves up. All amounts of a
street are totals of that street: a raise to 300 over a bet of 120 is 300.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, Final, Literal, NamedTuple, Protocol

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.betting.chips import WHOLE, ChipScale

Street = Literal[0, 1, 2]
"""0 the flop, 1 the turn, 2 the river."""
EVERY_BET: Final = "all"
"""The word for every amount."""
MOST_AMOUNTS: Final = 1000
"""The most amounts of a bet or raise that a tree offers where no list names them."""
STREETS: Final = ("flop", "turn", "river")
"""The names of the streets."""


class Situation(NamedTuple):
    """The arguments of a size; amounts in units of `scale`, which are chips by default.

    Attributes:
        street: 0 flop, 1 turn, 2 river.
    """

    pot: int
    """In the middle when the street began."""
    bet: int
    """The opponent's total on the street, which must be matched; 0 if there is no bet."""
    all_in: int
    """The largest total on the street."""
    street: Street
    raises: int
    """Raises on the street so far, not counting the first bet."""
    scale: ChipScale = WHOLE
    """How many units are in a chip."""


class BetSize(Protocol):
    """A bet size."""

    only_raises: ClassVar[bool]
    """Whether the size is defined for raises only."""

    def totals(self, situation: Situation, least: int) -> Sequence[int]:
        """The totals of bets or raises of this size.

        Args:
            situation: Where they are made.
            least: The smallest legal total.

        Returns:
            The player's totals on the street in units, before limits; none if the size is used up.
        """


class _OneBet:
    """A size of one bet."""

    def amount(self, situation: Situation) -> int | None:
        """The total of the bet; None if the size is used up."""
        raise NotImplementedError

    def totals(self, situation: Situation, least: int) -> Sequence[int]:
        """The total of the bet, before limits; none if the size is used up."""
        del least
        total = self.amount(situation)
        return () if total is None else (total,)


@dataclass(frozen=True)
class PotShare(_OneBet):
    """`70%`: a share of the pot after a call.

    Attributes:
        share: The share, 1 for the whole pot.
    """

    share: Fraction
    only_raises: ClassVar[bool] = False

    def amount(self, situation: Situation) -> int:
        """The total on the street: the bet plus the share of the pot after a call."""
        return _rounded(situation.bet + self.share * (situation.pot + 2 * situation.bet))

    def __str__(self) -> str:
        return f"{_decimal(100 * self.share)}%"


@dataclass(frozen=True)
class Multiple(_OneBet):
    """`2.5x`: a multiple of the bet.

    Attributes:
        factor: The multiple.
    """

    factor: Fraction
    only_raises: ClassVar[bool] = True

    def amount(self, situation: Situation) -> int:
        """The total on the street: the multiple of the bet."""
        return _rounded(self.factor * situation.bet)

    def __str__(self) -> str:
        return f"{_decimal(self.factor)}x"


@dataclass(frozen=True)
class Chips(_OneBet):
    """`100c`: chips on top of the bet.

    Attributes:
        chips: How many.
    """

    chips: float
    only_raises: ClassVar[bool] = False

    def amount(self, situation: Situation) -> int:
        """The total on the street: the chips on top of the bet."""
        return situation.bet + situation.scale.units(self.chips)

    def __str__(self) -> str:
        return f"{self.chips}c"


@dataclass(frozen=True)
class CappedChips(_OneBet):
    """`20c3r`: chips on top of the bet, while the street has seen fewer raises.

    Attributes:
        chips: How many.
        most_raises: The size is used up after this many raises.
    """

    chips: float
    most_raises: int
    only_raises: ClassVar[bool] = True

    def amount(self, situation: Situation) -> int | None:
        """The total on the street: the chips on top of the bet; None after `most_raises` raises."""
        if situation.raises >= self.most_raises:
            return None
        return situation.bet + situation.scale.units(self.chips)

    def __str__(self) -> str:
        return f"{self.chips}c{self.most_raises}r"


@dataclass(frozen=True)
class Geometric(_OneBet):
    """`3e200%`: equal shares of the pot that put the stack in after some bets.

    Attributes:
        steps: The number of bets; None for one per street that is left.
        most: The largest share of the pot; None for no limit.
    """

    steps: int | None = None
    most: Fraction | None = None
    only_raises: ClassVar[bool] = False

    def amount(self, situation: Situation) -> int:
        """The total on the street: the bet plus an equal share of the pot.

        Every earlier raise reduces the steps by one.
        """
        steps = max((self.steps or 3 - situation.street) - situation.raises, 1)
        pot, behind = situation.pot + 2 * situation.bet, situation.all_in - situation.bet
        if steps == 1 and self.most is None:
            return situation.all_in
        share = (((pot + 2 * behind) / pot) ** (1 / steps) - 1) / 2
        if self.most is not None and share > self.most:
            return _rounded(situation.bet + self.most * pot)
        return _rounded(situation.bet + Fraction(share) * pot)

    def __str__(self) -> str:
        limit = "" if self.most is None else f"{_decimal(100 * self.most)}%"
        return f"{self.steps or ''}e{limit}"


@dataclass(frozen=True)
class AllIn(_OneBet):
    """`a`: the whole stack."""

    only_raises: ClassVar[bool] = False

    def amount(self, situation: Situation) -> int:
        """The total on the street: the whole stack."""
        return situation.all_in

    def __str__(self) -> str:
        return "a"


@dataclass(frozen=True)
class EveryBet:
    """`all`: every whole amount from the smallest legal one to all-in."""

    only_raises: ClassVar[bool] = False

    def totals(self, situation: Situation, least: int) -> Sequence[int]:
        """All totals on the street that are legal."""
        return range(min(least, situation.all_in), situation.all_in + 1)

    def __str__(self) -> str:
        return EVERY_BET


def _rounded(chips: Fraction) -> int:
    return (2 * chips.numerator + chips.denominator) // (2 * chips.denominator)


def _decimal(number: Fraction) -> str:
    return format(Decimal(number.numerator) / number.denominator, "f")


Sizes = tuple[BetSize, ...]
"""A list of sizes; empty if a player may not bet or raise."""


@dataclass(frozen=True)
class Thresholds:
    """Automatic changes to lists of sizes, as fractions of the pot; 0 switches each off."""

    add_all_in: float = 0.0
    """All-in is added where it is at most this share of the pot; empty lists stay empty."""
    force_all_in: float = 0.0
    """A bet becomes all-in if a call would leave at most this share of the pot behind."""
    merge: float = 0.0
    """Of two bets of X > Y pots, Y is dropped if (1 + X) / (1 + Y) < 1 + this."""
    all_in_without_sizes: bool = False
    """Whether all-in is added to empty lists, too."""


def amounts(sizes: Sizes, situation: Situation, least: int, thresholds: Thresholds) -> list[int]:
    """The totals on the street of a list of sizes, ascending; the last may be all-in.

    Totals are clipped to the range from `least`, the smallest legal total, to all-in.
    """
    bet, all_in = situation.bet, situation.all_in
    pot = situation.pot + 2 * bet
    add, force, merge = map(
        _exact, (thresholds.add_all_in, thresholds.force_all_in, thresholds.merge)
    )
    refuse_many_amounts(sizes, situation.all_in - least + 1)
    wanted = [total for size in sizes for total in size.totals(situation, least)]
    if (sizes or thresholds.all_in_without_sizes) and all_in - bet <= add * pot:
        wanted.append(all_in)
    totals = {min(max(total, least), all_in) for total in wanted}
    forced = {
        all_in if all_in - total <= force * (situation.pot + 2 * total) else total
        for total in totals
    }
    retained: list[int] = []
    for total in sorted(forced, reverse=True):
        size, next_larger = pot + total - bet, pot + (retained[-1] if retained else 0) - bet
        if not retained or next_larger >= (1 + merge) * size:
            retained.append(total)
    return retained[::-1]


def refuse_many_amounts(sizes: Sizes, legal: int, place: str = "the start") -> None:
    """Refuse `all` where it would offer too many amounts.

    Args:
        sizes: The sizes of a decision.
        legal: The legal amounts there.
        place: The line that leads there.

    Raises:
        MemoryBudgetError: The sizes have `all`, and it is more than `MOST_AMOUNTS`.
    """
    if legal > MOST_AMOUNTS and any(isinstance(size, EveryBet) for size in sizes):
        raise MemoryBudgetError(
            f"a seat may bet or raise {legal:,} different amounts",
            legal,
            remedy="Give sizes of bets and raises, such as 50%, a, or smaller stacks.",
            option="sizes",
            given=legal,
            place=place,
        )


def _exact(threshold: float) -> Fraction:
    """The decimal number as written: 0.1 is a tenth, not the nearest double."""
    return Fraction(repr(float(threshold)))
