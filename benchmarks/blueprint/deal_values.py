"""Variance per second of ways to value an exploiter of three seats on dealt cards.

    python benchmarks/blueprint/deal_values.py c.safetensors   # three minutes; 169/50/50/50 buckets

A blueprint of three seats is trained for a short time, and an exploiter of the big blind against
it. What it gains is estimated on the same deals in three ways: the actions of the seat are walked
and the others' drawn; all are walked; all are drawn, with the same random numbers against the
blueprint and the exploiter. Processor seconds of one thread, cards included, for an interval of
+-10 mbb.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

KEYS = {"seats": 3, "stack": 20, "bets": "100%,a", "raises": "100%,a"}
BLUEPRINT_ROUNDS, EXPLOITER_ROUNDS = 60, 100
DEALS = {"own walked, others drawn": 100_000, "all walked": 1_000, "all drawn": 100_000}
SEAT, WALKED = 1, "own walked, others drawn"
HALF_WIDTH = 10.0


def main() -> None:
    """Measure and write the record."""
    from equilibrist.poker import CardBuckets, Hand
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.evaluation.multiway.values import DealValuer
    from equilibrist.poker.blueprint.evaluation.values import strategy_of
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.training.external import ExternalTrainer

    cards = CardBuckets.load(sys.argv[1])
    game = AbstractGame(Hand(**KEYS), cards.counts)
    trainer = ExternalTrainer(game, cards, seed=1, lanes=1, threads=1).run(BLUEPRINT_ROUNDS)
    blueprint = Blueprint(game, cards, trainer.strategy())
    frozen = strategy_of(blueprint)
    exploiter = ExternalTrainer(
        game, cards, seed=2, lanes=1, threads=1, trained=SEAT, strategy=frozen
    ).run(EXPLOITER_ROUNDS)
    mixed = Blueprint(game, cards, exploiter.strategy())
    theirs = strategy_of(mixed)
    ours, other = (DealValuer(each, use=5, seed=3, threads=1) for each in (blueprint, mixed))
    everybody = (1 << 3) - 1
    rows: list[list[object]] = []
    for name, count in DEALS.items():
        ordered = ours._ordered([theirs] * 3)
        ours._won(ours._sequence.deals(9, 10), 9, ordered)  # compiled
        begun = time.process_time()
        deals = ours._sequence.deals(0, count)
        looked_up = (time.process_time() - begun) / count / 3  # for three seats
        begun = time.process_time()
        if name == "all drawn":
            won = ours._won(deals, 0, ordered, everybody)[:, SEAT, 1]
            gains = other._won(deals, 0, other._ordered([None] * 3), everybody)[:, SEAT, 1] - won
        else:
            found = ours._won(deals, 0, ordered, None if name == WALKED else 0)
            gains = found[:, SEAT, 0] - found[:, SEAT, 1]
        taken = (time.process_time() - begun) / count / 3 + looked_up
        spread = float(gains.std(ddof=1))
        needed = (1.96 * spread / HALF_WIDTH) ** 2
        half_width = 1.96 * spread / count**0.5
        gain = round(float(gains.mean()), 1)
        cost = round(1e6 * taken, 2), round(needed * taken, 2)
        rows.append([name, count, gain, round(half_width, 1), round(spread), *cost])
        print(rows[-1], flush=True)
    write_record(
        "deal_values",
        f"Ways to value an exploiter of the big blind, with {game.tree.num_nodes:,} nodes and "
        f"{game.num_infosets:,} infosets: its gain in mbb with the half width of the 95 % "
        "interval, the standard deviation of a deal, microseconds of a deal for one seat, a third "
        "of drawing and looking up its cards included, and processor seconds for an interval of "
        f"+-{HALF_WIDTH:g} mbb.",
        "python benchmarks/blueprint/deal_values.py c.safetensors",
        ["actions", "deals", "gain", "+-", "deviation", "us a deal", "seconds"],
        rows,
        buckets=list(cards.counts),
        rounds=[BLUEPRINT_ROUNDS, EXPLOITER_ROUNDS],
        half_width=HALF_WIDTH,
    )


if __name__ == "__main__":
    main()
