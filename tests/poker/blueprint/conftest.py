"""Card buckets of the deck of 20 cards, and a hand on them."""

from __future__ import annotations

import pytest

from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame

TEN = 8


@pytest.fixture(scope="session")
def cards(tmp_path_factory):
    return build_card_buckets(
        "all/20/20/10",
        tmp_path_factory.mktemp("cards") / "c.safetensors",
        lowest_rank=TEN, restarts=1, passes=5, sample=2000, threads=1,
    )  # fmt: skip


@pytest.fixture(scope="session")
def hand():
    """All streets, two sizes, pots that differ, and all-ins on every street."""
    return Hand(stacks="6/5", bets="100%,a", raises="100%,a", ante=0.1, deck="T")


@pytest.fixture(scope="session")
def game(hand, cards):
    return AbstractGame(hand, cards.counts)
