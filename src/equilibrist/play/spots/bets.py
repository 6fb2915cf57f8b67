"""Bets of any size in a spot: what the rules allow, and which of the solution's bets each becomes.

A solution has a few bet sizes. A bet between two of them is mapped to one of them at random, by the
pseudo-harmonic mapping (Ganzfried and Sandholm 2013); a bet beyond all of them for the nearest. The
hand goes on with the bet that it was mapped to: that amount is in the pot, and EVs are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.abstraction.actions.mappings import DEFAULT, MAPPINGS, between
from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.play.spots.game import SpotGame, read_infoset
from equilibrist.play.table import drawn_index
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.betting.state import BettingState

_BETS = (Kind.BET, Kind.RAISE, Kind.ALL_IN)


@dataclass(frozen=True)
class BetLimits:
    """The bets that the rules of poker allow at an infoset, in chips, as totals on the street.

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
            amount: The total on the street, in chips.

        Returns:
            What it adds to the bet that is faced, divided by `pot`.
        """
        return (amount - self.facing) / self.pot


@dataclass(frozen=True)
class MappedBet:
    """A bet, and what it is mapped to.

    Attributes:
        amount: The bet, in chips, as the total on the street.
        share: The same as a share of the pot.
        shares: The probability of each action that it may be mapped to, by its number.
        mapping: The name of the mapping.
    """

    amount: float
    share: float
    shares: dict[int, float]
    mapping: str = DEFAULT

    @property
    def is_exact(self) -> bool:
        """Whether the solution has this very bet."""
        return self.mapping == ""

    def draw(self, generator: np.random.Generator) -> int:
        """Draw the action that the bet is mapped to.

        Args:
            generator: A generator of NumPy.

        Returns:
            The number of the action.
        """
        return list(self.shares)[drawn_index(list(self.shares.values()), generator)]


def bet_limits(game: SpotGame, infoset: str) -> BetLimits | None:
    """The bets that are possible at an infoset.

    Args:
        game: The spot.
        infoset: The key, such as `AhKh:X-B50`.

    Returns:
        The limits; None where the solution has no bet, so that none could be mapped to one.

    Raises:
        LineSyntaxError: The spot has no such line.
        ConfigError: The key has another form.
    """
    state, actions = _at(game, infoset)
    rules, chips = game.spot.rules(), state.scale.chips
    menu = {k: float(one.amount) for k, one in enumerate(actions) if one.kind in _BETS}
    if not menu:
        return None
    facing = max(state.bets)
    return BetLimits(
        least=chips(rules.min_raise_to(state)),
        most=chips(rules.all_in(state)),
        step=float(rules.unit),
        facing=chips(facing),
        pot=chips(state.pot + 2 * facing),
        menu=menu,
    )


def map_bet(game: SpotGame, infoset: str, amount: float) -> MappedBet:
    """What a bet of any size is mapped to.

    Args:
        game: The spot.
        infoset: The key of the infoset.
        amount: The total on the street, in chips.

    Returns:
        The bet, and the probability of each action.

    Raises:
        LineSyntaxError: The spot has no such line.
        ConfigError: The amount is none that the rules allow, or no bet is possible.
    """
    limits = bet_limits(game, infoset)
    if limits is None:
        raise ConfigError(
            "no bet is possible here",
            option="amount",
            given=amount,
            remedy="choose one of the actions",
        )
    size = finite_number("amount", amount)
    steps = size / limits.step
    if not limits.least <= size <= limits.most or abs(steps - round(steps)) > 1e-9:
        expected = f"from {limits.least:g} to {limits.most:g} chips, a multiple of {limits.step:g}"
        raise bad_argument("amount", amount, expected, label="the bet")
    return _mapped(limits, size)


def _mapped(limits: BetLimits, size: float) -> MappedBet:
    share = limits.share(size)
    for index, total in limits.menu.items():
        if abs(total - size) < 1e-9:
            return MappedBet(size, share, {index: 1.0}, "")
    shares = {index: limits.share(total) for index, total in limits.menu.items()}
    kept = tuple(shares.get(k) for k in range(max(shares) + 1))
    return MappedBet(size, share, between(share, kept, MAPPINGS[DEFAULT].share))


def _at(game: SpotGame, infoset: str) -> tuple[BettingState, tuple[Action, ...]]:
    rules = game.spot.rules()
    state, _ = rules.follow(read_infoset(infoset)[1], game.spot.cards)
    return state, rules.actions(state)
