"""A run of CFR on sampled deals: its limits, its measurement, and its checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Any, Final, NamedTuple, Self, TypeVar

from pydantic import Field

from equilibrist.errors import CheckpointError, EquilibristError
from equilibrist.parsing.arguments import (
    file_name,
    optional_whole_number,
    same_file,
    saving_every,
)
from equilibrist.poker.preflop.sampled_cfr import SampledGame, SampledSolver
from equilibrist.poker.preflop.sampled_evaluation import Evaluation, evaluate
from equilibrist.progress import Callbacks, progress_of
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.saved_run import SavedRun, refuse_other_arrays, refuse_overwrite
from equilibrist.solvers.run.stopping import Stop, StopReason, StopRule, merge_stop
from equilibrist.solvers.run.trace import NEVER, Unmeasured
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import SAMPLED_CHECKPOINT
from equilibrist.storage.versions import FileHeader, versions
from equilibrist.typing import FloatArray

ALGORITHM: Final = "cfr"
SAVE_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
LEAST_DEALS: Final = 1_000
MOST_DEALS: Final = 10**11
_SHARE_OF_INTERRUPTED: Final = 10
"""A run that the user stopped is measured on so many times fewer deals than it played."""
_PLAYING: Final = 0.5
"""The part of a time limit after which a run stops playing; the rest is for measuring."""
_SPEED_OF_MEASURING: Final = 0.8
"""Deals that are measured while one is played, with a reserve, as the time limit counts both."""


class _Options(FileHeader):
    seed: int = Field(ge=0)


class _Whole(FileHeader):
    iteration: int = Field(ge=0, le=2**53)
    deals: int = Field(ge=0, le=2**53)


class _State(FileHeader):
    deals: int = Field(ge=0, le=2**53)
    whole: _Whole | None = None
    """Where the arrays stand, if the last iteration was cut short: it is played again then."""


class _Header(RunHeader):
    problem: dict[str, Any]
    """What is solved, by the name of the command that solves it."""
    options: _Options
    iteration: int = Field(ge=0, le=2**53)
    state: _State


_Problem = TypeVar("_Problem")


@dataclass
class Saving:
    """Where and how often a run is saved.

    Attributes:
        path: The file.
        game: What is solved: `{command: keys}`.
        seed: The seed of its deals.
        every: Seconds between two checkpoints.
    """

    path: Path
    game: Mapping[str, Any]
    seed: int
    every: float = SAVE_EVERY


def read_limits(stop: Stop | None, deals: int | None, seconds: float | None) -> Stop:
    """The limits of a run on sampled deals.

    Args:
        stop: When it ends, or None where the limits are given one by one.
        deals: The most deals.
        seconds: The most seconds.

    Returns:
        The limits.

    Raises:
        ConfigError: One is out of range, given twice, or no limit of such a run.
    """
    limits = Stop(**merge_stop(stop, deals=deals, seconds=seconds))
    optional_whole_number("deals", limits.deals, LEAST_DEALS, MOST_DEALS)
    return limits


class SampledCheckpoint(SavedRun[_Header]):
    """The checkpoint of a run on sampled deals."""

    KIND = SAMPLED_CHECKPOINT
    HEADER = _Header

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read a file; raises CheckpointError if there is none, or it is damaged or foreign."""
        super().__init__(path, "resume")

    @property
    def problems(self) -> dict[str, Any]:
        """What is solved: `{command: keys}`."""
        return self.header.problem

    @property
    def seed(self) -> int:
        """The seed of its deals."""
        return self.header.options.seed

    @property
    def deals(self) -> int:
        """Deals so far."""
        return self.header.state.deals

    def keys(self, command: str) -> dict[str, Any]:
        """What is solved, for a command; raises CheckpointError if it is another's run."""
        keys = self.problems.get(command)
        if not isinstance(keys, dict):
            other = next(iter(self.problems), "another command")
            raise CheckpointError(
                f"{self.path} is a run of {other}",
                self.path,
                option="resume",
                given=other,
                expected=command,
                remedy="resume it with: "
                f"equilibrist preflop {other} --resume {quote(str(self.path))}",
            )
        return keys

    def problem(self, command: str, read: Callable[[dict[str, Any]], _Problem]) -> _Problem:
        """What is solved, made of its keys by `read`; raises CheckpointError where that fails."""
        keys = self.keys(command)
        try:
            return read(keys)
        except (EquilibristError, KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{self.path} has no game that can be read: {error}",
                self.path,
                option="resume",
                remedy="start a new run",
            ) from None

    def check_same(self, game: Mapping[str, Any] | None, command: str, seed: int | None) -> None:
        """Raise CheckpointError where another game, or other deals, are asked for."""
        keys = self.keys(command)
        there = {**keys, "seed": self.seed}
        here = {
            **(keys if game is None else game),
            "seed": self.seed if seed is None else seed,
        }
        self.refuse_other("game", there, here)

    def restore(self, solver: SampledSolver) -> None:
        """Put a solver where the run stood; raises CheckpointError."""
        arrays, whole = self.arrays(), self.header.state.whole
        refuse_other_arrays(self.path, arrays, solver.arrays())
        if whole is None:
            solver.restore(self.iteration, self.deals, arrays)
        else:
            solver.restore(whole.iteration, whole.deals, arrays)


def _described(saved: SampledCheckpoint) -> str:
    return f"of {next(iter(saved.problems))}"


class Played(NamedTuple):
    """What a run found."""

    strategy: FloatArray
    """float64[decisions, classes, actions]"""
    evaluation: Evaluation
    iterations: int
    deals: int
    measured_deals: int
    stopped_by: StopReason
    seconds: float
    """Of all of the run, those before a resume included; without the evaluation."""


@dataclass
class SampledRun:
    """How a game is solved.

    Attributes:
        deals: The deals to play, those before a resume included.
        seconds: The most seconds that playing and measuring take.
        seed: The seed of the deals.
        threads: Threads that share them.
        callbacks: Receive the progress; may stop the run, or have it saved. The seconds count by
            their clock.
        saving: Where the run is saved, if anywhere.
        saved: The run to resume, if any.
    """

    deals: int
    seconds: float | None
    seed: int
    threads: int
    callbacks: Callbacks = Callbacks()  # noqa: RUF009 - it is frozen
    saving: Saving | None = None
    saved: SampledCheckpoint | None = None

    def saved_to(
        self, checkpoint: str | os.PathLike[str] | None, game: Mapping[str, Any], every: float
    ) -> Self:
        """The run with its checkpoint, by default the one that it resumes.

        Args:
            checkpoint: The file, if one was given.
            game: What is solved: `{command: keys}`.
            every: Seconds between two checkpoints.

        Returns:
            The run itself.

        Raises:
            ConfigError: `every` is no number of seconds, or there is no checkpoint.
            OutputError: The checkpoint cannot be written.
            CheckpointError: It is that of another run, which would be lost.
        """
        path = checkpoint if checkpoint is not None or self.saved is None else self.saved.path
        every = saving_every(every, SAVE_EVERY, is_saved=path is not None)
        if path is not None:
            self.saving = Saving(file_name("checkpoint", path), game, self.seed, every)
            check_writable(self.saving.path, SAMPLED_CHECKPOINT)
            if self.saved is None or not same_file(self.saving.path, self.saved.path):
                refuse_overwrite(self.saving.path, SampledCheckpoint, _described)
        return self

    def play(self, game: SampledGame) -> Played:
        """Solve a game, with deals of the seed, and measure the result.

        Args:
            game: The game.

        Returns:
            The average strategy and how good it is.

        Raises:
            CheckpointError: The checkpoint has other arrays.
            OutputError: A checkpoint cannot be written.
        """
        solver, before, begun = SampledSolver(game, self.deals), 0.0, perf_counter()
        if not game.decisions:  # everybody is all-in by posting
            measured = self._measured(game, solver, self.deals, 0, begun)
            evaluation = evaluate(game, game.uniform(), measured)
            return Played(game.uniform(), evaluation, 0, 0, measured, "deals", 0.0)
        if self.saved is not None:
            self.saved.restore(solver)
            before = self.saved.seconds
        played = solver.deals
        outcome = Loop(
            solver,
            Unmeasured,
            StopRule(
                seconds=None if self.seconds is None else _PLAYING * self.seconds,
                since=self._since(begun),
                deals=self.deals,
            ),
            seconds=before,
            report=self._report,
            save=None if self.saving is None else _saver(solver, self.saving),
            save_every=SAVE_EVERY if self.saving is None else self.saving.every,
            schedule=NEVER,
        ).run()
        if outcome.failure is not None:
            raise outcome.failure
        by_user = outcome.stopped_by in ("interrupted", "callback")
        most = solver.deals // (_SHARE_OF_INTERRUPTED if by_user else 1)
        measured = self._measured(game, solver, most, solver.deals - played, begun)
        strategy = solver.strategy()
        return Played(
            strategy,
            evaluate(game, strategy, measured),
            solver.iteration,
            solver.deals,
            measured,
            outcome.stopped_by,
            outcome.seconds,
        )

    def _report(self, event: ProgressEvent[Unmeasured]) -> Answer:
        report = self.callbacks.on_progress
        return None if report is None else report(progress_of(event, ALGORITHM))

    def _since(self, begun: float) -> float:
        """When the limit of seconds began to count; the run itself has `begun` at the latest."""
        since = self.callbacks.clock.counts_from
        return begun if since is None else since

    def _measured(
        self, game: SampledGame, solver: SampledSolver, most: int, played: int, begun: float
    ) -> int:
        """How many deals to measure on: `most`, or fewer where the time limit ends that.

        The speed is that of the deals `played` since `begun`; if there are none, it is tried out.
        """
        if self.seconds is None:
            return max(most, LEAST_DEALS)
        took = perf_counter() - begun
        if not played:
            played, tried = LEAST_DEALS, perf_counter()
            evaluate(game, solver.strategy(), played)
            took = perf_counter() - tried
        a_second = _SPEED_OF_MEASURING * played / max(took, 1e-9)
        spent = perf_counter() - self._since(begun)
        in_time = min(a_second * max(self.seconds - spent, 0.0), float(most))
        return max(int(in_time), LEAST_DEALS)


def _saver(solver: SampledSolver, saving: Saving) -> Callable[[object, float], None]:
    file = OwnFile(saving.path)

    def save(_trace: object, seconds: float) -> None:
        state = solver.state
        is_cut = state.deals < solver.deals
        whole = _Whole(iteration=state.iteration, deals=state.deals) if is_cut else None
        header = _Header(
            problem=dict(saving.game),
            algorithm=ALGORITHM,
            options=_Options(seed=saving.seed),
            iteration=solver.iteration,
            seconds=seconds,
            state=_State(deals=solver.deals, whole=whole),
            versions=versions(),
        )
        with file.replaced():
            write_archive(saving.path, SAMPLED_CHECKPOINT, header.model_dump(), state.arrays)

    return save
