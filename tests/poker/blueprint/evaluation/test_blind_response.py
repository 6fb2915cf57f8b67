"""Best responses to strategies that do not look at their cards, against published figures.

Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response calculation in large extensive
games", IJCAI 2011, table 1: limit hold'em with two players.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.evaluation.blind_response import BlindStrategy, blind_response
from equilibrist.poker.buckets.river_hands import RiverHands

LIMIT = Hand(stack=100, limit="limit")
MODULE = import_module("equilibrist.poker.blueprint.evaluation.blind_response")
river_hands = cache(RiverHands)
"""The same for all strategies."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "published"),
    [
        (BlindStrategy(call=1), 1163.48),
        (BlindStrategy(bet=1), 3697.69),
        (BlindStrategy(call=0.5, bet=0.5), 2406.55),
    ],
)
def test_limit_holdem_has_the_published_figures(
    strategy: BlindStrategy, published: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "RiverHands", river_hands)
    assert sum(blind_response(LIMIT, strategy)) / 2 == pytest.approx(published, abs=0.006)


def test_the_figure_of_folding_is_that_of_any_deck() -> None:
    found = blind_response(LIMIT.replace(deck="T"), BlindStrategy(fold=1))
    assert sum(found) / 2 == pytest.approx(750, abs=0.006)


def test_other_hands_are_refused() -> None:
    with pytest.raises(UnsupportedError) as error:
        blind_response(Hand(stack=10, bets="a"), BlindStrategy(call=1))
    assert error.value.option == "hand"
    with pytest.raises(ConfigError) as other:
        BlindStrategy(call=0.5)
    assert other.value.option == "fold"
