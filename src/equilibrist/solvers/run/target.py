"""Targets: how good a strategy must be for a run to end, an amount and its unit.

A number without a unit is in payoff units, in all runs. Where amounts have names, in spots and in
hands, it is refused: 5 could be chips, percent of the pot or thousandths of a big blind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, cast

from equilibrist.parsing.arguments import bad_argument, finite_number

Unit = Literal["", "%", "c", "mbb"]
"""Payoff units, percent of the pot, chips, thousandths of a big blind a hand."""
PAYOFF: Final[tuple[Unit, ...]] = ("",)
"""The unit of games in general."""
_UNITS: Final[dict[Unit, tuple[str, str]]] = {
    "": ("0.001", "in payoff units"),
    "%": ("'0.3%'", "of the pot"),
    "c": ("'0.5c'", "in chips"),
    "mbb": ("'5mbb'", "in thousandths of a big blind a hand"),
}
"""By unit an example, and what is said after an amount."""
_TEXT: Final = re.compile(
    r"\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|c|chips?|mbb)?\s*", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class Target:
    """A target.

    Attributes:
        amount: The amount, above 0.
        unit: Its unit.
    """

    amount: float
    unit: Unit = ""

    def __str__(self) -> str:
        """The shortest text from which `read` makes the same target."""
        return f"{float(self.amount)!r}{self.unit}"

    @classmethod
    def read(cls, target: object, units: Sequence[Unit] = tuple(_UNITS)) -> Self:
        """A target of a number, a text or a Target.

        Args:
            target: What was given: 0.001, `"0.3%"`, `"0.5c"` or `"5mbb"`.
            units: The units that the problem knows.

        Returns:
            The target.

        Raises:
            ConfigError: It is no such target, not above 0, or in another unit.
        """
        if isinstance(target, Target):
            amount, unit = target.amount, target.unit
        elif isinstance(target, str):
            match = _TEXT.fullmatch(target)
            if match is None:
                raise bad_argument("target", target, _expected(units))
            amount, name = float(match[1]), (match[2] or "").lower()
            unit = cast(Unit, "c" if name.startswith("c") else name)
        else:
            amount, unit = finite_number("target", target), ""
        if not 0.0 < amount < math.inf:
            raise bad_argument("target", target, _expected(units))
        if unit not in units:
            raise bad_argument("target", target, _expected(units), remedy=_remedy(unit, units))
        return cls(amount, unit)


def _expected(units: Sequence[Unit]) -> str:
    """Say what a target may be, with examples."""
    *others, last = (" ".join(_UNITS[unit]) for unit in units)
    return f"a target above 0, such as {', '.join(others)}{' or ' if others else ''}{last}"


def _remedy(unit: Unit, units: Sequence[Unit]) -> str | None:
    """Say what is missing, or too much; None where another unit is given than any of these."""
    if tuple(units) == PAYOFF:
        return "units such as % and c are for spots and hands; give a number without one"
    return None if unit else f"add the unit, {' or '.join(units)}"
