"""What discounts and batches do to a blueprint after equally many boards, measured by exploiters.

    python benchmarks/poker/blueprint_convergence.py c.safetensors [NAME...]   # 2 minutes a name

20 big blinds, pot-sized bets, raises of the pot or all-in, 169/200/200/200 buckets. After 6,000 and
24,000 boards both seats' exploiters are trained for 1,000 iterations of 12 boards, and valued on
1,500 boards that are the same for all. Rows of names that are not given are kept.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

RECORD = Path(__file__).resolve().parents[1] / "results" / "blueprint_convergence.json"
MARKS = (6_000, 24_000)
EXPLOITER = 1000
BOARDS = 1500
VARIANTS = {
    "DCFR(1.5, 0, 2), batch 12": (1.5, 0.0, 2.0, 12),
    "DCFR(1.5, 0.5, 2), batch 12": (1.5, 0.5, 2.0, 12),
    "linear, batch 12": (1.0, 1.0, 1.0, 12),
    "linear, average weights squared, batch 12": (1.0, 1.0, 2.0, 12),
    "linear, batch 4": (1.0, 1.0, 1.0, 4),
    "linear, batch 48": (1.0, 1.0, 1.0, 48),
}


def main() -> None:
    """Measure and write the record."""
    from equilibrist.blueprint.abstract_game import AbstractGame
    from equilibrist.blueprint.discount import Discount
    from equilibrist.blueprint.evaluation.exploiter import exploit
    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.blueprint.trainer import Trainer
    from equilibrist.poker import CardBuckets, Hand

    cards = CardBuckets.load(sys.argv[1])
    game = AbstractGame(Hand(stack=20, bets="100%", raises="100%,a"), cards.counts)
    measured: dict[str, list[object]] = {}
    for name in sys.argv[2:] or VARIANTS:
        *discount, batch = VARIANTS[name]
        trainer = Trainer(
            game, cards, batch=int(batch), threads=1, discount=Discount(*discount), seed=1
        )
        row: list[object] = [name]
        begun = time.process_time()
        for mark in MARKS:
            trainer.run((mark - trainer.boards) // int(batch))
            found = exploit(
                Blueprint(game, cards, trainer.strategy()), iterations=EXPLOITER, boards=BOARDS,
                seed=77, threads=1,
            ).gain  # fmt: skip
            row += [round(found.mean, 1), round(found.half_width, 1)]
        print([*row, round(time.process_time() - begun)], flush=True)
        measured[name] = row
    kept = json.loads(RECORD.read_text())["rows"] if RECORD.exists() else []
    rows = {row[0]: row for row in kept} | measured
    write_record(
        "blueprint_convergence",
        "Gain of exploiters in mbb per hand, with half widths of 95 % intervals",
        "python benchmarks/poker/blueprint_convergence.py c.safetensors",
        ["training", *(part for mark in MARKS for part in (f"{mark:,} boards", "+-"))],
        [rows[name] for name in VARIANTS if name in rows],
    )


if __name__ == "__main__":
    main()
