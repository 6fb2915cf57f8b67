"""Files of small blueprints that bots play."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.training.train import train_blueprint

HAND = Hand(stack=12, bets="50%,100%,a", raises="100%,a", deck="Q")


@pytest.fixture(scope="package")
def bot_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two blueprints of hands that differ in their menus: b and c."""
    folder = tmp_path_factory.mktemp("bots")
    cards = build_card_buckets(
        "all/6/6/4", folder / "q.safetensors", lowest_rank=10, restarts=1, passes=3, sample=1000,
        threads=1,
    )  # fmt: skip
    train_blueprint(HAND, cards, iterations=4).save(folder / "b.safetensors")
    other = HAND.replace(bets="100%,a")
    train_blueprint(other, cards, iterations=2, seed=1).save(folder / "c.safetensors")
    return folder
