"""Menus of sizes, and the points of a betting as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from equilibrist.poker.betting.actions import StreetLine, line_text
from equilibrist.poker.betting.bet_size_parser import parse_donk_sizes, parse_street_sizes
from equilibrist.poker.betting.bet_sizes import Sizes, Street


class Phase(Enum):
    """What happens next."""

    DECISION = "decision"
    """`player` acts."""
    DEAL = "deal"
    """The next street's card is dealt; then `deal` goes on."""
    FOLD = "fold"
    """The other player wins the pot."""
    SHOWDOWN = "showdown"
    """Hands are compared, after the cards that are still to come if somebody is all-in."""


@dataclass(frozen=True)
class Menu:
    """The sizes of one player on one street."""

    bets: Sizes = ()
    raises: Sizes = ()
    donks: Sizes | None = None
    """Bets into the player who bet last on the street before; None if `bets` hold there too."""


Menus = tuple[Menu, Menu, Menu]
"""The menus of one player on the flop, the turn and the river."""


def street_menus(bets: str = "", raises: str = "", donks: str = "") -> Menus:
    """The menus of one player from text, `52%|55%|70%` or one list for all streets.

    Raises BetSizeSyntaxError.
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
    """A point in the betting. Amounts are chips; those of a street are totals of the street."""

    street: Street
    phase: Phase
    player: int
    """Who acts; after a fold, who folded; of no meaning where cards are dealt or shown."""
    pot: int
    """In the middle when the street began."""
    bets: tuple[int, int] = (0, 0)
    """What each player has put in on this street."""
    step: int = 0
    """By how much the last bet or raise was higher than what was there; 0 before the first."""
    raises: int = 0
    """Raises on this street; the first bet is none."""
    caller: int | None = None
    """Who called the last bet of the street before; None if it was checked through."""
    line: tuple[StreetLine, ...] = ((),)
    """The actions so far, street by street from the first street of the spot."""

    @property
    def to_call(self) -> int:
        """Chips that the player to act must add to go on."""
        return max(self.bets) - self.bets[self.player]

    @property
    def final_pot(self) -> int:
        """The pot without what nobody has called: what a fold or a showdown is about."""
        return self.pot + 2 * min(self.bets)

    def __str__(self) -> str:
        return line_text(self.line)
