"""What discounts and batches do to a blueprint after equally many boards, measured by exploiters.

    python benchmarks/blueprint/convergence.py c.safetensors [NAME...]   # 3 minutes a name

20 big blinds, pot-sized bets, raises of the pot or all-in, 169/200/200/200 buckets. After 6,000 and
24,000 boards an exploiter of each seat is trained, always the same: 160 iterations of 48 boards,
with DCFR(1.5, 0, 3), valued on 2,500 boards. It is a weak one: against a good blueprint its own
mistakes cost more than it finds, and the gain is negative. Rows of names that are not given are
kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

RECORD = Path(__file__).resolve().parents[1] / "results" / "blueprint_convergence.json"
MARKS = (6_000, 24_000)
EXPLOITER = (160, 48)
BOARDS = 2500
VARIANTS = {
    "linear, batch 12": (1.0, 1.0, 1.0, 12),
    "linear, average weights squared, batch 12": (1.0, 1.0, 2.0, 12),
    "linear, average weights to the fourth, batch 12": (1.0, 1.0, 4.0, 12),
    "DCFR(1.5, 0.5, 2), batch 12": (1.5, 0.5, 2.0, 12),
    "DCFR(1.5, 0.5, 4), batch 12": (1.5, 0.5, 4.0, 12),
    "DCFR(2.5, 0, 4), batch 12": (2.5, 0.0, 4.0, 12),
    "DCFR(1.5, 0, 2), batch 12": (1.5, 0.0, 2.0, 12),
    "DCFR(1.5, 0, 2), batch 4": (1.5, 0.0, 2.0, 4),
    "DCFR(1.5, 0, 2), batch 48": (1.5, 0.0, 2.0, 48),
    "DCFR(2.5, 0, 4), batch 48": (2.5, 0.0, 4.0, 48),
}


def gain(trainer: Any) -> tuple[float, float]:
    """Half of what both exploiters gain, in mbb per hand, with the half width of its interval."""
    from equilibrist.blueprint.evaluation.values import (
        Valuer,
        estimate,
        random_boards,
        strategy_of,
    )
    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.blueprint.training.discount import Discount
    from equilibrist.blueprint.training.trainer import Trainer

    def strategy(trained: Trainer) -> Any:
        return strategy_of(Blueprint(game, cards, trained.strategy()))

    game, cards = trainer.game, trainer.cards
    valuer, boards = Valuer(game, cards, 1), random_boards(0, BOARDS, (77,))
    frozen, won = strategy(trainer), np.zeros(BOARDS)
    iterations, batch = EXPLOITER
    for seat in (0, 1):
        exploiter = Trainer(
            game, cards, seed=99, batch=batch, threads=1, discount=Discount(1.5, 0.0, 3.0),
            frozen=1 - seat, strategy=frozen,
        ).run(iterations)  # fmt: skip
        both = np.where(game.seat_slots(seat), strategy(exploiter), frozen)
        won += valuer.values(both, boards)[:, seat] / 2
    found = estimate(won)
    return round(found.mean, 1), round(found.half_width, 1)


def main() -> None:
    """Measure and write the record."""
    from equilibrist.blueprint.abstract_game import AbstractGame
    from equilibrist.blueprint.training.discount import Discount
    from equilibrist.blueprint.training.trainer import Trainer
    from equilibrist.poker import CardBuckets, Hand

    cards = CardBuckets.load(sys.argv[1])
    game = AbstractGame(Hand(stack=20, bets="100%", raises="100%,a"), cards.counts)
    kept = json.loads(RECORD.read_text())["rows"] if RECORD.exists() else []
    rows = {row[0]: row for row in kept}
    for name in sys.argv[2:] or VARIANTS:
        *discount, batch = VARIANTS[name]
        trainer = Trainer(
            game, cards, batch=int(batch), threads=1, discount=Discount(*discount), seed=1
        )
        row: list[object] = [name]
        for mark in MARKS:
            row += gain(trainer.run((mark - trainer.boards) // int(batch)))
        rows[name] = [*row, round(trainer.average_regret)]
        print(rows[name], flush=True)
    write(list(rows.values()))


def write(rows: list[list[object]]) -> None:
    """Write the record."""
    columns = [part for mark in MARKS for part in (f"{mark:,} boards", "+-")]
    write_record(
        "blueprint_convergence",
        "Gain of the same briefly trained exploiter in mbb per hand, with half widths of 95 % "
        "intervals; a negative gain means that it wins less than the blueprint in its place. "
        "Average regret in mbb at the end.",
        "python benchmarks/blueprint/convergence.py c.safetensors",
        ["training", *columns, "average regret"],
        rows,
    )


if __name__ == "__main__":
    main()
