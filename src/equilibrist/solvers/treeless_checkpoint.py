"""Checkpoints of runs without a tree: the table as it stands, so that a run ends with its bits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from equilibrist.archive import read_archive, write_archive
from equilibrist.arguments import file_name
from equilibrist.errors import CheckpointError, FileFormatError
from equilibrist.solvers.identity import Identity, coefficients_digest, differences
from equilibrist.solvers.infoset_table import InfosetTable
from equilibrist.solvers.sampler_names import sampler_spec
from equilibrist.solvers.treeless_run import Stand

if TYPE_CHECKING:
    from equilibrist.solvers.treeless import TreelessMCCFR

KIND = "treeless-checkpoint"
_MOST = 2**60
"""Iterations that a run may have behind it."""
_BEFORE = "before_"
_SHAPES = {"high": 1, "low": 1, "row": 1, "pool": 2, "used": 1, "progress": 1}


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    identity: Identity
    log_size: int = Field(ge=1)
    log_size_before: int | None = Field(default=None, ge=1)
    payoffs: list[float] = []
    memory: int = Field(ge=1)
    seconds: float = Field(ge=0.0)
    versions: dict[str, str]


@dataclass(frozen=True, eq=False)
class TreelessCheckpoint:
    """A run as it stood; `versions` are the packages that wrote it, for people."""

    identity: Identity
    stand: Stand
    before: Stand | None
    payoffs: list[float]
    memory: int
    seconds: float
    versions: dict[str, str]
    path: Path

    @property
    def iteration(self) -> int:
        """How many iterations had run."""
        return self.stand.iteration

    def restore(self, solver: TreelessMCCFR) -> TreelessMCCFR:
        """Put `solver` where this run stands and return it; the table is not copied.

        Raises CheckpointError that says what differs if it is a run of something else,
        MemoryBudgetError if the table is larger than the solver's bound.
        """
        found = differences(self.identity, identify(solver))
        if found:
            raise CheckpointError(
                f"{self.path} is a checkpoint of another run: {'; '.join(found)}. Resume it "
                f"with the game and options it was made with, or start afresh under another name",
                self.path,
            )
        begun = self.iteration if self.before is None else self.before.iteration
        if self.iteration - begun != self.iteration % solver.grain:
            raise self._broken("it does not hold where its round began")
        for stand in (self.stand, self.before):
            if stand is not None:
                self._fit(stand, solver)
        if solver.units is not None:
            solver.units.adopt(self.payoffs)
        solver.restore(self.stand, self.before)
        return solver

    def _fit(self, stand: Stand, solver: TreelessMCCFR) -> None:
        from equilibrist.kernels.table import UNSEEN, UNSTORED

        table, end = stand.table, UNSEEN + solver.rules.max_actions
        room = int(table.used[1]) >= end and stand.log_size >= solver.rules.max_actions
        taken = (table.row != -1) & (table.row >> 16 < end)
        if not room or taken.any() or table.pool[:, UNSEEN:end].any():
            raise self._broken("it has no row for infosets unseen")
        unstored, was_full = float(table.pool[UNSTORED]), bool(table.used[2:].any())
        if unstored < 0.0 or (unstored > 0.0 and not was_full):
            raise self._broken("it has regrets of infosets without a row, and room for all")
        solver.refuse_more_than_memory(len(table.row), table.pool.shape[1], stand.log_size)
        if solver.memory > self.memory:  # a table that could not grow may try again
            table.used[2:] = 0, table.used[2] | table.used[3]

    def _broken(self, why: str) -> CheckpointError:
        return CheckpointError(f"{self.path} is not a whole checkpoint: {why}", self.path)


def identify(solver: TreelessMCCFR) -> Identity:
    """What a checkpoint of `solver` is a checkpoint of."""
    return Identity(
        game=solver.rules.name,
        fingerprint=solver.rules.identity,
        layout="packed",
        algorithm=solver.variant.name,
        coefficients=coefficients_digest(solver.variant, None),
        alternating=True,
        horizon=None,
        seed=solver.seed,
        output="average",
        sampler=sampler_spec(solver.sampler),
        averaging=solver.averaging,
        averaging_every=solver.averaging_every,
        period=solver.period,
        threads=solver.threads if solver.threads > 1 else None,
        shared=False if solver.threads > 1 else None,
    )


def save(
    path: str | os.PathLike[str],
    solver: TreelessMCCFR,
    *,
    seconds: float = 0.0,
    versions: Mapping[str, str] | None = None,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails.

    It takes no memory beside the solver's.
    """
    header = _Header(
        identity=identify(solver),
        log_size=solver.log_size,
        payoffs=[] if solver.units is None else solver.units.payoffs,
        log_size_before=None if solver.before is None else solver.before.log_size,
        memory=solver.memory,
        seconds=seconds,
        versions=dict(versions or {}),
    )
    arrays = _arrays(solver.stand, "")
    if solver.before is not None:
        arrays |= _arrays(solver.before, _BEFORE)
    write_archive(path, KIND, header.model_dump(), arrays)


def load(path: str | os.PathLike[str]) -> TreelessCheckpoint:
    """Read a checkpoint; CheckpointError if there is none or it is damaged or foreign."""
    path = file_name("path", path)
    if not path.exists():
        raise CheckpointError(
            f"there is no checkpoint {path} to resume; start without resume to make one", path
        )
    try:
        raw, arrays = read_archive(path, KIND)
    except FileFormatError as error:
        raise CheckpointError(str(error), path) from None
    try:
        header = _Header.model_validate(raw)
        stand, before = _stand(arrays, "", header.log_size), None
        if header.log_size_before is not None:
            before = _stand(arrays, _BEFORE, header.log_size_before)
    except (ValidationError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path} is not a whole checkpoint: {error}", path) from None
    return TreelessCheckpoint(
        header.identity,
        stand,
        before,
        header.payoffs,
        header.memory,
        header.seconds,
        header.versions,
        path,
    )


def _arrays(stand: Stand, prefix: str) -> dict[str, Any]:
    table = stand.table
    arrays = {
        "high": table.high.view(np.int64),
        "low": table.low.view(np.int64),
        "row": table.row,
        "pool": table.pool,
        "used": table.used,
        "progress": stand.progress,
    }
    return {prefix + name: array for name, array in arrays.items()}


def _stand(given: dict[str, Any], prefix: str, log_size: int) -> Stand:
    """What a file holds; ValueError for a table that kernels would leave its arrays with."""
    arrays = {name: given[prefix + name] for name in _SHAPES}
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
    return Stand(InfosetTable(high, low, row, pool, used), arrays["progress"], log_size)
