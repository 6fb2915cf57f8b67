"""Actions, and lines of play as text: `X-B94-C|8h|X-X|2c|B200`.

Actions are separated by hyphens and streets by bars. Dealt cards stand between the streets, or are
left out. All amounts are totals of their street in chips, with at most two decimals: `B3.5`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from equilibrist.errors import CardSyntaxError, LineSyntaxError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.chips import amount_of
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.text_span import TextSpan


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


_WORDS: Final = {
    Kind.FOLD: "Fold",
    Kind.CHECK: "Check",
    Kind.CALL: "Call",
    Kind.BET: "Bet",
    Kind.RAISE: "Raise",
    Kind.ALL_IN: "All-in",
}
_CARDS: Final = re.compile(r"\[?\s*(?:10|[2-9TJQKA])[CDHS♣♦♥♠♧♢♡♤]", re.IGNORECASE | re.ASCII)
"""The start of dealt cards; no action starts like this."""
_AMOUNT: Final = r"\d{1,10}(?:\.\d{1,2})?"
_ACTION: Final = re.compile(
    rf"[FXC]|[BR](?=[0.]*[1-9]){_AMOUNT}|A(?:{_AMOUNT})?", re.IGNORECASE | re.ASCII
)
_IN_WORDS: Final = re.compile(
    rf"({'|'.join(_WORDS.values())})\s*((?:\d[\d.]*)?)", re.IGNORECASE | re.ASCII
)
_KIND_OF_WORD: Final = {word.lower(): kind for kind, word in _WORDS.items()}


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
        return f"{_WORDS[self.kind]} {self.amount}" if self.amount else _WORDS[self.kind]


FOLD: Final = Action(Kind.FOLD)
CHECK: Final = Action(Kind.CHECK)
CALL: Final = Action(Kind.CALL)

StreetLine = tuple[Action, ...]
"""The actions of one street."""


@dataclass(frozen=True)
class LinePart:
    """One street of a parsed line: the cards before it, its actions, and their positions."""

    cards: tuple[int, ...]
    cards_at: TextSpan
    actions: StreetLine
    actions_at: tuple[TextSpan, ...]


def parse_line(text: str) -> tuple[LinePart, ...]:
    """The streets of a line, the first without cards; an empty text is the root.

    Raises ConfigError and LineSyntaxError. `BettingRules.follow` checks whether actions are legal.
    """
    if not isinstance(text, str):
        raise bad_argument("line", text, "text, such as 'X-B94-C|8h|X-X'")
    first, *pieces = TextSpan.all_of(text).split(r"\|")
    parts = [_part(first, first.part(0, 0))]
    while pieces:
        dealt = played = pieces.pop(0)
        if _CARDS.match(dealt.text):
            plays = pieces and pieces[0].text and not _CARDS.match(pieces[0].text)
            played = pieces.pop(0) if plays else dealt.part(len(dealt.text))
        else:
            dealt = played.part(0, 0)
        parts.append(_part(played, dealt))
    return tuple(parts)


def _cards(piece: TextSpan) -> tuple[int, ...]:
    try:
        return parse_cards(piece.text)
    except CardSyntaxError as error:
        message = str(error).splitlines()[0]
        raise LineSyntaxError(
            message, piece.whole, piece.start + error.position, option="line", given=error.given
        ) from None


def _part(played: TextSpan, dealt: TextSpan) -> LinePart:
    pieces = tuple(played.split("-")) if played.text else ()
    return LinePart(_cards(dealt), dealt, tuple(map(_action, pieces)), pieces)


def read_action(piece: TextSpan) -> Action:
    """An action from its code or its name, `B94` or `Bet 94`; raises LineSyntaxError."""
    found = _IN_WORDS.fullmatch(piece.text)
    if found is None:
        return _action(piece)
    return _action(piece, _KIND_OF_WORD[found[1].lower()] + found[2])


def _action(piece: TextSpan, code: str | None = None) -> Action:
    text = piece.text.upper() if code is None else code
    if not text:
        raise _wrong(
            piece, "an action is missing next to this hyphen; add one, or remove the hyphen"
        )
    if not _ACTION.fullmatch(text):
        raise _wrong(
            piece,
            f"{escape_control_chars(piece.text[:20])!r} is not an action; actions are X (check), "
            "C (call), F (fold), B94 (bet 94), R260 (raise to 260) and A (all-in)"
            + ("; amounts have at most two decimals" if "." in piece.text else ""),
        )
    return Action(Kind(text[0]), amount_of(Fraction(text[1:] or 0)))


def _wrong(piece: TextSpan, message: str) -> LineSyntaxError:
    return LineSyntaxError(message, piece.whole, piece.start, option="line", given=piece.text)


def line_text(streets: Sequence[StreetLine], cards: Sequence[Sequence[int]] = ()) -> str:
    """A line as text; `cards` are those dealt before the second street, the third and so on."""
    text = "-".join(action.code for action in streets[0]) if streets else ""
    for k, street in enumerate(streets[1:]):
        dealt = card_names(cards[k]) if k < len(cards) else ""
        played = "-".join(action.code for action in street)
        text += f"|{dealt}|{played}" if dealt and played else f"|{dealt}{played}"
    return text
