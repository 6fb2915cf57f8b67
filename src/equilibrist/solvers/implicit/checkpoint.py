"""Checkpoints of runs without a tree: the whole table, so that resuming changes no bit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from pydantic import Field

from equilibrist.errors import MismatchError
from equilibrist.solvers.implicit.infoset_table import InfosetTable
from equilibrist.solvers.implicit.state import ImplicitState, RunState
from equilibrist.solvers.run.checkpoint import SavedGameRun
from equilibrist.solvers.run.fingerprint import RunFingerprint, refuse_another_run
from equilibrist.solvers.run.header import RunHeader
from equilibrist.storage.archive import write_archive
from equilibrist.storage.damage import damaged_checkpoint
from equilibrist.storage.kinds.file_kinds import TREELESS_CHECKPOINT
from equilibrist.storage.versions import FileHeader

_MOST = 2**60
"""The most iterations of a run."""
_BEFORE = "before_"
_SHAPES = {"high": 1, "low": 1, "row": 1, "pool": 2, "used": 1, "progress": 1}


class _Problem(FileHeader):
    game: str


class _Options(FileHeader):
    identity: RunFingerprint
    memory: int = Field(ge=1)


class _State(FileHeader):
    log_size: int = Field(ge=1)
    log_size_before: int | None = Field(ge=1)
    payoffs: list[float]


class _Header(RunHeader):
    problem: _Problem
    options: _Options
    state: _State


class Resumable(Protocol):
    """A run without a tree that can be saved and resumed; of any class."""

    def live_state(self) -> ImplicitState:
        """Everything that later iterations depend on; not a copy."""
        ...

    def restore(self, state: ImplicitState, *, copy: bool = True) -> Any:
        """Continue from a `state` of such a run; MismatchError if it does not fit."""
        ...

    def fingerprint(self, output: str = "average") -> RunFingerprint:
        """The fingerprint of a run, whose trace measures the strategy `output`."""
        ...


S = TypeVar("S", bound=Resumable)


class ImplicitCheckpoint(SavedGameRun[_Header]):
    """A run without a tree as it stood.

    Attributes:
        state: What the iterations to come depend on.
    """

    KIND = TREELESS_CHECKPOINT
    HEADER = _Header
    state: ImplicitState

    def _open(self) -> None:
        arrays, header = self.arrays(), self.header
        run_state, before = _run_state(arrays, "", header.state.log_size), None
        if header.state.log_size_before is not None:
            before = _run_state(arrays, _BEFORE, header.state.log_size_before)
        self.state = ImplicitState(
            run_state,
            before,
            tuple(header.state.payoffs),
            header.options.memory,
            self.identity.fingerprint,
            self.identity.seed,
        )

    def restore(self, solver: S) -> S:
        """Restore this run in `solver` and return it; the table is not copied.

        Raises CheckpointError that says what differs if it is a run of something else,
        MemoryBudgetError if the table is larger than the solver's bound.
        """
        refuse_another_run(self.path, self.identity, solver.fingerprint())
        try:
            solver.restore(self.state, copy=False)
        except MismatchError as error:
            raise damaged_checkpoint(self.path, error) from None
        return solver


def save_treeless(
    path: str | os.PathLike[str],
    solver: Resumable,
    *,
    seconds: float = 0.0,
    versions: Mapping[str, str] | None = None,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails.

    It takes no memory beside the solver's.
    """
    state = solver.live_state()
    identity = solver.fingerprint()
    header = _Header(
        problem=_Problem(game=identity.game),
        algorithm=identity.algorithm,
        options=_Options(identity=identity, memory=state.memory),
        iteration=state.iteration,
        seconds=seconds,
        state=_State(
            log_size=state.run_state.log_size,
            log_size_before=None if state.before is None else state.before.log_size,
            payoffs=list(state.payoffs),
        ),
        versions=dict(versions or {}),
    )
    arrays = _arrays(state.run_state, "")
    if state.before is not None:
        arrays |= _arrays(state.before, _BEFORE)
    write_archive(path, TREELESS_CHECKPOINT, header.model_dump(), arrays)


def _arrays(run_state: RunState, prefix: str) -> dict[str, Any]:
    table = run_state.table
    arrays = {
        "high": table.high.view(np.int64),
        "low": table.low.view(np.int64),
        "row": table.row,
        "pool": table.pool,
        "used": table.used,
        "progress": run_state.progress,
    }
    return {prefix + name: array for name, array in arrays.items()}


def _run_state(stored: dict[str, Any], prefix: str, log_size: int) -> RunState:
    """The state in a file; ValueError for a table that would send kernels out of bounds."""
    arrays = {name: stored[prefix + name] for name in _SHAPES}
    for name, dimensions in _SHAPES.items():
        kind = np.float64 if name == "pool" else np.int64
        if arrays[name].dtype != kind or arrays[name].ndim != dimensions:
            raise ValueError(f"the array {name} has another type or shape")
    row, pool, used = arrays["row"], arrays["pool"], arrays["used"]
    slots = len(row)
    sound = (
        len(arrays["high"]) == len(arrays["low"]) == slots
        and slots > 0
        and slots & (slots - 1) == 0
        and len(pool) == 2
        and len(used) == 4
        and len(arrays["progress"]) == 4
        and 1 <= int(arrays["progress"][0]) <= _MOST
        and int(arrays["progress"][1]) == 0
    )
    taken = row[row != -1]
    ends = (taken >> 16) + (taken & 0xFFFF)
    if not sound or len(taken) != used[0] or 3 * len(taken) > 2 * slots + 3:
        raise ValueError("the table's parts do not fit together")
    if not 0 <= used[1] <= pool.shape[1] or (taken < 0).any() or (ends > used[1]).any():
        raise ValueError("the table has rows beyond its end")
    if not np.isfinite(pool).all() or (pool[1] < 0.0).any():
        raise ValueError("the table has numbers that are not finite, or negative sums")
    high, low = arrays["high"].view(np.uint64), arrays["low"].view(np.uint64)
    return RunState(InfosetTable(high, low, row, pool, used), arrays["progress"], log_size)
