"""What the positions win, to the fraction of a chip, and how match logs write it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from equilibrist.poker.hands.pots import pots, strengths
from equilibrist.protocols.acpc.betting import Betting
from equilibrist.protocols.acpc.match_state import Deal

_PLACES: Final = 6
_VALUE: Final = re.compile(r"-?\d{1,20}(?:\.\d{1,12})?", re.ASCII)


def values(betting: Betting, cards: Deal) -> tuple[Fraction, ...]:
    """Settle a hand: pots are shared exactly, without odd chips.

    Args:
        betting: The betting of a hand that is over.
        cards: All its cards.

    Returns:
        What each position wins or loses; the sum is 0.
    """
    state, rules = betting.state, betting.rules
    compared = (0,) * rules.seats
    if not betting.is_folded:
        compared = strengths(cards.holes, cards.board)
    won = [Fraction(-stake) for stake in state.stakes]
    for pot in pots(rules, state):
        best = max(compared[seat] for seat in pot.seats)
        winners = [seat for seat in pot.seats if compared[seat] == best]
        for seat in winners:
            won[seat] += Fraction(pot.amount, len(winners))
    return tuple(won)


def value_text(value: Fraction) -> str:
    """Write an amount with at most six decimals.

    Args:
        value: The amount in chips.

    Returns:
        Such as `-50` or `33.333333`.
    """
    if value.denominator == 1:
        return str(value.numerator)
    scaled = round(abs(value) * 10**_PLACES)
    whole, rest = divmod(scaled, 10**_PLACES)
    text = f"{whole}.{rest:0{_PLACES}d}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 and scaled else text


def read_value(text: str) -> Fraction | None:
    """Read an amount.

    Args:
        text: Such as `-50` or `33.333333`.

    Returns:
        The amount; None where the text is none.
    """
    return Fraction(text) if _VALUE.fullmatch(text) else None
