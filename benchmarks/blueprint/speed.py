"""Boards per second of training a blueprint, beside a bound from memory.

    python benchmarks/blueprint/speed.py c50.safetensors c200.safetensors    # five minutes

The buckets are 169/50/50/50 and 169/200/200/200. Processor seconds of one thread, the least of
five rounds, so that other work on the machine counts little. A walk of a board costs more, the more
hands of both seats reach a street: so it is measured with uniform strategies, with those at the end
of a training, and with one seat frozen at the average strategy, as exploiters are trained.

The bound is the time in which what a walk must read and write of the numbers of all information
sets can be copied: strategies are read, sums of values and of reach are read and written. An update
is that of the regrets of a hand at a decision. The bound holds for uniform strategies: with others
a walk leaves out streets that no hand reaches. Looking up the buckets of boards is not counted.
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
TRAINING = 2000
"""Boards of the training whose strategies are walked with."""
HANDS = {
    "20 bb, pot and all-in": (1, {"stack": 20, "bets": "100%,a", "raises": "100%,a"}),
    "100 bb, pot and all-in, cap 4": (
        1, {"stack": 100, "bets": "100%,a", "raises": "100%,a", "raise_cap": 4},
    ),
    "100 bb, half pot, pot and all-in, cap 1": (
        0, {"stack": 100, "bets": "50%,100%,a", "raises": "50%,100%,a", "raise_cap": 1},
    ),
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
    from equilibrist.kernels.blueprint.arrays import BOTH, Sums
    from equilibrist.poker import CardBuckets, Hand
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.policy import WHOLE
    from equilibrist.poker.blueprint.training.boards import BoardSequence
    from equilibrist.poker.blueprint.training.trainer import Trainer
    from equilibrist.poker.blueprint.training.walker import Walker

    few, many = (CardBuckets.load(name) for name in sys.argv[1:3])
    files = (few, many)
    boards = BoardSequence(0, 1).boards(0, BOARDS)
    rate = copy_rate()
    rows: list[list[object]] = []
    for name, (which, keys) in HANDS.items():
        cards = files[which]
        game = AbstractGame(Hand(**keys), cards.counts)
        walker = Walker(game, cards)
        drawn = walker.look_up(boards)
        uniform = Trainer(game, cards).sigma
        trainer = Trainer(game, cards).run(TRAINING // 4)
        average = trainer.strategy().astype(np.float32) / np.float32(WHOLE)
        frozen = np.where(game.seat_slots(0), average, trainer.sigma)
        sums = Sums(np.zeros(game.num_slots, np.float32), np.zeros(game.num_infosets, np.float32))
        found = []
        for sigma, players in ((uniform, BOTH), (trainer.sigma, BOTH), (frozen, 2)):
            known = walker.known(sigma)
            walker.walk(drawn.part(0, 1), sigma, known, players, sums)
            seconds = least(partial(walker.walk, drawn, sigma, known, players, sums))
            found.append(1000 * seconds / BOARDS)
        update = 1000 * least(trainer.match)
        bound = 1000 * 4 * (3 * game.num_slots + 2 * game.num_infosets) / rate
        hands = 1081 * int((trainer.schedule.blocks.slot >= 0).sum())
        updates = [round(hands / each / 1000) for each in (found[0], bound)]
        rows.append(
            [
                f"{name}, {cards.counts[-1]} buckets",
                game.num_infosets,
                *(round(each, 3) for each in (*found, update, bound)),
                *updates,
            ]
        )
        print(rows[-1])
    write_record(
        "blueprint_speed",
        "Processor milliseconds of the walk of a board on one thread, with "
        f"uniform strategies, with those after {TRAINING:,} boards, and with one seat frozen; of "
        "the update after a batch of four boards; and the time in which the numbers that a board "
        "reads and writes can be copied. Updates are of a decision and a hand, with uniform "
        "strategies, which leave nothing out.",
        "python benchmarks/blueprint/speed.py c50.safetensors c200.safetensors",
        [
            "hand",
            "infosets",
            "uniform",
            "trained",
            "one seat frozen",
            "update",
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
