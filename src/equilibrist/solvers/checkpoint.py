"""Checkpoints of iterative solvers: all that a killed run needs to end with the same bits."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from equilibrist.archive import read_archive, write_archive
from equilibrist.errors import CheckpointError, FileFormatError
from equilibrist.solvers.cfr import CFR, SolverState
from equilibrist.solvers.run import TracePoint
from equilibrist.solvers.variant import Variant
from equilibrist.typing import FloatArray

KIND = "checkpoint"
_PROBED = 1000
"""The first iterations whose coefficients go into a variant's digest; then powers of two."""


class Identity(BaseModel):
    """What must agree for a checkpoint to be resumed; the field names are what a message says."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: str
    fingerprint: str
    algorithm: str
    coefficients: str
    alternating: bool
    horizon: int | None
    output: str


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)

    identity: Identity
    iteration: int
    seconds: float
    variant: str
    versions: dict[str, str]
    trace: list[tuple[int, float, float, float | None, list[float]]]


@dataclass(frozen=True)
class Checkpoint:
    """A run as it stood: `state` in engine order, the trace and seconds so far.

    `variant` is the variant's repr and `versions` the packages that wrote it, for people.
    """

    identity: Identity
    state: SolverState
    trace: tuple[TracePoint, ...]
    seconds: float
    variant: str
    versions: dict[str, str]

    def check(self, wanted: Identity, path: str | os.PathLike[str]) -> None:
        """Raise CheckpointError that says what differs, unless this is a run of `wanted`."""
        if self.identity == wanted:
            return
        mine, other = self.identity.model_dump(), wanted.model_dump()
        differing = [name for name in mine if mine[name] != other[name]]
        shown = [_difference(name, mine[name], other[name], differing) for name in differing]
        raise CheckpointError(
            f"{path} is a checkpoint of another run: {'; '.join(s for s in shown if s)}. "
            f"Resume it with the options it was made with, or start afresh under another name",
            path,
        )


def identify(solver: CFR, output: str = "average") -> Identity:
    """What a checkpoint of this solver is a checkpoint of; `output` is what the trace measures."""
    return Identity(
        game=solver.tree.name,
        fingerprint=solver.tree.fingerprint,
        algorithm=solver.variant.name,
        coefficients=coefficients_digest(solver.variant, solver.horizon),
        alternating=solver.alternating,
        horizon=solver.horizon if solver.variant.needs_horizon else None,
        output=output,
    )


def coefficients_digest(variant: Variant, horizon: int | None) -> str:
    """SHA-256 over the numbers of the first 1,000 iterations and those of powers of two to 2^24.

    This, not the name or the repr, says whether a user's variant is still the same.
    """
    last = horizon if variant.needs_horizon and horizon is not None else 1 << 24
    digest = hashlib.sha256(variant.table(1, min(_PROBED, last), horizon).tobytes())
    for t in (1 << k for k in range(10, 25)):
        if t <= last:
            digest.update(variant.table(t, 1, horizon).tobytes())
    return digest.hexdigest()


def save_checkpoint(
    path: str | os.PathLike[str],
    solver: CFR,
    identity: Identity,
    *,
    trace: Sequence[TracePoint] = (),
    seconds: float = 0.0,
    versions: dict[str, str] | None = None,
    overwrite: bool = True,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails."""
    state = solver.state
    header = _Header(
        identity=identity,
        iteration=state.iteration,
        seconds=seconds,
        variant=repr(solver.variant),
        versions=versions or {},
        trace=[
            (p.iteration, p.seconds, p.nash_conv, p.exploitability, list(p.values)) for p in trace
        ],
    )
    arrays = {
        "regret": state.regret,
        "behaviour": state.behaviour,
        "strategy_sum": state.strategy_sum,
    }
    write_archive(path, KIND, header.model_dump(), arrays, overwrite=overwrite)


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint; CheckpointError if there is none or it is damaged or foreign."""
    path = Path(path)
    if not path.exists():
        raise CheckpointError(
            f"there is no checkpoint {path} to resume; start without resume to make one", path
        )
    try:
        raw, arrays = read_archive(path, KIND)
    except FileFormatError as error:
        raise CheckpointError(str(error), path) from None
    try:
        header = _Header.model_validate(_tuples(raw))
        state = SolverState(
            regret=_floats(arrays, "regret"),
            behaviour=_floats(arrays, "behaviour"),
            strategy_sum=_floats(arrays, "strategy_sum"),
            iteration=header.iteration,
        )
    except (ValidationError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path} is not a whole checkpoint: {error}", path) from None
    return Checkpoint(
        identity=header.identity,
        state=state,
        trace=tuple(TracePoint(*row[:4], tuple(row[4])) for row in header.trace),
        seconds=header.seconds,
        variant=header.variant,
        versions=header.versions,
    )


def _tuples(raw: dict[str, Any]) -> dict[str, Any]:
    """JSON has no tuples: make the rows of the trace what the strict model expects."""
    rows = raw.get("trace")
    if isinstance(rows, list):
        raw = {**raw, "trace": [tuple(r) if isinstance(r, list) else r for r in rows]}
    return raw


def _floats(arrays: dict[str, Any], name: str) -> FloatArray:
    array = arrays[name]
    if array.dtype != np.float64 or array.ndim != 1:
        raise ValueError(f"{name} is not an array of numbers")
    return np.asarray(array)


def _difference(name: str, mine: object, wanted: object, differing: list[str]) -> str:
    """One difference in words; digests are said in words, and only where no name says it."""
    if name == "fingerprint":
        return "" if "game" in differing else "the rules of the game have changed since"
    if name == "coefficients":
        told = {"algorithm", "horizon"} & set(differing)
        return "" if told else "the algorithm's coefficients have changed since"
    if name == "alternating":
        order = {True: "alternating", False: "simultaneous"}
        return f"its updates are {order[bool(mine)]}, asked for {order[bool(wanted)]}"
    if name == "horizon":
        return f"it was planned for {mine} iterations, asked for {wanted}"
    return f"its {name} is {mine}, asked for {wanted}"
