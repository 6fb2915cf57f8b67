"""Random hands against PokerKit: legal actions, raises and bets at every step, payoffs."""

from __future__ import annotations

import random

import pytest

from equilibrist.poker.hands.rules import LIMIT_KINDS
from tests.poker.hands.pokerkit_hands import compare_hand, random_rules


def _compare(limit: str, numbers: range, *, short: bool = False) -> None:
    for number in numbers:
        chance = random.Random(f"{limit} {number}")
        compare_hand(chance, random_rules(chance, limit, short=short))


@pytest.mark.by_default(2)
@pytest.mark.parametrize("limit", LIMIT_KINDS)
def test_hands_are_pokerkits(limit: str) -> None:
    _compare(limit, range(70))


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMIT_KINDS)
def test_hundreds_of_hands_are_pokerkits(limit: str) -> None:
    _compare(limit, range(70, 200))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("limit", LIMIT_KINDS)
def test_hands_with_short_stacks_are_pokerkits(limit: str) -> None:
    """Seats that cannot post their ante or blind in full; PokerKit trims antes that all post."""
    _compare(limit, range(60), short=True)


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMIT_KINDS)
def test_hundreds_of_hands_with_short_stacks_are_pokerkits(limit: str) -> None:
    _compare(limit, range(60, 200), short=True)
