"""Training with a bucket for every hand of a small deck, against the exact solution."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.poker import Hand, build_card_buckets, solve_preflop
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.card_response import card_response
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.external import ExternalTrainer
from equilibrist.poker.blueprint.training.trainer import Trainer

QUEEN = 10
SIZES: dict[str, Any] = {"stack": 3, "bets": "100%,a", "raises": "a", "last_street": "flop"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lossless(tmp_path_factory):
    """Twelve cards, betting before the flop and on it, and no hand that shares a bucket."""
    cards = build_card_buckets(
        "all/all/1/1", tmp_path_factory.mktemp("cards") / "q.safetensors",
        lowest_rank=QUEEN, restarts=1, passes=3, sample=1000, threads=1,
    )  # fmt: skip
    return AbstractGame(Hand(**SIZES, deck="Q"), cards.counts), cards


@pytest.fixture(scope="module")
def exact():
    return solve_preflop(Hand(**SIZES, deck="Q"), target="1mbb", iterations=2000, threads=1)


def measured(trainer):
    """What the small blind wins at least and at most against best responses, in mbb."""
    blueprint = Blueprint(trainer.game, trainer.cards, trainer.strategy())
    found = card_response(blueprint, threads=1)
    assert found.exact
    return -found.values[1].mean, found.values[0].mean


@pytest.mark.parametrize(
    ("kind", "arguments", "iterations", "most"),
    [
        (Trainer, {"batch": 48, "threads": 1}, 1000, 2.5),
        (Trainer, {"batch": 48, "threads": 1, "storage": "int16"}, 1000, 2.5),
        (ExternalTrainer, {"batch": 10_000, "lanes": 2, "threads": 1}, 40, 1.0),
    ],
)
def test_training_comes_to_the_exact_solution(lossless, exact, kind, arguments, iterations, most):
    trainer = kind(*lossless, seed=3, **arguments)
    low, high = measured(trainer.run(iterations // 10))
    early = (high - low) / 2
    low, high = measured(trainer.run(iterations - iterations // 10))
    assert 0 <= (high - low) / 2 <= min(most, early)
    value = 1000 * exact.values[0]
    assert low - exact.exploitability <= value <= high + exact.exploitability
    assert trainer.value == pytest.approx(value, abs=10)
