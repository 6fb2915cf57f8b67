"""Boards per second of training a blueprint, by step of a walk, beside a bound from memory.

    python benchmarks/blueprint/speed.py c.safetensors    # a minute; 169/200/200/200 buckets

Processor seconds of one thread, the least of five rounds, so that other work on the machine counts
little. The bound is the time in which the rows of hands that a walk must read and write can be
copied: for every action of a decision one row of reach written, and the rows of values of both
seats read and written. An update is that of the regrets of a hand at a decision.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

ROUNDS = 5
BOARDS = 48
HANDS = {
    "20 bb, pot and all-in": {"stack": 20, "bets": "100%,a", "raises": "100%,a"},
    "100 bb, pot and all-in, cap 4": {
        "stack": 100, "bets": "100%,a", "raises": "100%,a", "raise_cap": 4,
    },
}  # fmt: skip


def least(function, rounds: int = ROUNDS) -> float:
    """The least processor seconds of a call."""
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        function()
        found.append(time.process_time() - begun)
    return min(found)


def copy_rate() -> float:
    """Bytes a second that are read and written by copying an array beyond the caches."""
    source, target = np.ones(1 << 26, np.float32), np.empty(1 << 26, np.float32)
    np.copyto(target, source)
    return 2 * source.nbytes / least(lambda: np.copyto(target, source))


def main() -> None:
    """Measure and write the record."""
    from equilibrist.blueprint.abstract_game import AbstractGame
    from equilibrist.blueprint.training.boards import BoardSequence
    from equilibrist.blueprint.training.trainer import Walker
    from equilibrist.kernels.blueprint.arrays import BOTH, Sums
    from equilibrist.poker import CardBuckets, Hand

    cards = CardBuckets.load(sys.argv[1])
    boards = BoardSequence(0, 0).boards(0, BOARDS)
    rate = copy_rate()
    rows: list[list[object]] = []
    for name, keys in HANDS.items():
        game = AbstractGame(Hand(**keys), cards.counts)
        walker = Walker(game, cards)
        sigma = np.full(game.num_slots, 1 / 3, np.float32)
        sums = Sums(np.zeros(game.num_slots, np.float32), np.zeros(game.num_infosets, np.float32))
        known, schedule = walker.known(sigma), walker.schedule
        steps, parts = schedule.betting.steps, []
        for kinds in ((0, 1, 2, 3), (0,), (1,), (3,)):
            chosen = np.ascontiguousarray(steps[np.isin(steps[:, 0], kinds)])
            walker.schedule = schedule._replace(betting=schedule.betting._replace(steps=chosen))
            walker.walk(boards[:1], sigma, known, BOTH, sums)
            seconds = least(partial(walker.walk, boards, sigma, known, BOTH, sums))
            parts.append(1000 * seconds / BOARDS)
        actions = int(game.tree.num_children[schedule.betting.slot >= 0].sum())
        bound = 1000 * actions * 5 * 4 * 1088 / rate
        infosets, hands = game.num_infosets, 1081 * int((schedule.betting.slot >= 0).sum())
        updates = [round(hands / each / 1000) for each in (parts[0], bound)]
        rows.append(
            [name, infosets, *(round(part, 3) for part in parts), round(bound, 3), *updates]
        )
        print(rows[-1])
    write_record(
        "blueprint_speed",
        "Training a blueprint: processor milliseconds of a board on one thread, in all (walk) "
        "and for reach, terminal nodes (ends) and values, beside the time that copying the same "
        "memory takes; updates are of a decision and a hand.",
        "python benchmarks/blueprint/speed.py c.safetensors",
        [
            "hand",
            "infosets",
            "walk",
            "reach",
            "ends",
            "values",
            "bound from copying",
            "million updates a second",
            "bound",
        ],
        rows,
        copy_bytes_per_second=rate,
        boards=BOARDS,
    )


if __name__ == "__main__":
    main()
