"""Buckets of the deck of 20 cards, built once."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.poker.buckets.build import build_card_buckets
from equilibrist.poker.buckets.river_hands import RiverHands

TEN = 8
OPTIONS: dict[str, Any] = {
    "lowest_rank": TEN,
    "restarts": 2,
    "passes": 5,
    "sample": 2000,
    "threads": 1,
}


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Every kind but OCHS and `all`, whose kernels other tests compile."""
    return build_card_buckets(
        "all/40/40/20", tmp_path_factory.mktemp("cards") / "small.safetensors", **OPTIONS
    )


@pytest.fixture(scope="session")
def river():
    return RiverHands(TEN, 1)
