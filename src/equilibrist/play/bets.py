"""Bets of any size: the limits of the rules, and which bet of a menu each becomes.

A bet between two sizes of a menu is mapped to one of them at random, by the pseudo-harmonic mapping
(Ganzfried and Sandholm 2013); a bet beyond all of them to the nearest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.abstraction.actions.mappings import MAPPINGS, between
from equilibrist.errors import ConfigError
from equilibrist.options.defaults import TRANSLATION
from equilibrist.parsing.arguments import bad_argument, finite_number, instance
from equilibrist.play.table import drawn_index


@dataclass(frozen=True)
class BetLimits:
    """The bets that the rules of poker allow at an infoset, as totals on the street.

    Amounts are chips, or big blinds where the hand is counted in them.

    Attributes:
        least: The smallest bet or raise.
        most: All-in.
        step: What amounts are multiples of.
        facing: The bet that a raise is raised from; 0 for a first bet.
        pot: The pot once the bet that is faced was called: what sizes are shares of.
        menu: The totals that the solution has, by the number of their action.
    """

    least: float
    most: float
    step: float
    facing: float
    pot: float
    menu: dict[int, float]

    def share(self, amount: float) -> float:
        """The size of a bet as a share of the pot.

        Args:
            amount: The total on the street.

        Returns:
            What it adds to the bet that is faced, divided by `pot`.
        """
        return (amount - self.facing) / self.pot


@dataclass(frozen=True)
class MappedBet:
    """A bet, and what it is mapped to.

    Attributes:
        amount: The bet as the total on the street.
        share: The same as a share of the pot.
        shares: The probability of each action that it may be mapped to, by its number.
        mapping: The name of the mapping.
    """

    amount: float
    share: float
    shares: dict[int, float]
    mapping: str = TRANSLATION

    @property
    def is_exact(self) -> bool:
        """Whether the solution has this very bet."""
        return self.mapping == ""

    @property
    def likeliest(self) -> int:
        """The number of the action that the bet is most probably mapped to."""
        return max(self.shares, key=lambda number: self.shares[number])

    def draw(self, generator: np.random.Generator) -> int:
        """Draw the action that the bet is mapped to.

        Args:
            generator: A generator of NumPy.

        Returns:
            The number of the action.
        """
        return list(self.shares)[drawn_index(list(self.shares.values()), generator)]


def mapped_within(limits: BetLimits | None, amount: float, unit: str = "chips") -> MappedBet:
    """Map a bet of any size to bets of a menu.

    Args:
        limits: The bets that are possible; None for none.
        amount: The total on the street.
        unit: What amounts are called.

    Returns:
        The bet, and the probability of each action.

    Raises:
        ConfigError: The amount is none that the rules allow, or no bet is possible.
    """
    if limits is None:
        raise ConfigError(
            "no bet is possible here",
            option="amount",
            given=amount,
            remedy="choose one of the actions",
        )
    instance("limits", limits, BetLimits, "BetLimits, or None")
    size = finite_number("amount", amount)
    steps = size / limits.step
    if not limits.least <= size <= limits.most or abs(steps - round(steps)) > 1e-9:
        expected = f"from {limits.least:g} to {limits.most:g} {unit}, a multiple of {limits.step:g}"
        raise bad_argument("amount", amount, expected, label="the bet")
    share = limits.share(size)
    for index, total in limits.menu.items():
        if abs(total - size) < 1e-9:
            return MappedBet(size, share, {index: 1.0}, "")
    shares = {index: limits.share(total) for index, total in limits.menu.items()}
    shares_in_order = tuple(shares.get(k) for k in range(max(shares) + 1))
    return MappedBet(size, share, between(share, shares_in_order, MAPPINGS[TRANSLATION].share))
