"""Files of solved hands, and checkpoints of their runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from equilibrist.errors import CheckpointError
from equilibrist.parsing.arguments import instance
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.preflop_values import PreflopTables
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solver import (
    ExactSolver,
    ExactState,
    exact_variant,
    identity_of,
)
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.saved_run import SavedRun, refuse_other_arrays
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.solvers.run.trace import TracePoint, TraceRow
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import PREFLOP_CHECKPOINT, PREFLOP_SOLUTION
from equilibrist.storage.versions import FileHeader, versions


class _SolutionHeader(FileHeader):
    hand: dict[str, Any]
    flops: int | None
    seed: int = Field(ge=0)
    algorithm: str
    iterations: int = Field(ge=0, le=2**53)
    seconds: float = Field(ge=0.0)
    trace: list[TraceRow]
    versions: dict[str, str]
    stopped_by: StopReason
    exploitability: float
    values: list[float]
    target: float | None
    memory_bytes: int = Field(ge=0)


class _Problem(FileHeader):
    hand: dict[str, Any]
    flops: int | None
    seed: int = Field(ge=0)


class _Options(FileHeader):
    identity: str


class _CheckpointHeader(RunHeader):
    problem: _Problem
    options: _Options


def save_preflop(solution: PreflopSolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution: its strategies before the flop, and what values there depend on.

    Args:
        solution: The solution.
        path: The file; an earlier solution there is replaced.

    Returns:
        The path.

    Raises:
        OutputError: It cannot be written, or another file stands there.
    """
    instance("solution", solution, PreflopSolution, "what solve_preflop gives")
    header = _SolutionHeader(
        hand=stored_hand(solution.hand),
        flops=solution.flops,
        seed=solution.seed,
        algorithm=solution.algorithm,
        iterations=solution.iterations,
        seconds=solution.seconds,
        trace=[point.row for point in solution.trace],
        versions=versions(),
        stopped_by=solution.stopped_by,
        exploitability=solution.exploitability,
        values=list(solution.values),
        target=solution.target,
        memory_bytes=solution.memory_bytes,
    )
    arrays: dict[str, NDArray[Any]] = {
        f"strategy.{node}": strategy for node, strategy in solution.strategies.items()
    }
    arrays |= {name: getattr(solution.tables, name) for name in PreflopTables._fields}
    arrays |= {"hands": solution.hands, "many": solution.many}
    write_archive(path, PREFLOP_SOLUTION, header.model_dump(), arrays)
    return Path(path)


def load_preflop(path: str | os.PathLike[str]) -> PreflopSolution:
    """Open a solution of a hand.

    Args:
        path: The file.

    Returns:
        The solution.

    Raises:
        FileFormatError: The file is no such solution, or it is damaged.
    """
    found, arrays = read_archive(path, PREFLOP_SOLUTION)
    with reading_content(path, "a whole solution"):
        header = _SolutionHeader.read(found)
        hand = read_stored_hand(header.hand)
        game = ExactGame.of(hand, header.flops, header.seed)
        prefix = "strategy."
        strategies = {
            int(name.removeprefix(prefix)): array
            for name, array in arrays.items()
            if name.startswith(prefix)
        }
        _check_shapes(game.tree, strategies, arrays)
        tables = PreflopTables(*(arrays[name] for name in PreflopTables._fields))
        hands, many = arrays["hands"], arrays["many"]
    return PreflopSolution(
        hand, header.flops, header.seed, header.algorithm, header.iterations, header.seconds,
        header.stopped_by, header.exploitability, tuple(header.values), header.target,
        tuple(map(TracePoint.from_row, header.trace)), header.memory_bytes, strategies, tables,
        hands, many,
    )  # fmt: skip


def _check_shapes(
    tree: BettingTree, strategies: dict[int, NDArray[Any]], arrays: dict[str, NDArray[Any]]
) -> None:
    """Raise ValueError where arrays are not those of the hand."""
    rows = len(arrays["hands"])
    lines = int(((tree.kind == 3) & (tree.street == 0)).sum())
    wanted = {"met": (rows, rows), "beaten": (rows, rows), "below": (2, lines, rows),
              "many": (rows,)}  # fmt: skip
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, not {shape}")
    decisions = np.flatnonzero((tree.kind == 0) & (tree.street == 0)).tolist()
    if sorted(strategies) != decisions:
        raise ValueError("its strategies are not those of the decisions before the flop")
    for node, strategy in strategies.items():
        shape = (int(tree.num_children[node]), rows)
        if strategy.shape != shape or not np.isfinite(strategy).all():
            raise ValueError(f"the strategy of node {node} is not {shape} finite numbers")


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
