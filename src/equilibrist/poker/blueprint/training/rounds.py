"""Training on several machines: rounds of batches that start from the same numbers.

A round is a period of iterations for each worker, on boards of its own. All workers begin with the
same regrets and averages; at the end of the round both are averaged over the workers, in their
order. `equilibrist.solvers.sampling.batches` says why regrets are averaged and not added. Sums of
strategies are averaged too, which is the same as adding what the workers gained: they start from
one sum, and the scale of an average strategy has no meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ClusterError, FileFormatError
from equilibrist.parsing.arguments import MOST_THREADS, whole_number
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.training.trainer import Discount, Trainer
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.solvers.sampling.batches import Batch, Executor
from equilibrist.solvers.sampling.executors import Serial
from equilibrist.solvers.sampling.ray_cluster import Ray

PERIOD: Final = 100
"""Iterations of a round: a worker then computes for seconds, and sends its numbers once."""


@dataclass(frozen=True)
class Workers:
    """Who trains, beside the process that was started.

    Attributes:
        count: Batches of a round, each the work of one core. The result depends on it.
        period: Iterations of a round. The result depends on it.
        address: The Ray cluster, as `host:port` or `auto`; None for one that is started on this
            machine and ends with the run.
        serial: Whether this process computes the batches, one after the other, in place of a
            cluster: bit-identical, for comparison.
    """

    count: int
    period: int = PERIOD
    address: str | None = None
    serial: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        whole_number("workers", self.count, 2, MOST_THREADS)
        whole_number("period", self.period, 1, 1_000_000)


class Standing(NamedTuple):
    """Where a training stands."""

    state: Mapping[str, Any]
    """As `Trainer.state` has it."""
    arrays: Mapping[str, NDArray[Any]]
    """As `Trainer.arrays` has them; not to be written to."""


@dataclass(frozen=True)
class Training:
    """What a worker needs besides the standing of a run; it can be sent to other processes."""

    hand: Mapping[str, Any]
    """As `stored_hand` has it."""
    cards: Path
    """The file of the card buckets, which every machine has in the same place."""
    hash: str
    """The hash of the card buckets."""
    seed: int
    batch: int
    discount: Discount

    def gain(self, start: Standing, batch: Batch, weight: float) -> Standing:
        """Run a batch; `batch.done` is the number of boards before it."""
        trainer = _trainer(self)
        trainer.restore({**start.state, "boards": batch.done}, start.arrays)
        trainer.run(batch.iterations)
        arrays = {name: array.copy() for name, array in trainer.arrays().items()}
        return Standing(trainer.state(), arrays)


class Rounds:
    """Takes a trainer from one round to the next.

    Args:
        trainer: The trainer, which holds the merged numbers.
        workers: Who computes.
        most: The iterations at which the run ends; the last round is cut short there.

    Raises:
        ConfigError: Ray is not installed.
        ClusterError: No cluster answers, or it has another version.
    """

    def __init__(self, trainer: Trainer, workers: Workers, most: int | None = None) -> None:
        self._trainer, self._workers, self._most = trainer, workers, most
        training = Training(
            stored_hand(trainer.game.hand),
            Path(trainer.cards.path).resolve(),
            trainer.cards.hash,
            trainer.seed,
            trainer.batch,
            trainer.discount,
        )
        self._executor: Executor[Standing, Standing] = (
            Serial(training) if workers.serial else Ray(training, workers.count, workers.address)
        )

    @property
    def iteration(self) -> int:
        """Iterations so far of each worker."""
        return self._trainer.iteration

    @property
    def deals(self) -> int:
        """Boards so far of all workers."""
        return self._trainer.boards

    def run(self, iterations: int) -> None:
        """Run whole rounds.

        Args:
            iterations: How many at least, up to where the run ends.

        Raises:
            ClusterError: The cluster fails, or a machine has no card buckets.
        """
        end = self.iteration + iterations
        while self.iteration < end and self.iteration != self._most:
            self._run_round()

    def _run_round(self) -> None:
        trainer, length = self._trainer, self._workers.period
        if self._most is not None:
            length = min(length, self._most - trainer.iteration)
        boards = length * trainer.batch
        batches = [Batch(trainer.boards + k * boards, length) for k in range(self._workers.count)]
        start = Standing(trainer.state(), trainer.arrays())
        merge(trainer, self._executor.gains(start, batches, 1.0), boards)

    def close(self) -> None:
        """Disconnect from the cluster; one that was started here ends."""
        self._executor.close()


def merge(trainer: Trainer, standings: Sequence[Standing], boards: int) -> None:
    """Give a trainer the mean of what workers have.

    Args:
        trainer: The trainer, as the workers began.
        standings: The standings of the workers, in their order.
        boards: The boards of each.
    """
    before, count = trainer.boards, len(standings)
    state = {
        name: _mean([standing.state[name] for standing in standings]) for name in standings[0].state
    }
    state |= {"iteration": standings[0].state["iteration"], "boards": before + count * boards}
    arrays = {
        name: _mean([standing.arrays[name] for standing in standings])
        for name in standings[0].arrays
    }
    trainer.restore(state, arrays).match()


def _mean(values: Sequence[Any]) -> Any:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total / np.float32(len(values)) if isinstance(total, np.ndarray) else total / len(values)


_LAST: list[tuple[Training, Trainer]] = []
"""The trainer of this process, for the next batch: its tables are made once."""


def _trainer(training: Training) -> Trainer:
    if _LAST and _LAST[0][0] == training:
        return _LAST[0][1]
    _LAST.clear()
    remedy = f"copy the file to {training.cards} on every machine"
    try:
        cards = CardBuckets.load(training.cards)
    except FileFormatError as error:
        raise ClusterError(
            f"a worker cannot read the card buckets: {error}",
            option="cards",
            given=training.cards,
            remedy=remedy,
        ) from None
    if cards.hash != training.hash:
        raise ClusterError(
            f"{training.cards} has other card buckets on a worker",
            option="cards",
            given=cards.hash,
            expected=training.hash,
            remedy=remedy,
        )
    trainer = Trainer(
        AbstractGame(read_stored_hand(training.hand), cards.counts), cards, seed=training.seed,
        batch=training.batch, discount=training.discount, threads=1,
    )  # fmt: skip
    _LAST.append((training, trainer))
    return trainer
