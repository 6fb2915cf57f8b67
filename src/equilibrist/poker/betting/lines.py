"""Lines of play as text: `X-B94-C|8h|X-X|2c|B200`, and node ids of PioSOLVER: `r:0:c:b94:c:8h`.

In a line actions are separated by hyphens and streets by bars. Dealt cards stand between the
streets, or are left out. Amounts are totals of their street in chips, with at most four decimals:
`B3.5`. In a node id `c` is a check or a call, `f` a fold, and amounts are what the player has put
in since the root.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from equilibrist.errors import CardSyntaxError, LineSyntaxError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.actions import (
    CALL,
    CHECK,
    FOLD,
    WORDS,
    Action,
    Kind,
    StreetLine,
)
from equilibrist.poker.betting.chips import DECIMALS, amount_of
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.text_span import TextSpan

_CARDS: Final = re.compile(r"\[?\s*(?:10|[2-9TJQKA])[CDHS♣♦♥♠♧♢♡♤]", re.IGNORECASE | re.ASCII)
"""The start of dealt cards; no action starts like this."""
_AMOUNT: Final = rf"\d{{1,10}}(?:\.\d{{1,{DECIMALS}}})?"
_ACTION: Final = re.compile(
    rf"[FXC]|[BR](?=[0.]*[1-9]){_AMOUNT}|A(?:{_AMOUNT})?", re.IGNORECASE | re.ASCII
)
_IN_WORDS: Final = re.compile(
    rf"({'|'.join(WORDS.values())})\s*((?:\d[\d.]*)?)", re.IGNORECASE | re.ASCII
)
_KIND_OF_WORD: Final = {word.lower(): kind for kind, word in WORDS.items()}


_PIO_ROOT: Final = re.compile(r"\s*(?:r\s*(?::\s*0\s*)?|R\s*:\s*0\s*)(?=:|$)", re.ASCII)
"""The start of a node id, also in capitals; no line starts like this."""
_PIO_BET: Final = re.compile(rf"b({_AMOUNT})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class LinePart:
    """One street of a parsed line: the cards before it, its actions, and their positions."""

    cards: tuple[int, ...]
    cards_at: TextSpan
    actions: StreetLine
    actions_at: tuple[TextSpan, ...]


def parse_line(text: str) -> tuple[LinePart, ...]:
    """The streets of a line or a node id, the first without cards; an empty text is the root.

    Raises ConfigError and LineSyntaxError. `BettingRules.follow` checks whether actions are legal.
    """
    if not isinstance(text, str):
        raise bad_argument("line", text, "text, such as 'X-B94-C|8h|X-X'")
    return _streets(text)


@lru_cache(maxsize=64)  # one click asks for the line of its node several times
def _streets(text: str) -> tuple[LinePart, ...]:
    if (root := _PIO_ROOT.match(text)) is not None:
        return _pio_parts(TextSpan.all_of(text).part(root.end()))
    first, *pieces = TextSpan.all_of(text).split(r"\|")
    parts = [_part(first, first.part(0, 0))]
    while pieces:
        dealt = played = pieces.pop(0)
        if _CARDS.match(dealt.text):
            if len(pieces) == 1 and not pieces[0].text:
                pieces.pop()  # a bar behind the last card, where nothing is played yet
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
    match = _IN_WORDS.fullmatch(piece.text)
    if match is None:
        return _action(piece)
    return _action(piece, _KIND_OF_WORD[match[1].lower()] + match[2])


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
            + ("; amounts have at most four decimals" if "." in piece.text else ""),
        )
    return Action(Kind(text[0]), amount_of(Fraction(text[1:] or 0)))


def _wrong(piece: TextSpan, message: str) -> LineSyntaxError:
    return LineSyntaxError(message, piece.whole, piece.start, option="line", given=piece.text)


def _pio_parts(steps: TextSpan) -> tuple[LinePart, ...]:
    """The streets of a node id, from behind its root on."""
    start = steps.part(0, 0)
    streets: list[tuple[TextSpan, list[Action], list[TextSpan]]] = [(start, [], [])]
    put_in, facing = Fraction(0), Fraction(0)  # by both before the street, and the bet on it
    for step in steps.split(":")[1:]:
        _, actions, places = streets[-1]
        if _CARDS.match(step.text):
            put_in, facing = put_in + facing, Fraction(0)
            streets.append((step, [], []))
            continue
        action = _pio_action(step, put_in, facing)
        facing = Fraction(str(action.amount)) if action.amount else facing
        actions.append(action)
        places.append(step)
    return tuple(LinePart(_cards(at), at, tuple(a), tuple(p)) for at, a, p in streets)


def _pio_action(step: TextSpan, put_in: Fraction, facing: Fraction) -> Action:
    """One action of a node id; raises LineSyntaxError."""
    text = step.text.lower()
    if text == "c":
        return CALL if facing else CHECK
    if text == "f":
        return FOLD
    match = _PIO_BET.fullmatch(text)
    if match is None:
        raise _wrong(
            step,
            f"{escape_control_chars(step.text[:20])!r} is not a step of a node id; steps are c "
            "(check or call), f (fold), b94 (bet or raise to 94 in all since the root) and cards",
        )
    total = Fraction(match[1]) - put_in
    if total <= facing:
        raise _wrong(
            step,
            f"{step.text} bets no more than is in already; amounts of node ids count what the "
            "player has put in since the root, earlier streets included",
        )
    return Action(Kind.BET, amount_of(total))


def node_id(streets: Sequence[StreetLine], cards: Sequence[int] = ()) -> str:
    """A line as a node id of PioSOLVER, such as `r:0:c:b94:c:8h`.

    Args:
        streets: The actions of each street.
        cards: The cards that were dealt since the root, one a street.

    Returns:
        The id.
    """
    steps = ["r", "0"]
    put_in = Fraction(0)
    for number in range(max(len(streets), len(cards) + 1)):
        if number and number <= len(cards):
            steps.append(card_names([cards[number - 1]]))
        most = Fraction(0)
        for action in streets[number] if number < len(streets) else ():
            if action.amount:
                most = Fraction(str(action.amount))
                steps.append(f"b{amount_of(put_in + most)}")
            else:
                steps.append("f" if action.kind is Kind.FOLD else "c")
        put_in += most
    return ":".join(steps)
