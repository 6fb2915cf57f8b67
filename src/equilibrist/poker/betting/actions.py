"""Actions, and lines of play as `line_text` writes them; module `lines` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from equilibrist.poker.cards.cards import card_names


class Kind(StrEnum):
    """What a player does; the value is its letter in a line.

    Args:
        value: The letter.
    """

    FOLD = "F"
    CHECK = "X"
    CALL = "C"
    BET = "B"
    RAISE = "R"
    ALL_IN = "A"


WORDS: Final = {
    Kind.FOLD: "Fold",
    Kind.CHECK: "Check",
    Kind.CALL: "Call",
    Kind.BET: "Bet",
    Kind.RAISE: "Raise",
    Kind.ALL_IN: "All-in",
}
"""What the kinds of actions are called."""


@dataclass(frozen=True, order=True)
class Action:
    """An action of a player.

    Attributes:
        kind: What the player does.
        amount: The player's total on the street in chips, 0 for fold, check and call; an int where
            it is whole, else a float.
    """

    kind: Kind
    amount: float = 0

    @property
    def code(self) -> str:
        """The action in a line: `F`, `X`, `C`, `B94`, `R260`, `B3.5`, `A910`."""
        return f"{self.kind}{self.amount or ''}"

    def __str__(self) -> str:
        return f"{WORDS[self.kind]} {self.amount}" if self.amount else WORDS[self.kind]


FOLD: Final = Action(Kind.FOLD)
CHECK: Final = Action(Kind.CHECK)
CALL: Final = Action(Kind.CALL)

StreetLine = tuple[Action, ...]
"""The actions of one street."""


def line_text(streets: Sequence[StreetLine], cards: Sequence[Sequence[int]] = ()) -> str:
    """A line as text; `cards` are those dealt before the second street, the third and so on."""
    text = "-".join(action.code for action in streets[0]) if streets else ""
    for k, street in enumerate(streets[1:]):
        dealt = card_names(cards[k]) if k < len(cards) else ""
        played = "-".join(action.code for action in street)
        text += f"|{dealt}|{played}" if dealt and played else f"|{dealt}{played}"
    return text
