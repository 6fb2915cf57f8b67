"""What the end of a hand is worth in a tournament: expected prizes for the stacks it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, finite_number, real_number, several
from equilibrist.poker.tournaments.icm import icm, number_of_steps
from equilibrist.poker.tournaments.notation import read_amounts
from equilibrist.typing import FloatArray

MOST_AMOUNT: Final = 1e12
"""The largest stack, and the largest payout."""
_MOST_STEPS: Final = 20_000
_EXAMPLE: Final = "numbers, such as 50, 30, 20"


@dataclass(frozen=True)
class Prizes:
    """The payouts of a tournament, and the stacks by which its players share them.

    Args:
        payouts: The payouts from the first place down, checked as `checked_payouts` does.
        stacks: The chips that each player in the hand has behind. Of players who lose all in this
            hand the one with more is placed higher, and equals share.
        others: The stacks of players who are not in the hand.
    """

    payouts: tuple[float, ...]
    stacks: tuple[float, ...]
    others: tuple[float, ...] = ()

    @cached_property
    def pool(self) -> float:
        """The sum of the payouts."""
        return sum(self.payouts)

    def worth(self, after: FloatArray) -> FloatArray:
        """The expected prizes of the players in the hand.

        Args:
            after: float64[m, n], their stacks after it, in m ways.

        Returns:
            float64[m, n], in the unit of the payouts, by the independent chip model.
        """
        others = np.tile(np.array(self.others, np.float64), (len(after), 1))
        before = np.array([*self.stacks, *self.others])
        worth: FloatArray = icm(np.hstack([after, others]), np.array(self.payouts), before)
        return worth[:, : len(self.stacks)]


def checked_payouts(payouts: Any, players: int) -> tuple[float, ...]:
    """Payouts of so many players at most.

    Args:
        payouts: Numbers from the first place down.
        players: How many players there are, those who are not in the hand included.

    Returns:
        The payouts.

    Raises:
        ConfigError: They rise, are more than the players, or none is above 0; or the independent
            chip model takes too many steps.
    """
    numbers = read_payouts(payouts)
    falling = all(a >= b for a, b in zip(numbers, numbers[1:], strict=False))
    if numbers and numbers[0] <= 0:
        raise bad_argument("payouts", list(numbers), "a first payout above 0")
    if not numbers or not falling or len(numbers) > players:
        raise bad_argument(
            "payouts",
            list(numbers),
            f"at most {players} payouts, one for each player, the first place first, none "
            "larger than that before",
        )
    if number_of_steps(players, len(numbers)) > _MOST_STEPS:
        raise ConfigError(
            f"the independent chip model of {players} players and {len(numbers)} payouts takes "
            "too many steps",
            option="payouts",
            given=len(numbers),
            remedy="give fewer other players or fewer payouts",
        )
    return numbers


def read_payouts(payouts: Any) -> tuple[float, ...]:
    """Payouts as numbers of at least 0, also from a text; raises ConfigError."""
    return tuple(
        real_number("payouts", payout, 0.0, MOST_AMOUNT)
        for payout in several("payouts", written_amounts("payouts", payouts), _EXAMPLE)
    )


def refuse_others_alone(others: Sequence[float]) -> None:
    """Raise ConfigError for stacks of other players without payouts."""
    if others:
        raise ConfigError(
            "the stacks of other players matter with payouts alone",
            option="others",
            given=list(others),
            remedy="give payouts as well, or leave out the other stacks",
        )


def chips_above_0(name: str, amounts: Any, label: str) -> tuple[float, ...]:
    """Chips, all above 0; ConfigError names the option."""
    return tuple(amount_above_0(name, value, label) for value in several(name, amounts, "numbers"))


def amount_above_0(name: str, value: object, label: str) -> float:
    """Chips above 0; ConfigError names the option."""
    amount = finite_number(name, value)
    if not 0 < amount <= MOST_AMOUNT:
        raise bad_argument(name, value, f"a {label} above 0, of at most {MOST_AMOUNT:g}")
    return amount


def written_amounts(name: str, value: Any) -> Any:
    """The numbers of a text such as `50,30,20` or `50/30/20`; anything else is left as it is.

    Percents are for payouts; ConfigError names another option that has some.
    """
    if not isinstance(value, str):
        return value
    kind = "other stack" if name == "others" else name.removesuffix("s")
    amounts = read_amounts(value, kind)
    if amounts.in_percent and name != "payouts":
        raise bad_argument(name, value, "numbers of chips, without a percent sign")
    return tuple(amounts.numbers)
