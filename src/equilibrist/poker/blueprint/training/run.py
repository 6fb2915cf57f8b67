"""A run of a training: limits, progress, evaluations in between, and checkpoints."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from equilibrist.errors import CheckpointError, ConfigError, EquilibristError
from equilibrist.formatting.amounts import counted
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.compiling import compile_training
from equilibrist.poker.blueprint.training.rounds import Workers
from equilibrist.poker.blueprint.training.sampled_training import SampledTraining
from equilibrist.poker.blueprint.training.trainer import FLOAT32, Trainer
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.progress import Callbacks, Progress, progress_of
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent, Solver
from equilibrist.solvers.run.saved_run import SavedRun
from equilibrist.solvers.run.stopping import Stop, StopReason, StopRule, merge_stop
from equilibrist.solvers.run.trace import NEVER, Unmeasured
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import BLUEPRINT_CHECKPOINT
from equilibrist.storage.versions import FileHeader, versions

_TELL_EVERY: Final = 0.1
"""Seconds between two reports of progress: the average regret takes a pass over all numbers."""


Evaluate = Callable[[Blueprint], Any]
"""Measures a blueprint in between; if what it returns has `to_dict`, that is recorded."""


class TrainingProblem(FileHeader):
    """The hand that is trained, and the hash and place of its card buckets."""

    hand: dict[str, Any]
    cards: dict[str, Any]


class TrainingHeader(RunHeader):
    """The header of a checkpoint of a training."""

    problem: TrainingProblem
    options: dict[str, Any]
    state: dict[str, Any]


@dataclass
class Run:
    """A trainer with what its loop takes; `before` are seconds of the run before a resume.

    The seconds of `stop` count by the clock of `callbacks`.
    """

    trainer: SampledTraining
    algorithm: str
    stop: Stop
    callbacks: Callbacks
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
        options = self.trainer.options()
        if self.workers is not None:
            options["workers"] = [self.workers.count, self.workers.period]
        return options

    def blueprint(self, seconds: float, stopped_by: StopReason | None) -> Blueprint:
        """The blueprint as it is now, None while the run goes on.

        Raises ConfigError where its numbers are not finite.
        """
        trainer = self.trainer
        check_numbers(trainer)
        record = {
            "algorithm": self.algorithm,
            "iterations": trainer.iteration,
            "boards": trainer.boards,
            "seconds": seconds,
            "stopped_by": stopped_by,
            "average_regret_mbb": trainer.average_regret,
            "value_mbb": trainer.value,
            **self.options(),
        }
        if hasattr(self.evaluated, "to_dict"):
            record["evaluated"] = self.evaluated.to_dict()
        return Blueprint(trainer.game, trainer.cards, trainer.strategy(), record)


def trained(run: Run) -> Blueprint:
    """Run until a limit is reached, or the user stops it.

    Args:
        run: The run.

    Returns:
        The blueprint.
    """
    if run.workers is None or not isinstance(run.trainer, Trainer):
        return _looped(run, run.trainer)
    from equilibrist.poker.blueprint.training.rounds import Rounds

    with closing(Rounds(run.trainer, run.workers, run.stop.iterations)) as rounds:
        return _looped(run, rounds)


def _looped(run: Run, solver: Solver) -> Blueprint:
    save = checkpoint_saver(run)
    reason = _ended_before(run)
    if save is not None and (run.trainer.iteration == 0 or reason is not None):
        save(run.before)  # a new run's, so that another one with this checkpoint is refused
    if reason is not None:
        return run.blueprint(run.before, reason)
    compile_training(run.trainer.game.hand, run.trainer.cards, run.algorithm, run.storage)
    teller = _Teller(run)
    outcome = Loop(
        solver,
        Unmeasured,
        StopRule(
            run.stop.iterations,
            run.stop.seconds,
            since=run.callbacks.clock.counts_from,
        ),
        seconds=run.before,
        report=teller.report,
        save=None if save is None else lambda _trace, seconds: save(seconds),
        save_every=run.every,
        schedule=NEVER,
    ).run()
    if outcome.failure is not None:
        raise outcome.failure
    return run.blueprint(outcome.seconds, outcome.stopped_by)


def _ended_before(run: Run) -> StopReason | None:
    """The limit that a resumed run has reached before; none before there is an iteration."""
    iteration, most = run.trainer.iteration, run.stop.iterations
    return "iterations" if iteration and most is not None and iteration >= most else None


class _Teller:
    """Reports a training now and then, and evaluates it in between, which is no time of training.

    Args:
        run: The run, whose time begins now.
    """

    def __init__(self, run: Run) -> None:
        self._run, self._told_at = run, -math.inf
        self._evaluated_at = perf_counter()

    def report(self, event: ProgressEvent[Unmeasured]) -> Answer:
        """What the loop calls."""
        run, now, answer = self._run, perf_counter(), None
        if run.callbacks.on_progress is not None and now - self._told_at > _TELL_EVERY:
            answer = run.callbacks.on_progress(self._progress(event))
            self._told_at = now
        every = run.evaluate_every
        if every is not None and now - self._evaluated_at > every:
            self._evaluate(event.seconds)
        return answer

    def _evaluate(self, seconds: float) -> None:
        """Measure the blueprint as it is, after so many seconds of training."""
        run = self._run
        assert run.evaluate is not None
        run.evaluated = run.evaluate(run.blueprint(seconds, None))
        self._evaluated_at = perf_counter()

    def _progress(self, event: ProgressEvent[Unmeasured]) -> Progress:
        trainer = self._run.trainer
        return progress_of(
            event,
            self._run.algorithm,
            updates=trainer.updates,
            average_regret=trainer.average_regret,
            value=trainer.value,
            evaluated=self._run.evaluated,
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
        header = TrainingHeader(
            problem=TrainingProblem(hand=stored_hand(trainer.game.hand), cards=cards),
            algorithm=run.algorithm,
            options=run.options(),
            iteration=trainer.iteration,
            seconds=seconds,
            state=trainer.state(),
            limits={"iterations": run.stop.iterations, "seconds": run.stop.seconds},
            versions=versions(),
        ).model_dump()
        with file.replaced():
            write_archive(file.path, BLUEPRINT_CHECKPOINT, header, trainer.arrays(), in_parts=True)

    return save


def read_limits(stop: Stop | None, iterations: int | None, seconds: float | None) -> Stop:
    """The limits of a training.

    Args:
        stop: When it ends, or None where the limits are given one by one.
        iterations: The most iterations.
        seconds: The most seconds.

    Returns:
        The limits.

    Raises:
        ConfigError: One is out of range, given twice or no limit of a training, or there is none.
    """
    limits = Stop(**merge_stop(stop, iterations=iterations, seconds=seconds))
    if limits.is_default:
        raise ConfigError(
            "nothing says when the training ends",
            option="seconds",
            remedy="give `seconds` or `iterations`",
        )
    return limits


class TrainingCheckpoint(SavedRun[TrainingHeader]):
    """A saved training; its state is read from the file when it resumes.

    Attributes:
        hand: The hand.
    """

    KIND = BLUEPRINT_CHECKPOINT
    HEADER = TrainingHeader
    hand: Hand

    def _open(self) -> None:
        self.hand = read_stored_hand(self.header.problem.hand)


def check_new(path: Path) -> None:
    """Refuse a checkpoint that exists, or cannot be written."""
    check_writable(path, BLUEPRINT_CHECKPOINT)
    if os.path.lexists(path):
        iterations = "another run"
        with suppress(EquilibristError):
            saved = TrainingCheckpoint(path)
            iterations = f"a run of {counted(saved.iteration, 'iteration')}"
        raise CheckpointError(
            f"{path} is the checkpoint of {iterations}, which a new run would overwrite",
            path,
            option="checkpoint",
            given=str(path),
            remedy="resume it, or give another name",
        )
