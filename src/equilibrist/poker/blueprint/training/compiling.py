"""Kernels of trainings compiled before their time is counted."""

from __future__ import annotations

from typing import Final

from equilibrist._jit import cache_is_warm
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.external import ExternalTrainer
from equilibrist.poker.blueprint.training.trainer import FLOAT32, Trainer
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.postflop.spot.fields import Storage

KERNELS: Final = {
    "vector": "equilibrist.kernels.blueprint.blocks.walk_blocks",
    "external": "equilibrist.kernels.blueprint.external.sample_deals",
}
"""By algorithm, the kernel that takes longest to compile."""
_BATCH: Final = 4


def compile_training(
    hand: Hand, cards: CardBuckets, algorithm: str, storage: Storage = FLOAT32
) -> None:
    """Compile what a training calls, or load it, by an iteration of a hand with few decisions.

    Args:
        hand: The hand that is to be trained.
        cards: Its card buckets.
        algorithm: `vector` or `external`.
        storage: How regrets and average strategies are stored.
    """
    rules = hand.rules
    small = Hand(
        seats=hand.seats,
        stack=2,
        bets="a",
        raises="a",
        deck=RANKS[rules.lowest_rank],
        last_street=STREET_NAMES[rules.final_street],
    )
    game = AbstractGame(small, cards.counts)
    trainer = (
        ExternalTrainer(game, cards, batch=_BATCH, lanes=1, threads=1)
        if algorithm == "external"
        else Trainer(game, cards, batch=_BATCH, threads=1, storage=storage)
    )
    trainer.run(1)


def is_compiled(algorithm: str | None = None) -> bool:
    """Whether the kernels of an algorithm are on disk.

    Args:
        algorithm: `vector` or `external`; None for either, where it is not known yet.

    Returns:
        False if a first run compiles them.
    """
    kernels = [*KERNELS.values()] if algorithm is None else [KERNELS[algorithm]]
    return any(map(cache_is_warm, kernels))
