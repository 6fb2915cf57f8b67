"""Push or fold of a hand: its stacks, blinds and antes, and hands that it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.poker import Hand, push_fold
from equilibrist.poker.preflop.push_fold.game import push_fold_keys
from tests.refusals import refuses

CHIPS: dict[str, Any] = {
    "stacks": "1200/2000",
    "blinds": "50/100",
    "ante": 100,
    "ante_kind": "big-blind",
}


def test_a_hand_is_its_stacks_blinds_and_antes() -> None:
    found = push_fold(Hand(**CHIPS, bets="50%,a", raises="a"))
    same = push_fold([1200, 2000], blinds=(50, 100), big_blind_ante=100)
    assert found.game == same.game
    assert found.values[0] == same.values[0] == pytest.approx(0.394394, abs=1e-6)


def test_amounts_are_chips() -> None:
    keys = push_fold_keys(Hand(seats=3, stack=7.5, blinds="0.5/1", ante=0.05))
    assert keys == {
        "stack": [7.5] * 3,
        "blinds": (0.5, 1.0),
        "ante": 0.05,
        "big_blind_ante": 0.0,
    }


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"seats": 3, "straddle": 2}, "straddle"),
        ({"limit": "pot-limit"}, "limit"),
        ({"deck": "T"}, "deck"),
        ({"board": "3"}, "board"),
        ({"hole_cards": 1}, "hole_cards"),
    ],
)
def test_other_rules_are_refused(keys: dict[str, Any], option: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        push_fold(Hand(stack=10, **keys))
    assert refused.value.option == option


def test_a_small_blind_above_the_big_one_is_refused_as_by_a_hand() -> None:
    fields = {"option": "blinds", "given": "2/1", "expected": "a small blind of at most 1"}
    with refuses(ConfigError, **fields):
        push_fold(10, blinds=(2, 1))
    with refuses(ConfigError, **fields):
        Hand(stack=10, blinds="2/1")


def test_what_a_hand_has_is_not_given_again() -> None:
    with pytest.raises(ConfigError) as refused:
        push_fold(Hand(stack=10), blinds=(50, 100))
    assert (refused.value.option, refused.value.given) == ("blinds", "(50, 100)")
