"""The loop of a training: limits, progress, evaluations in between, and checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from equilibrist.errors import CheckpointError, ConfigError, EquilibristError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import finite_number, optional_whole_number
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.compiling import compile_training
from equilibrist.poker.blueprint.training.rounds import Workers
from equilibrist.poker.blueprint.training.sampled_training import SampledTraining
from equilibrist.poker.blueprint.training.trainer import FLOAT32, Trainer
from equilibrist.poker.hands.stored import stored_hand
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.solvers.run.checkpoint import refuse_past
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.damage import reading_checkpoint
from equilibrist.storage.kinds.file_kinds import BLUEPRINT_CHECKPOINT
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.storage.versions import versions

_TELL_EVERY: Final = 0.1
"""Seconds between two reports of progress: the average regret takes a pass over all numbers."""
_SHARE: Final = 20.0
"""How many times longer than a checkpoint takes the run goes on before the next."""


@dataclass(frozen=True)
class TrainingProgress:
    """Where a training stands.

    Attributes:
        iteration: Iterations so far, each a batch of boards, or rounds of deals.
        boards: Boards so far; deals with external sampling.
        seconds: Seconds so far, those before a resume included.
        boards_per_second: Since the run began or was resumed.
        updates: Updates of each information set: iterations, of which one may miss its bucket; with
            external sampling nodes visited for each.
        average_regret: The positive regret per iteration of both seats together, in mbb per hand.
        value: What seat 0 wins in mbb per hand, averaged over the iterations.
        eta_seconds: Seconds to the end, or None where the run has no limit.
        evaluated: What the last evaluation found, or None.
    """

    iteration: int
    boards: int
    seconds: float
    boards_per_second: float
    updates: float
    average_regret: float
    value: float
    eta_seconds: float | None
    evaluated: Any = None


OnTraining = Callable[[TrainingProgress], object]
"""Receives the progress of a training."""
Evaluate = Callable[[Blueprint], Any]
"""Measures a blueprint in between; what it returns has `to_dict`, for the record."""


@dataclass(frozen=True)
class Limits:
    """When a training ends, after one iteration at least."""

    iterations: int | None
    seconds: float | None

    def reached(self, iteration: int, seconds: float) -> bool:
        """Whether one of them is, once there is an iteration: a blueprint needs one."""
        if iteration == 0:
            return False
        return (self.iterations is not None and iteration >= self.iterations) or (
            self.seconds is not None and seconds >= self.seconds
        )

    def left(self, iteration: int) -> int | None:
        """Iterations that are left, if they are limited."""
        return None if self.iterations is None else self.iterations - iteration

    def eta(self, progress: tuple[int, float], rate: float) -> float | None:
        """Seconds to the end from iterations and seconds, at so many iterations a second."""
        iteration, seconds = progress
        found = []
        if self.iterations is not None and rate:
            found.append((self.iterations - iteration) / rate)
        if self.seconds is not None:
            found.append(self.seconds - seconds)
        return max(0.0, min(found)) if found else None


@dataclass
class Run:
    """A trainer with what its loop takes; `before` are seconds of the run before a resume."""

    trainer: SampledTraining
    algorithm: str
    limits: Limits
    on_progress: OnTraining | None
    checkpoint: OwnFile | None
    every: float
    evaluate: Evaluate | None = None
    evaluate_every: float | None = None
    before: float = 0.0
    workers: Workers | None = None
    evaluated: Any = None

    @property
    def storage(self) -> Storage:
        """How regrets and average strategies are stored."""
        return self.trainer.storage if isinstance(self.trainer, Trainer) else FLOAT32

    def options(self) -> dict[str, Any]:
        """What the result depends on, as JSON has it."""
        found = self.trainer.options()
        if self.workers is not None:
            found["workers"] = [self.workers.count, self.workers.period]
        return found

    def blueprint(self, seconds: float, ended: str) -> Blueprint:
        """The blueprint as it is now; raises ConfigError where its numbers are not finite."""
        trainer = self.trainer
        check_numbers(trainer)
        record = {
            "algorithm": self.algorithm,
            "iterations": trainer.iteration,
            "boards": trainer.boards,
            "seconds": seconds,
            "stopped_by": ended,
            "average_regret_mbb": trainer.average_regret,
            "value_mbb": trainer.value,
            **self.options(),
        }
        if self.evaluated is not None:
            record["evaluated"] = self.evaluated.to_dict()
        return Blueprint(trainer.game, trainer.cards, trainer.strategy(), record)


def trained(run: Run) -> Blueprint:
    """Run until a limit is reached or an interrupt comes.

    Args:
        run: The run.

    Returns:
        The blueprint.
    """
    if run.workers is None or not isinstance(run.trainer, Trainer):
        return _looped(run, lambda _most: run.trainer.run(1))
    from equilibrist.poker.blueprint.training.rounds import Rounds

    rounds = Rounds(run.trainer, run.workers)
    try:
        return _looped(run, rounds.run)
    finally:
        rounds.close()


def _looped(run: Run, advance: Callable[[int | None], object]) -> Blueprint:
    trainer, save = run.trainer, checkpoint_saver(run)
    first = trainer.iteration, trainer.boards
    if save is not None and trainer.iteration == 0:
        save(run.before)  # so that another run with this checkpoint is refused from now on
    took, told_at, ended = 0.0, -1.0, "limit"
    with noted_interrupts() as interrupt:
        if not run.limits.reached(trainer.iteration, run.before):
            compile_training(trainer.game.hand, trainer.cards, run.algorithm, run.storage)
        begun = saved_at = evaluated_at = perf_counter()  # compiling is no time of training
        while not run.limits.reached(trainer.iteration, run.before + perf_counter() - begun):
            advance(run.limits.left(trainer.iteration))
            now = perf_counter()
            if run.on_progress is not None and now - told_at > _TELL_EVERY:
                _tell(run, first, now - begun)
                told_at = now
            if save is not None and now - saved_at > max(run.every, _SHARE * took):
                save(run.before + now - begun)
                saved_at = perf_counter()
                took = saved_at - now
            if interrupt.requested:
                ended = "interrupted"
                break
            if run.evaluate_every is not None and now - evaluated_at > run.evaluate_every:
                evaluated_at = _evaluated(run, now - begun)
                begun += evaluated_at - now  # no time of training
        seconds = run.before + perf_counter() - begun
        if save is not None:
            save(seconds)
    return run.blueprint(seconds, ended)


def _evaluated(run: Run, seconds: float) -> float:
    """Measure the blueprint as it is; when that was done."""
    assert run.evaluate is not None
    run.evaluated = run.evaluate(run.blueprint(run.before + seconds, "evaluation"))
    return perf_counter()


def _tell(run: Run, first: tuple[int, int], seconds: float) -> None:
    trainer = run.trainer
    assert run.on_progress is not None
    rate = (trainer.iteration - first[0]) / seconds
    run.on_progress(
        TrainingProgress(
            iteration=trainer.iteration,
            boards=trainer.boards,
            seconds=run.before + seconds,
            boards_per_second=(trainer.boards - first[1]) / seconds,
            updates=trainer.updates,
            average_regret=trainer.average_regret,
            value=trainer.value,
            eta_seconds=run.limits.eta((trainer.iteration, run.before + seconds), rate),
            evaluated=run.evaluated,
        )
    )


def check_numbers(trainer: SampledTraining) -> None:
    """Refuse regrets or average strategies that are not finite, before anything is made of them.

    Raises:
        ConfigError: A number is infinite or NaN.
    """
    if not all(np.isfinite(array).all() for array in trainer.arrays().values()):
        raise ConfigError(
            "regrets are not finite numbers any more",
            option="discount",
            remedy="resume from the checkpoint before, or give another discount",
        )


def checkpoint_saver(run: Run) -> Callable[[float], None] | None:
    """What writes the state of a run to its checkpoint, atomically."""
    if run.checkpoint is None:
        return None
    file, trainer = run.checkpoint, run.trainer

    def save(seconds: float) -> None:
        check_numbers(trainer)
        cards = {"hash": trainer.cards.hash, "path": str(Path(trainer.cards.path).resolve())}
        header = {
            "hand": stored_hand(trainer.game.hand),
            "cards": cards,
            "algorithm": run.algorithm,
            "options": run.options(),
            "state": trainer.state(),
            "seconds": seconds,
            "limits": asdict(run.limits),
            "versions": versions(),
        }
        with file.replaced():
            write_archive(file.path, BLUEPRINT_CHECKPOINT, header, trainer.arrays(), in_parts=True)

    return save


def limits_of(iterations: int | None, seconds: float | None) -> Limits:
    """Limits; raises ConfigError where one is out of range, or both are missing."""
    optional_whole_number("iterations", iterations, 1, 2**53)
    if seconds is not None and finite_number("seconds", seconds) <= 0:
        raise ConfigError(
            f"the time is {seconds:g} s",
            option="seconds",
            given=seconds,
            expected="more than 0 seconds",
            remedy="give more than 0 seconds",
        )
    if iterations is None and seconds is None:
        raise ConfigError(
            "nothing says when the training ends",
            option="seconds",
            remedy="give `seconds` or `iterations`",
        )
    return Limits(iterations, seconds)


def opened(path: Path) -> MappedArchive:
    """The checkpoint; CheckpointError if it is missing, damaged or of another kind."""
    with reading_checkpoint(path):
        return MappedArchive(path, BLUEPRINT_CHECKPOINT)


def check_new(path: str | os.PathLike[str]) -> None:
    """Refuse a checkpoint that exists, or cannot be written."""
    check_writable(path, BLUEPRINT_CHECKPOINT)
    if os.path.lexists(path):
        iterations = "another run"
        with suppress(EquilibristError, KeyError, TypeError):
            state = MappedArchive(path, BLUEPRINT_CHECKPOINT).header["state"]
            iterations = f"a run of {counted(int(state['iteration']), 'iteration')}"
        raise CheckpointError(
            f"{path} is the checkpoint of {iterations}, which a new run would overwrite",
            path,
            option="checkpoint",
            given=str(path),
            remedy="resume it, or give another name",
        )


def check_past(path: Path, header: Mapping[str, Any], limits: Limits) -> None:
    """Raise CheckpointError where a run that is resumed is past the limits at which to stop.

    One that ended at the same limit is not: its blueprint is written once more.
    """
    seconds, ended_at = float(header["seconds"]), header.get("limits", {}).get("seconds")
    refuse_past(path, int(header["state"]["iteration"]), limits.iterations)
    if limits.seconds is not None and limits.seconds <= seconds and limits.seconds != ended_at:
        raise CheckpointError(
            f"{path} has been trained for {seconds:,.1f} s, past the {limits.seconds:,.1f} s to "
            "stop at",
            path,
            option="seconds",
            given=limits.seconds,
            expected=seconds,
            remedy="give a longer time: it includes the time before",
        )
