"""Slumbot's notation of the betting: every random hand comes back; other texts are refused."""

from __future__ import annotations

import pytest

from equilibrist.errors import EquilibristError
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.slumbot_notation import (
    increment,
    read_betting,
    read_increment,
    slumbot_text,
)
from tests.protocols.acpc.random_hands import RandomPlayer, bettings, messages
from tests.protocols.acpc.tables import HEADS_UP


def test_the_betting_of_random_hands_comes_back() -> None:
    rules = rules_of(HEADS_UP)
    for hand in range(40):
        for betting in bettings(HEADS_UP, hand, hand):
            text = slumbot_text(betting)
            assert read_betting(rules, text) == betting
            assert read_betting(rules, text.rstrip("/")) == betting


def test_actions_of_random_hands_come_back() -> None:
    player = RandomPlayer(1)
    for state in messages(HEADS_UP, 0, 3):
        if state.is_to_act:
            action = player(state)
            assert read_increment(state.betting, increment(state.betting, action)) == action


@pytest.mark.parametrize(
    "text", ["x", "k", "b100", "b20001", "cc", "ck/c", "cb", "fk", "b200c/kk/kk/kkk", "c k", "c\n"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(EquilibristError):
        read_betting(rules_of(HEADS_UP), text)
