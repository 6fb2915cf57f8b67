"""`train_blueprint`: a run with limits, progress and checkpoints, and `resume_blueprint`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from equilibrist.blueprint.abstract_game import AbstractGame, abstract_size, check_cards
from equilibrist.blueprint.checkpoint import CHECKPOINT, check_new, opened
from equilibrist.blueprint.policy import Blueprint, card_buckets_of, hand_from_text
from equilibrist.blueprint.trainer import BATCH, DCFR, Discount, Trainer, training_bytes
from equilibrist.blueprint.workers import Workers
from equilibrist.errors import (
    ConfigError,
    MemoryBudgetError,
)
from equilibrist.parsing.arguments import file_name, finite_number, optional_whole_number
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.holdem.hand import Hand
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.storage.archive import write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.damage import damaged_checkpoint
from equilibrist.storage.versions import versions

SAVE_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
_SHARE: Final = 20.0
"""How many times longer than a checkpoint takes the run goes on before the next."""


@dataclass(frozen=True)
class TrainingProgress:
    """Where a training stands.

    Attributes:
        iteration: Iterations so far, each a batch of boards.
        boards: Boards so far.
        seconds: Seconds so far, those before a resume included.
        boards_per_second: Since the run began or was resumed.
        updates: Updates of each information set, as iterations; of one a batch may miss its bucket.
        average_regret: The positive regret per iteration of both seats together, in mbb per hand.
        value: What seat 0 wins in mbb per hand, averaged over the iterations.
        eta_seconds: Seconds to the end, or None where the run has no limit.
    """

    iteration: int
    boards: int
    seconds: float
    boards_per_second: float
    updates: int
    average_regret: float
    value: float
    eta_seconds: float | None


OnTraining = Callable[[TrainingProgress], object]
"""Receives the progress of a training."""


@dataclass(frozen=True)
class _Limits:
    iterations: int | None
    seconds: float | None

    def reached(self, iteration: int, seconds: float) -> bool:
        return (self.iterations is not None and iteration >= self.iterations) or (
            self.seconds is not None and seconds >= self.seconds
        )

    def left(self, iteration: int) -> int | None:
        return None if self.iterations is None else self.iterations - iteration

    def eta(self, progress: tuple[int, float], rate: float) -> float | None:
        iteration, seconds = progress
        found = []
        if self.iterations is not None and rate:
            found.append((self.iterations - iteration) / rate)
        if self.seconds is not None:
            found.append(self.seconds - seconds)
        return max(0.0, min(found)) if found else None


def train_blueprint(
    hand: Hand,
    cards: CardBuckets | str | os.PathLike[str],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    batch: int = BATCH,
    discount: Discount | None = None,
    threads: int | None = None,
    workers: Workers | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    on_progress: OnTraining | None = None,
) -> Blueprint:
    """Train a blueprint: both seats of a hand, from the deal on, over card buckets.

    The result depends on the arguments up to `discount` and on the number of iterations; not on
    threads, pauses or the clock. Ctrl-C ends the run after the current iteration.

    Args:
        hand: The hand, with two seats.
        cards: The card buckets, or their file.
        iterations: Iterations, those before a resume included; a batch of boards each.
        seconds: Seconds of training, those before a resume included.
        seed: The seed of the order of boards.
        batch: Boards of an iteration.
        discount: How older iterations count; that of discounted CFR if left out.
        threads: Threads, by default one per processor.
        workers: Cores of a cluster that train in rounds, in place of threads.
        memory: Bytes that the training may need.
        checkpoint: A file that receives the state of the run.
        checkpoint_every: Seconds between two checkpoints.
        on_progress: Called after iterations.

    Returns:
        The blueprint.

    Raises:
        ConfigError: An argument is out of range, or neither limit is given.
        UnsupportedError: The hand has more than two seats, or other cards than hold'em.
        MemoryBudgetError: The training needs more than `memory`; nothing was allocated.
        CheckpointError: There is a checkpoint of that name already.
        OutputError: The checkpoint cannot be written.
        ClusterError: The cluster does not answer, or fails; the last checkpoint remains.
    """
    limits = _limits(iterations, seconds)
    found = cards if isinstance(cards, CardBuckets) else CardBuckets.load(cards)
    check_cards(hand, found)
    check_memory(hand, found, memory)
    if checkpoint is not None:
        check_new(checkpoint)
    game = AbstractGame(hand, found.counts)
    trainer = Trainer(
        game, found, seed=seed, batch=batch, threads=threads, discount=discount or DCFR
    )
    run = _Run(trainer, limits, on_progress, checkpoint, checkpoint_every, workers=workers)
    return _trained(run)


def resume_blueprint(
    checkpoint: str | os.PathLike[str],
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    cards: CardBuckets | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    address: str | None = None,
    serial: bool = False,
    memory: int | None = None,
    checkpoint_every: float = SAVE_EVERY,
    on_progress: OnTraining | None = None,
) -> Blueprint:
    """Go on with a training from its checkpoint, with the bits of one that was never stopped.

    Args:
        checkpoint: The file; it receives the state of the run further on.
        iterations: As for `train_blueprint`.
        seconds: As for `train_blueprint`.
        cards: The card buckets; None for those of the run at their old place.
        threads: Threads, by default one per processor.
        address: The Ray cluster of a run with workers, as `Workers` has it.
        serial: Whether this process computes what workers would.
        memory: Bytes that the training may need.
        checkpoint_every: Seconds between two checkpoints.
        on_progress: Called after iterations.

    Returns:
        The blueprint.

    Raises:
        ConfigError: An argument is out of range, or neither limit is given.
        CheckpointError: The file is missing, damaged or of another kind.
        MemoryBudgetError: The training needs more than `memory`; nothing was allocated.
        ClusterError: The cluster does not answer, or fails; the last checkpoint remains.
    """
    limits = _limits(iterations, seconds)
    path = file_name("checkpoint", checkpoint)
    archive = opened(path)
    header: Mapping[str, Any] = archive.header
    try:
        hand, options = hand_from_text(str(header["hand"])), header["options"]
        found = card_buckets_of(path, cards, header["cards"])
        check_memory(hand, found, memory)
        game = AbstractGame(hand, found.counts)
        trainer = Trainer(
            game,
            found,
            seed=int(options["seed"]),
            batch=int(options["batch"]),
            discount=Discount(*map(float, options["discount"])),
            threads=threads,
        )
        trainer.restore(header["state"], {name: archive.read(name) for name in archive.shapes()})
        before = float(header["seconds"])
        count, period = map(int, options.get("workers", (0, 0)))
    except (KeyError, TypeError, ValueError) as error:
        raise damaged_checkpoint(path, error) from None
    workers = Workers(count, period, address, serial) if count else None
    if workers is None and (address is not None or serial):
        raise ConfigError(
            "the run has no workers",
            option="address" if address is not None else "serial",
            remedy="leave it out, or start a run with workers",
        )
    return _trained(
        _Run(trainer, limits, on_progress, checkpoint, checkpoint_every, before, workers)
    )


def check_memory(hand: Hand, cards: CardBuckets, memory: int | None) -> None:
    """Raise MemoryBudgetError if a training needs more than `memory` bytes."""
    if memory is None:
        return
    size = abstract_size(hand, cards.counts)
    needed = training_bytes(size)
    if needed > memory:
        raise MemoryBudgetError(
            f"training needs {needed:,} bytes for {sum(size.infosets):,} information sets, above "
            f"the budget of {memory:,}",
            sum(size.infosets),
            needed,
            remedy="Give fewer sizes, a raise cap, smaller stacks, or fewer buckets.",
            option="memory",
            given=memory,
        )


@dataclass
class _Run:
    trainer: Trainer
    limits: _Limits
    on_progress: OnTraining | None
    checkpoint: str | os.PathLike[str] | None
    every: float
    before: float = 0.0
    workers: Workers | None = None


def _trained(run: _Run) -> Blueprint:
    if run.workers is None:
        return _run(run, lambda _most: run.trainer.run(1))
    from equilibrist.blueprint.rounds import Rounds

    rounds = Rounds(run.trainer, run.workers)
    try:
        return _run(run, rounds.run)
    finally:
        rounds.close()


def _run(run: _Run, advance: Callable[[int | None], object]) -> Blueprint:
    trainer, begun = run.trainer, perf_counter()
    first = trainer.iteration
    save = _saver(run)
    saved_at, took, ended = begun, 0.0, "limit"
    with noted_interrupts() as interrupt:
        while not run.limits.reached(trainer.iteration, run.before + perf_counter() - begun):
            advance(run.limits.left(trainer.iteration))
            now = perf_counter()
            seconds, done = now - begun, trainer.iteration - first
            if run.on_progress is not None:
                _tell(run, seconds, done / seconds)
            if save is not None and now - saved_at > max(run.every, _SHARE * took):
                save(run.before + seconds)
                saved_at = perf_counter()
                took = saved_at - now
            if interrupt.requested:
                ended = "interrupted"
                break
        seconds = run.before + perf_counter() - begun
        if save is not None:
            save(seconds)
    return Blueprint(trainer.game, trainer.cards, trainer.strategy(), _record(run, seconds, ended))


def _tell(run: _Run, seconds: float, rate: float) -> None:
    trainer = run.trainer
    assert run.on_progress is not None
    run.on_progress(
        TrainingProgress(
            iteration=trainer.iteration,
            boards=trainer.boards,
            seconds=run.before + seconds,
            boards_per_second=rate * trainer.batch * (run.workers.count if run.workers else 1),
            updates=trainer.iteration,
            average_regret=trainer.average_regret,
            value=trainer.value,
            eta_seconds=run.limits.eta((trainer.iteration, run.before + seconds), rate),
        )
    )


def _record(run: _Run, seconds: float, ended: str) -> dict[str, Any]:
    trainer = run.trainer
    return {
        "algorithm": "board-sampled CFR",
        "iterations": trainer.iteration,
        "boards": trainer.boards,
        "seconds": seconds,
        "stopped_by": ended,
        "average_regret_mbb": trainer.average_regret,
        "value_mbb": trainer.value,
        **_options(run),
    }


def _options(run: _Run) -> dict[str, Any]:
    trainer, workers = run.trainer, run.workers
    discount = trainer.discount
    found: dict[str, Any] = {
        "seed": trainer.seed,
        "batch": trainer.batch,
        "discount": [discount.regret, discount.negative, discount.average],
    }
    if workers is not None:
        found["workers"] = [workers.count, workers.period]
    return found


def _saver(run: _Run) -> Callable[[float], None] | None:
    """What writes the state of a run to its checkpoint, atomically."""
    if run.checkpoint is None:
        return None
    path, file, trainer = run.checkpoint, OwnFile(run.checkpoint), run.trainer

    def save(seconds: float) -> None:
        if not np.isfinite(trainer.regret).all():
            raise ConfigError(
                "regrets are not finite numbers any more",
                option="discount",
                remedy="resume from the checkpoint before, or give another discount",
            )
        cards = {"hash": trainer.cards.hash, "path": str(Path(trainer.cards.path).resolve())}
        header = {
            "hand": trainer.game.hand.to_toml(),
            "cards": cards,
            "options": _options(run),
            "state": trainer.state(),
            "seconds": seconds,
            "versions": versions(),
        }
        with file.replaced():
            write_archive(path, CHECKPOINT, header, trainer.arrays(), in_parts=True)

    return save


def _limits(iterations: int | None, seconds: float | None) -> _Limits:
    optional_whole_number("iterations", iterations, 1, 2**53)
    if seconds is not None and finite_number("seconds", seconds) <= 0:
        raise ConfigError(
            "the time is not above 0", option="seconds", given=seconds, expected="above 0"
        )
    if iterations is None and seconds is None:
        raise ConfigError(
            "nothing says when the training ends",
            option="seconds",
            remedy="give seconds, or iterations",
        )
    return _Limits(iterations, seconds)
