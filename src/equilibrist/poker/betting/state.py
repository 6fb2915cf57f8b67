"""Menus of bet sizes, and states of the betting."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from equilibrist.poker.betting.actions import StreetLine, line_text
from equilibrist.poker.betting.bet_size_parser import parse_donk_sizes, parse_street_sizes
from equilibrist.poker.betting.bet_sizes import Sizes, Street
from equilibrist.poker.betting.chips import WHOLE, ChipScale


class Phase(Enum):
    """What happens next."""

    DECISION = "decision"
    """`player` acts."""
    DEAL = "deal"
    """The next street's card is dealt; `BettingRules.deal` continues."""
    FOLD = "fold"
    """The other player wins the pot."""
    SHOWDOWN = "showdown"
    """Hands are compared, after the remaining cards are dealt if a player is all-in."""


@dataclass(frozen=True)
class Menu:
    """The bet sizes of one player on one street.

    Attributes:
        bets: Sizes of a first bet.
        raises: Sizes of raises.
    """

    bets: Sizes = ()
    raises: Sizes = ()
    donks: Sizes | None = None
    """Donk bets: bets into the aggressor of the previous street; None if `bets` apply there too."""


Menus = tuple[Menu, Menu, Menu]
"""The menus of one player on the flop, the turn and the river."""


def street_menus(bets: str = "", raises: str = "", donks: str = "") -> Menus:
    """Read the bet sizes of one player.

    Args:
        bets: Bet sizes, such as `52%|55%|70%`, or one list for all streets.
        raises: Raise sizes, likewise.
        donks: Donk bet sizes, such as `||50%`; empty if `bets` apply there too.

    Returns:
        The menus of the flop, the turn and the river.

    Raises:
        BetSizeSyntaxError: A size cannot be read; the error has the position.
    """
    lists = zip(
        parse_street_sizes(bets),
        parse_street_sizes(raises, raises=True),
        parse_donk_sizes(donks),
        strict=True,
    )
    flop, turn, river = (Menu(*of_street) for of_street in lists)
    return flop, turn, river


@dataclass(frozen=True)
class BettingState:
    """A state of the betting; immutable. Amounts of a street are totals.

    Amounts are whole numbers of the unit of the rules, that is chips unless the rules have decimal
    amounts; `scale.chips` converts them. Actions in the line have amounts in chips.

    Attributes:
        street: 0 flop, 1 turn, 2 river.
        phase: What happens next: a decision, a deal, a showdown, or nothing after a fold.
    """

    street: Street
    phase: Phase
    player: int
    """The player to act; after a fold, the one who folded; without meaning otherwise."""
    pot: int
    """The pot at the beginning of the street."""
    bets: tuple[int, int] = (0, 0)
    """What each player has put in on this street."""
    last_raise_size: int = 0
    """The size of the last bet or raise above the previous bet; 0 before the first."""
    raises: int = 0
    """Raises on this street, not counting the first bet."""
    caller: int | None = None
    """The player who called the last bet of the previous street; None if it was checked through."""
    line: tuple[StreetLine, ...] = ((),)
    """The actions so far, street by street from the first street of the spot."""
    scale: ChipScale = field(default=WHOLE, repr=False, compare=False)
    """How many units are in a chip."""

    @property
    def to_call(self) -> int:
        """What the player to act must add to call."""
        return max(self.bets) - self.bets[self.player]

    @property
    def final_pot(self) -> int:
        """The pot without the uncalled bet: the pot that is won at a fold or a showdown."""
        return self.pot + 2 * min(self.bets)

    def __str__(self) -> str:
        return line_text(self.line)


def sizes_at(state: BettingState, menus: tuple[Menus, Menus]) -> Sizes:
    """The sizes that the menus give the player to act."""
    menu = menus[state.player][state.street]
    if max(state.bets):
        return menu.raises
    if state.player == state.caller == 0 and menu.donks is not None:
        return menu.donks
    return menu.bets
