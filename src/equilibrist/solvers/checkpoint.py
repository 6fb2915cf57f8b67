"""Checkpoints of iterative solvers: all that a killed run needs to end with the same bits."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from equilibrist.archive import read_archive, write_archive
from equilibrist.arguments import file_name
from equilibrist.errors import CheckpointError, ConfigError, FileFormatError
from equilibrist.solvers.state import SolverState
from equilibrist.solvers.trace import TracePoint, rows_as_tuples
from equilibrist.solvers.variant import Variant
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.solvers.cfr import CFR

KIND = "checkpoint"
_PROBED = 1000
"""The first iterations whose coefficients go into a variant's digest; then powers of two."""
_LAST_PROBED = 1 << 24


class Identity(BaseModel):
    """What a run is a run of; everything but the game's name must agree to resume it.

    `fingerprint` is the compiled game's, `layout` a digest of the engine's order of sequences
    (which a new version may change), `coefficients` one of the variant's numbers; `output` is
    what the trace measures, `seed` None where nothing is drawn at random.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: str
    fingerprint: str
    layout: str
    algorithm: str
    coefficients: str
    alternating: bool
    horizon: int | None
    seed: int | None
    output: str


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    identity: Identity
    iteration: int = Field(ge=0)
    seconds: float = Field(ge=0.0)
    variant: str
    versions: dict[str, str]
    trace: list[tuple[int, float, float, float | None, list[float]]]


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run as it stood: `state` in engine order, the trace and the seconds so far.

    `variant` is the variant's repr and `versions` the packages that wrote it, for people.
    """

    identity: Identity
    state: SolverState
    trace: tuple[TracePoint, ...]
    seconds: float
    variant: str
    versions: dict[str, str]
    path: Path

    def restore(self, solver: CFR, *, output: str = "average") -> CFR:
        """Put `solver` where this run stands and return it.

        Raises CheckpointError that says what differs if it is a run of something else.
        """
        wanted = identify(solver, output)
        differences = _differences(self.identity, wanted)
        if differences:
            raise CheckpointError(
                f"{self.path} is a checkpoint of another run: {'; '.join(differences)}. Resume it "
                f"with the game and options it was made with, or start afresh under another name",
                self.path,
            )
        return solver.restore(self.state)


def identify(solver: CFR, output: str = "average") -> Identity:
    """What a checkpoint of `solver` is a checkpoint of; `output` is what its trace measures."""
    return Identity(
        game=solver.tree.name,
        fingerprint=solver.tree.fingerprint,
        layout=_layout(solver.tree),
        algorithm=solver.variant.name,
        coefficients=coefficients_digest(solver.variant, solver.horizon),
        alternating=solver.alternating,
        horizon=solver.horizon if solver.variant.needs_horizon else None,
        seed=None,
        output=output,
    )


def _layout(tree: GameTree) -> str:
    form = tree.sequence_form
    digest = hashlib.sha256(np.int64(form.num_sequences).tobytes())
    digest.update(np.ascontiguousarray(form.sequence_of_public, dtype=np.int64).data)
    return digest.hexdigest()


def coefficients_digest(variant: Variant, horizon: int | None) -> str:
    """SHA-256 over the numbers of the first 1,000 iterations and those of powers of two to 2^24.

    This, not the name or the repr, says whether a user's variant is still the same.
    """
    last = horizon if variant.needs_horizon and horizon is not None else _LAST_PROBED
    probes = [(1, min(_PROBED, last))]
    t = 1 << _PROBED.bit_length()
    while t <= last:
        probes.append((t, 1))
        t *= 2
    digest = hashlib.sha256()
    for start, count in probes:
        try:
            digest.update(variant.table(start, count, horizon).tobytes())
        except ConfigError:  # a user's variant need not reach so far
            digest.update(f"none at {start}".encode())
    return digest.hexdigest()


def save_checkpoint(
    path: str | os.PathLike[str],
    solver: CFR,
    *,
    identity: Identity | None = None,
    trace: Sequence[TracePoint] = (),
    seconds: float = 0.0,
    versions: Mapping[str, str] | None = None,
    overwrite: bool = True,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails.

    `identity` spares working it out again. An existing checkpoint is replaced unless `overwrite`
    is false, a file of another kind never.
    """
    state = solver.state
    header = _Header(
        identity=identity if identity is not None else identify(solver),
        iteration=state.iteration,
        seconds=seconds,
        variant=repr(solver.variant),
        versions=dict(versions or {}),
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
    path = file_name("path", path)
    try:
        path.stat()
    except FileNotFoundError:
        raise CheckpointError(
            f"there is no checkpoint {path} to resume; start without resume to make one", path
        ) from None
    except (OSError, ValueError):
        pass  # reading says why
    try:
        raw, arrays = read_archive(path, KIND)
    except FileFormatError as error:
        raise CheckpointError(str(error), path) from None
    try:
        header = _Header.model_validate(rows_as_tuples(raw))
        state = _state(arrays, header.iteration)
    except (ValidationError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path} is not a whole checkpoint: {error}", path) from None
    return Checkpoint(
        identity=header.identity,
        state=state,
        trace=tuple(TracePoint(*row[:4], tuple(row[4])) for row in header.trace),
        seconds=header.seconds,
        variant=header.variant,
        versions=header.versions,
        path=path,
    )


def _state(arrays: dict[str, Any], iteration: int) -> SolverState:
    found: dict[str, FloatArray] = {}
    for name in ("regret", "behaviour", "strategy_sum"):
        array = arrays[name]
        if array.dtype != np.float64 or array.ndim != 1 or not np.isfinite(array).all():
            raise ValueError(f"{name} is not a list of finite numbers")
        found[name] = array
    if len({len(array) for array in found.values()}) != 1:
        raise ValueError("its arrays have different lengths")
    return SolverState(**found, iteration=iteration)


def _differences(mine: Identity, wanted: Identity) -> list[str]:
    """What differs, in words; digests only where no name says it already."""
    said = []
    if mine.fingerprint != wanted.fingerprint:
        same_name = mine.game == wanted.game
        changed = f"the rules of {mine.game} have changed since"
        said.append(changed if same_name else f"its game is {mine.game}, not {wanted.game}")
    elif mine.layout != wanted.layout:
        said.append("it was written by a version that numbers sequences in another order")
    if mine.algorithm != wanted.algorithm:
        said.append(f"its algorithm is {mine.algorithm}, not {wanted.algorithm}")
    elif mine.horizon != wanted.horizon:
        said.append(f"it was planned for {mine.horizon} iterations, not {wanted.horizon}")
    elif mine.coefficients != wanted.coefficients:
        said.append(f"the coefficients of {mine.algorithm} have changed since")
    if mine.alternating != wanted.alternating:
        order = {True: "alternating", False: "simultaneous"}
        said.append(f"its updates are {order[mine.alternating]}, not {order[wanted.alternating]}")
    if mine.seed != wanted.seed:
        said.append(f"its seed is {mine.seed}, not {wanted.seed}")
    if mine.output != wanted.output:
        said.append(f"its trace measures the {mine.output} strategy, not the {wanted.output}")
    return said
