"""Amounts of chips: whole numbers, or decimal numbers with at most four decimals.

An amount is an int where it is whole, and else the float nearest to the decimal number, so that it
prints as `97.5`. Betting itself counts in whole numbers of a unit of 1, 0.1, 0.01 ... chips: sums
and comparisons are exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Final, NamedTuple

from equilibrist.parsing.arguments import bad_argument

MOST_CHIPS: Final = 10**9
DECIMALS: Final = 4
"""Finer amounts would print as powers of ten: 1e-05."""
_FINEST: Final = 10**DECIMALS
"""The finest units in a chip."""
UNITS: Final = "1, 0.1, 0.01 or another power of ten from 0.0001 on"
_EXPECTED: Final = f"a number of chips above 0, at most {MOST_CHIPS}, with at most four decimals"
_TEXT: Final = re.compile(r"\d{1,20}(?:\.\d{1,20})?", re.ASCII)
_ROUNDING: Final = 1e-12
"""The relative error of a float that counts as the decimal number."""
_OF_A_UNIT: Final = 0.01
"""The error in the finest units, which bounds that of large numbers."""


class ChipScale(NamedTuple):
    """How many units are in a chip: 1, 10, 100 ..."""

    per_chip: int = 1

    @classmethod
    def of(cls, unit: object) -> ChipScale:
        """The scale of a unit in chips; raises ConfigError."""
        exact = _exact(unit)
        for scale in SCALES:
            if exact is not None and exact * scale.per_chip == 1:
                return scale
        raise bad_argument("unit", unit, UNITS)

    @property
    def unit(self) -> float:
        """The unit in chips: 1, 0.1, 0.01 ..."""
        return self.chips(1)

    def chips(self, units: int) -> float:
        """A number of units in chips: an int where it is whole."""
        if self.per_chip == 1:
            return units
        whole, rest = divmod(units, self.per_chip)
        return units / self.per_chip if rest else whole

    def units(self, amount: float) -> int:
        """The number of units nearest to an amount of chips."""
        if self.per_chip == 1 and type(amount) is int:
            return amount
        return round(amount * self.per_chip)

    def exactly(self, amount: float) -> float:
        """An amount of chips in units, not rounded to a whole number of them."""
        return float(Fraction(repr(float(amount))) * self.per_chip)

    def fits(self, amount: float) -> bool:
        """Whether an amount of chips is a whole number of units."""
        return self.chips(self.units(amount)) == amount


WHOLE: Final = ChipScale()
"""The scale of whole chips."""
SCALES: Final = tuple(ChipScale(10**decimals) for decimals in range(DECIMALS + 1))
CENTS: Final = SCALES[2]
"""The scale of amounts in big blinds that are no finer."""


def scale_for(amounts: Iterable[float], coarsest: ChipScale = WHOLE) -> ChipScale:
    """The coarsest scale that all amounts fit, `coarsest` or finer."""
    values = tuple(amounts)
    scales = SCALES[SCALES.index(coarsest) :]
    return next(scale for scale in scales if all(map(scale.fits, values)))


def read_chips(name: str, value: object) -> float:
    """An amount of chips from a number or a text; raises ConfigError.

    A float counts as the number of four decimals from which it differs by rounding alone.
    """
    exact = _exact(value)
    if exact is not None and 0 < exact <= MOST_CHIPS and (_FINEST * exact).denominator == 1:
        return amount_of(exact)
    finer = exact is not None and 0 < exact <= MOST_CHIPS
    remedy = "round it, or multiply all amounts by a power of ten" if finer else None
    raise bad_argument(name, value, _EXPECTED, remedy=remedy)


def read_units(name: str, value: object, scale: ChipScale, label: str | None = None) -> int:
    """An amount of chips in units of a scale; raises ConfigError if that is no whole number."""
    amount = read_chips(name, value)
    if scale.fits(amount):
        return scale.units(amount)
    expected = f"a multiple of {scale.unit}, the unit"
    remedy = "leave out the unit, or give a finer one"
    raise bad_argument(name, value, expected, label=label, remedy=remedy)


def amount_of(exact: Fraction) -> float:
    """An exact number of at most four decimals as an amount."""
    return exact.numerator if exact.denominator == 1 else float(exact)


def _exact(value: object) -> Fraction | None:
    """The number that is meant; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return Fraction(value) if _TEXT.fullmatch(value) else None
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        usual = value.is_finite() and abs(value.adjusted()) < 1000
        return Fraction(value) if usual else None
    if isinstance(value, Real):
        number = float(value)
        return _nearby(number) if math.isfinite(number) else None
    return None


def _nearby(number: float) -> Fraction:
    """The number of four decimals that a float stands for, or else the float itself."""
    if abs(number) <= MOST_CHIPS:
        units = round(number * _FINEST)
        if abs(number * _FINEST - units) <= min(_ROUNDING * abs(units), _OF_A_UNIT):
            return Fraction(units, _FINEST)
    return Fraction(number)
