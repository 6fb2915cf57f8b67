"""Hands as push or fold takes them: their stacks, blinds and antes."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.errors import UnsupportedError
from equilibrist.poker.hands.hand import Hand

_RULES: Final = {
    "limit": "no-limit",
    "straddle": (),
    "deck": "2",
    "suits": 4,
    "hole_cards": 2,
    "board": (3, 1, 1),
}
"""What the rules of a hand have to be."""


def push_fold_keys(hand: Hand) -> dict[str, Any]:
    """What `push_fold` takes, from a hand.

    Bet sizes and streets do not matter: every seat goes all-in or folds before the flop.

    Args:
        hand: The hand.

    Returns:
        `stack`, a stack for each seat, `blinds`, `ante` and `big_blind_ante`.

    Raises:
        UnsupportedError: The hand has a straddle, a limit, or another deck than hold'em.
    """
    for key, needed in _RULES.items():
        given = getattr(hand, key)
        if given != needed:
            raise UnsupportedError(
                f"push or fold is no-limit hold'em with two blinds, and the hand has {key} {given}",
                option=key,
                given=given,
                expected=needed,
                remedy=f"leave {key} out of the hand",
            )
    rules = hand.rules
    stacks, blinds = (
        [amount / rules.scale.per_chip for amount in amounts]
        for amounts in (rules.stacks, rules.blinds[:2])
    )
    of_each = hand.ante_kind == "each"
    return {
        "stack": stacks,
        "blinds": tuple(blinds),
        "ante": float(hand.ante) if of_each else 0.0,
        "big_blind_ante": 0.0 if of_each else float(hand.ante),
    }
