"""Checkpoints of runs on hands that are solved exactly."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from pydantic import Field

from equilibrist.errors import CheckpointError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.solver import (
    ExactSolver,
    ExactState,
    exact_variant,
    identity_of,
)
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.saved_run import SavedRun, refuse_other_arrays
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.archive import write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import PREFLOP_CHECKPOINT
from equilibrist.storage.versions import FileHeader, versions


class _Problem(FileHeader):
    hand: dict[str, Any]
    flops: int | None
    seed: int = Field(ge=0)


class _Options(FileHeader):
    identity: str


class _CheckpointHeader(RunHeader):
    problem: _Problem
    options: _Options


def saver(
    solver: ExactSolver, hand: Hand, path: str | os.PathLike[str]
) -> Callable[[tuple[TracePoint, ...], float], None]:
    """What writes the state of a run to a file, atomically; raises OutputError if that fails."""
    file = OwnFile(path)

    def write(trace: tuple[TracePoint, ...], seconds: float) -> None:
        game = solver.game
        header = _CheckpointHeader(
            problem=_Problem(hand=stored_hand(hand), flops=game.flops, seed=game.seed),
            algorithm=solver.variant.name,
            options=_Options(identity=solver.identity),
            iteration=solver.iteration,
            seconds=seconds,
            trace=[point.row for point in trace],
            versions=versions(),
        )
        with file.replaced():
            write_archive(path, PREFLOP_CHECKPOINT, header.model_dump(), solver.arrays())

    return write


class HandCheckpoint(SavedRun[_CheckpointHeader]):
    """A saved run of a hand.

    Attributes:
        hand: The hand.
        game: What is solved of it.
    """

    KIND = PREFLOP_CHECKPOINT
    HEADER = _CheckpointHeader
    hand: Hand
    game: ExactGame

    def _open(self) -> None:
        problem = self.header.problem
        self.hand = read_stored_hand(problem.hand)
        self.game = ExactGame.of(self.hand, problem.flops, problem.seed)

    def check_run(
        self, hand: Hand | None, flops: int | None, seed: int | None, algorithm: str | None
    ) -> None:
        """Raise CheckpointError where the run is another than that which is asked for."""
        variant = exact_variant(self.algorithm if algorithm is None else algorithm)
        there: dict[str, Any] = {"flops": self.game.flops, "seed": self.game.seed}
        here = {
            "flops": self.game.flops if flops is None else flops,
            "seed": self.game.seed if seed is None else seed,
        }
        if hand is not None:
            there, here = {**stored_hand(self.hand), **there}, {**stored_hand(hand), **here}
        self.refuse_other("hand", there, here)
        if identity_of(self.game, variant) != self.header.options.identity:
            raise CheckpointError(
                f"{self.path} is a run of {self.algorithm}, not of {variant.name}, or of a version "
                "with other rules",
                self.path,
                option="algorithm",
                given=self.algorithm,
                expected=variant.name,
                remedy="leave the algorithm out, or start a new run under another name",
            )

    def restore(self, solver: ExactSolver) -> None:
        """Put a solver where the run stood; raises CheckpointError."""
        arrays = self.arrays()
        refuse_other_arrays(self.path, arrays, solver.arrays())
        solver.restore(ExactState(self.iteration, arrays, self.header.options.identity))
