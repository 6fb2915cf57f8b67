"""What discounts and batches do to a blueprint after equally many boards, measured by exploiters.

    python benchmarks/blueprint/convergence.py c.safetensors [HAND] [NAME...]

HAND is `short` (20 big blinds, pot-sized bets, raises of the pot or all-in; about a minute a name
on 2 threads) or `deep` (100 big blinds, half pot, pot and all-in, one raise a street). The file has
the buckets that `HANDS` says.

Against each blueprint an exploiter of each seat is trained, always the same: linear, batches of 4
boards, as many iterations as `HANDS` says; of its average and its greedy strategy the better one
counts. Rows that are not measured again are kept.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

RECORD = Path(__file__).resolve().parents[1] / "results" / "blueprint_convergence.json"


class Measure(NamedTuple):
    """How a hand is measured."""

    what: str
    buckets: str
    hand: dict[str, Any]
    marks: tuple[int, ...]  # boards of the training
    exploiter: int  # iterations
    boards: int  # on which exploiters are valued


HANDS = {
    "short": Measure(
        "20 bb",
        "169/200/200/200",
        {"stack": 20, "bets": "100%", "raises": "100%,a"},
        (6_000, 24_000), 3_000, 1_500,
    ),
    "deep": Measure(
        "100 bb",
        "169/50/50/50",
        {"stack": 100, "bets": "50%,100%,a", "raises": "50%,100%,a", "raise_cap": 1},
        (6_000,), 750, 1_000,
    ),
}  # fmt: skip
VARIANTS = {
    "linear, batch 12": ((1.0, 1.0, 1.0), 12, "float32"),
    "linear, batch 4": ((1.0, 1.0, 1.0), 4, "float32"),
    "linear, batch 4, 16 bits": ((1.0, 1.0, 1.0), 4, "int16"),
    "linear, batch 2": ((1.0, 1.0, 1.0), 2, "float32"),
    "DCFR(1.5, 0, 2), batch 12": ((1.5, 0.0, 2.0), 12, "float32"),
    "DCFR(1.5, 0, 2), batch 4": ((1.5, 0.0, 2.0), 4, "float32"),
    "DCFR(1.5, 0.5, 2), batch 4": ((1.5, 0.5, 2.0), 4, "float32"),
}


def gain(trainer: Any, measure: Measure) -> tuple[float, float]:
    """Half of what both exploiters gain, in mbb per hand, with the half width of its interval."""
    from equilibrist.poker.blueprint.evaluation.values import (
        Valuer,
        estimate,
        greedy,
        random_boards,
        strategy_of,
    )
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.training.trainer import LINEAR, Trainer

    def strategy(trained: Trainer) -> Any:
        return strategy_of(Blueprint(game, cards, trained.strategy()))

    game, cards = trainer.game, trainer.cards
    valuer, boards = Valuer(game, cards, 2), random_boards(0, measure.boards, (77,))
    frozen, won = strategy(trainer), np.zeros((2, measure.boards))
    for seat in (0, 1):
        exploiter = Trainer(
            game, cards, seed=99, batch=4, threads=2, discount=LINEAR, frozen=1 - seat,
            strategy=frozen,
        ).run(measure.exploiter)  # fmt: skip
        average = strategy(exploiter)
        for k, own in enumerate((average, greedy(game, average))):
            both = np.where(game.seat_slots(seat), own, frozen)
            won[k] += valuer.values(both, boards, seat)[:, seat] / 2
    found = max((estimate(row) for row in won), key=lambda one: one.mean)
    return round(found.mean, 1), round(found.half_width, 1)


def main() -> None:
    """Measure and write the record."""
    from equilibrist.poker import CardBuckets, Hand
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.training.trainer import Discount, Trainer

    file, *given = sys.argv[1:]
    measure = HANDS[given[0] if given else "short"]
    cards = CardBuckets.load(file)
    game = AbstractGame(Hand(**measure.hand), cards.counts)
    for name in given[1:] or VARIANTS:
        discount, batch, storage = VARIANTS[name]
        trainer = Trainer(
            game, cards, batch=batch, threads=2, discount=Discount(*discount), seed=1,
            storage=storage,
        )  # fmt: skip
        for mark in measure.marks:
            trainer.run((mark - trainer.boards) // batch)
            found = gain(trainer, measure)
            write([measure.what, name, mark, *found, round(trainer.average_regret)])


def write(row: list[Any]) -> None:
    """Put a row into the record."""
    print(row, flush=True)
    kept = json.loads(RECORD.read_text())["rows"] if RECORD.exists() else []
    rows = {tuple(each[:3]): each for each in kept}
    rows[tuple(row[:3])] = row
    stacks = {each[0] for each in rows.values()}
    used = [(one.what, one.buckets) for one in HANDS.values() if one.what in stacks]
    buckets = " or ".join(f"{counts} ({stack})" for stack, counts in used)
    write_record(
        "blueprint_convergence",
        "Gain of the same exploiter in mbb per hand, with half the width of its 95 % interval, "
        f"from blueprints trained on equally many boards with {buckets} buckets; one seed each. "
        "Average regret in mbb at the end.",
        "python benchmarks/blueprint/convergence.py c.safetensors",
        ["stack", "training", "boards", "gain", "+-", "average regret"],
        list(rows.values()),
    )


if __name__ == "__main__":
    main()
