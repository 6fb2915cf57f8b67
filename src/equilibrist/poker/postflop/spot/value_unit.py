"""What values of a spot are measured in: chips, or expected prizes of a tournament.

The engine counts in units of chips. Where a spot is played for prizes, it counts what an end is
worth as if the chips on the table were the whole prize pool, from half of the pot up: with one
prize alone these are the chips themselves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.formatting.amounts import chips, measure_text
from equilibrist.poker.betting.public_tree import PublicTree
from equilibrist.poker.betting.street_tree import FOLD, SHOWDOWN
from equilibrist.poker.tournaments.prizes import Prizes
from equilibrist.typing import FloatArray

_DIGITS: Final = 7
"""Digits of a prize that are shown, as many as the whole prize pool has of them."""
_MOST_DIGITS: Final = 15
WIN, TIE, LOSS = range(3)
"""Columns of payoffs."""


@dataclass(frozen=True)
class ValueUnit:
    """What values are measured in, and how those of the engine become it.

    Attributes:
        name: `chips` or `prizes`.
        per_value: The units of the engine in one chip, or in a prize of 1.
        base: By player, what 0 units are worth.
        whole: What percentages are of: the pot at the root, or the prize pool.
        whole_name: `the pot` or `the prize pool`.
        pot: What the pot at the root is worth: its chips, or its share of the prize pool by chips.
    """

    name: Literal["chips", "prizes"]
    per_value: float
    base: tuple[float, float]
    whole: float
    whole_name: str
    pot: float

    @classmethod
    def of(cls, pot: float, per_chip: int, prizes: Prizes | None) -> ValueUnit:
        """The unit of a spot.

        Args:
            pot: Its pot, in chips.
            per_chip: The units of its engine in a chip.
            prizes: What it is played for; None for chips.

        Returns:
            The unit.
        """
        if prizes is None:
            return cls("chips", per_chip, (0.0, 0.0), pot, "the pot", pot)
        table = pot + sum(prizes.stacks) + sum(prizes.others)
        split = np.array([[stack + pot / 2 for stack in prizes.stacks]])
        by_chips = prizes.pool / table
        oop, ip = (float(worth) - pot / 2 * by_chips for worth in prizes.worth(split)[0])
        return cls(
            "prizes", per_chip / by_chips, (oop, ip), prizes.pool, "the prize pool",
            pot * by_chips,
        )  # fmt: skip

    @property
    def for_prizes(self) -> bool:
        """Whether values are expected prizes."""
        return self.name == "prizes"

    @property
    def words(self) -> str:
        """What is said after a number: `chips`, or `in prizes`."""
        return "in prizes" if self.for_prizes else "chips"

    def gain(self, units: Any) -> Any:
        """A difference of values, from units of the engine."""
        return units / self.per_value

    def value(self, player: int, units: Any) -> Any:
        """A value of a player, from units of the engine."""
        return self.base[player] + units / self.per_value if self.for_prizes else self.gain(units)

    def units(self, player: int, values: FloatArray) -> FloatArray:
        """The units of the engine of a player's values; the inverse of `value`."""
        return np.asarray((values - self.base[player]) * self.per_value)

    def text(self, value: float, pot: float | None = None) -> str:
        """A value for people, `-` for NaN; `pot` is that at the node, if it is known."""
        return prize_text(value, self.whole) if self.for_prizes else chips(value, pot)

    def target_text(self, gain: float) -> str:
        """A gain as the target of a run."""
        return f"{100 * gain / self.whole:.17g}%" if self.for_prizes else f"{gain:.17g}c"

    def gain_text(self, gain: float) -> str:
        """A gain with its unit and its share: `0.5 chips (0.3% of the pot)`."""
        return f"{self.amount_text(gain)} ({100 * gain / self.whole:.3g}% of {self.whole_name})"

    def amount_text(self, gain: float) -> str:
        """A gain with its unit: `0.5 chips`, `0.012 in prizes`."""
        return f"{measure_text(gain)} {self.words}"


def prize_text(value: float, pool: float) -> str:
    """An expected prize, with as many decimals as make seven digits of the prize pool.

    Args:
        value: The prize.
        pool: The prize pool.

    Returns:
        The number; `-` for NaN.
    """
    if value != value:
        return "-"
    digits = min(max(_DIGITS - 1 - math.floor(math.log10(pool)), 2), _MOST_DIGITS)
    return f"{value:z,.{digits}f}"


def prize_payoffs(
    pot: float, prizes: Prizes | None, unit: ValueUnit, tree: PublicTree
) -> tuple[FloatArray, FloatArray] | None:
    """What the ends of the betting are worth to each player, in units of the engine.

    Args:
        pot: The pot at the root, in chips.
        prizes: What is played for; None for chips.
        unit: The unit of values.
        tree: The public tree.

    Returns:
        For each player float64[N, 3], what a win, a tie and a loss bring; 0 where betting goes on.
        None in play for chips.
    """
    if prizes is None:
        return None
    per_chip = tree.scale.per_chip
    ends = np.flatnonzero((tree.kind == SHOWDOWN) | (tree.kind == FOLD))
    paid, which = np.unique(tree.paid[ends].min(axis=1), return_inverse=True)
    left = np.array(prizes.stacks) - paid[:, None] / per_chip  # each puts in the same
    left[np.abs(left) < 0.5 / per_chip] = 0.0  # no stack is a fraction of a unit
    pots = pot + 2 * paid / per_chip
    after = np.stack([left, left, left], axis=1)
    after[:, WIN, 0] += pots
    after[:, TIE] += pots[:, None] / 2
    after[:, LOSS, 1] += pots
    worth = prizes.worth(after.reshape(-1, 2)).reshape(-1, 3, 2)
    payoffs = np.zeros((2, len(tree.kind), 3))
    payoffs[0, ends] = unit.units(0, worth[:, :, 0])[which]
    payoffs[1, ends] = unit.units(1, worth[:, ::-1, 1])[which]  # a loss of the other is a win
    return payoffs[0], payoffs[1]


def refuse_prizes(spot: Any, what: str) -> None:
    """Raise UnsupportedError for a spot that is played for prizes.

    Args:
        spot: A spot.
        what: What has no use of it: "play".

    Raises:
        UnsupportedError: It has payouts.
    """
    if getattr(spot, "payouts", None) is not None:
        raise UnsupportedError(
            f"{what} counts in chips, and the spot is played for prizes",
            option="payouts",
            given=list(spot.payouts),
            remedy="leave payouts out of the spot; solve, show, browse, inspect, evaluate and "
            "export take them",
        )
