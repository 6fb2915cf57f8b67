"""What 16-bit storage does to a training: exploitability in a game that is small enough for it.

    python benchmarks/blueprint/storage.py    # five minutes

Twelve cards, three big blinds, betting before the flop and on it, and a bucket for every hand, so
that best responses with all cards are exact. Both storages train on the same boards; means over
seeds, since single runs differ by more than the storages do.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

MARKS = (500, 2_000, 8_000)
"""Iterations."""
SEEDS = 6


def main() -> None:
    """Measure and write the record."""
    from equilibrist.poker import Hand, build_card_buckets
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.evaluation.card_response import card_response
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.training.trainer import Trainer

    with tempfile.TemporaryDirectory() as folder:
        cards = build_card_buckets(
            "all/all/1/1", Path(folder) / "q.safetensors",
            lowest_rank=10, restarts=1, passes=3, sample=1000, threads=1,
        )  # fmt: skip
        hand = Hand(stack=3, bets="100%,a", raises="a", deck="Q", last_street="flop")
        game = AbstractGame(hand, cards.counts)
        found: dict[tuple[str, int], list[float]] = {}
        for seed in range(SEEDS):
            for storage in ("float32", "int16"):
                trainer = Trainer(game, cards, seed=seed, threads=1, storage=storage)
                for mark in MARKS:
                    trainer.run(mark - trainer.iteration)
                    one = card_response(Blueprint(game, cards, trainer.strategy()), threads=1)
                    gains = sum(value.mean for value in one.values) / 2
                    found.setdefault((storage, mark), []).append(gains)
                    print(storage, seed, mark, round(gains, 3), flush=True)
    rows: list[list[object]] = [
        [
            storage,
            mark,
            round(sum(gains) / len(gains), 2),
            round(median(gains), 2),
            round(min(gains), 2),
            round(max(gains), 2),
        ]
        for (storage, mark), gains in found.items()
    ]
    write_record(
        "blueprint_storage",
        "Exploitability in mbb per hand after so many iterations of four boards, over "
        f"{SEEDS} seeds, in a hand of twelve cards without a lossy bucket.",
        "python benchmarks/blueprint/storage.py",
        ["storage", "iterations", "mean", "median", "least", "most"],
        rows,
    )


if __name__ == "__main__":
    main()
