"""States of a hand's betting: immutable values, without cards."""

from __future__ import annotations

from typing import Final, NamedTuple

from equilibrist.poker.betting.actions import StreetLine, line_text

DECISION: Final = 0
"""A seat acts."""
FOLDED: Final = 1
"""One seat is left and wins the pots."""
SHOWDOWN: Final = 2
"""All betting is done; the rest of the board is dealt, and hands are compared."""
DEAL: Final = 3
"""The cards of the next street are dealt."""


class HandState(NamedTuple):
    """A state of the betting. Amounts are whole units; bets are totals of the street.

    At the end of a street, and of the hand, the uncalled part of a bet has been returned.
    """

    kind: int
    """DECISION, FOLDED, SHOWDOWN or DEAL."""
    street: int
    """0 before the flop."""
    player: int
    """The seat to act, else -1."""
    stakes: tuple[int, ...]
    """What each seat has put in during the hand, antes included."""
    bets: tuple[int, ...]
    """What each seat has put in on this street, antes not included."""
    live: int
    """Bits of the seats that have not folded."""
    pending: int
    """Bits of the seats that must act before the street is over."""
    last_raise: int = 0
    """The largest bet or raise on the street, above the bet before it; 0 before the first. Under
    rules that are `by_server`, what a raise must add to the highest bet."""
    wagers: int = 0
    """Bets and raises on the street, blinds not counted."""
    acted: int = 0
    """Bits of the seats that have checked, called, bet or raised on the street; 0 under rules
    that do not ask (see `HoldemRules.first_short_all_in_reopens`)."""
    line: tuple[StreetLine, ...] = ((),)
    """The actions so far, street by street; amounts in chips."""

    @property
    def pot(self) -> int:
        """All that is in the middle."""
        return sum(self.stakes)

    def is_live(self, seat: int) -> bool:
        """Whether a seat has not folded."""
        return bool(self.live >> seat & 1)

    def without_line(self) -> HandState:
        """The state without its past, on which the continuation does not depend."""
        return self._replace(line=())

    def __str__(self) -> str:
        return line_text(self.line)
