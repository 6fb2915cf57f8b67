"""Checkpoints of iterative solvers: all that a killed run needs to end with the same bits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from equilibrist.errors import CheckpointError, OutputError
from equilibrist.game import source_of
from equilibrist.parsing.arguments import file_name
from equilibrist.solvers.run.fingerprint import RunFingerprint, refuse_another_run
from equilibrist.solvers.run.header import RunHeader, read_run_header
from equilibrist.solvers.run.state import SamplingState, SolverState
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import reading_checkpoint
from equilibrist.storage.kinds.file_kinds import CHECKPOINT
from equilibrist.storage.versions import FileHeader
from equilibrist.typing import FloatArray

__all__ = [
    "Checkpoint",
    "Resumable",
    "RunFingerprint",
    "SavedRun",
    "load_checkpoint",
    "refuse_other_arrays",
    "refuse_overwrite",
    "refuse_past",
    "save_checkpoint",
]

_KEPT = "kept."
"""Before the names of the arrays that a sampler or a local rule keeps."""
_WATCHED = "watched."
"""Before the names of the arrays of what measures the history of play."""
_BEFORE = "before."
"""Before the names of the arrays as the present round began."""


class Resumable(Protocol):
    """A solver whose run can be saved and resumed; its classes need not be known here."""

    @property
    def variant(self) -> object:
        """The algorithm; its repr is written for people."""
        ...

    @property
    def state(self) -> SolverState | SamplingState:
        """A copy of all that the iterations to come depend on."""
        ...

    def restore(self, state: Any, /) -> Any:
        """Continue from a `state` of such a solver; MismatchError if it does not fit."""
        ...

    def fingerprint(self, output: str = "average") -> RunFingerprint:
        """The fingerprint of a run, whose trace measures the strategy `output`."""
        ...


class SavedRun(Protocol):
    """A checkpoint that was read, of whatever kind."""

    @property
    def iteration(self) -> int:
        """How many iterations had run."""
        ...


S = TypeVar("S", bound=Resumable)
R = TypeVar("R", bound=SavedRun)


class _Problem(FileHeader):
    game: str
    loaded_from: str | None
    changes: dict[str, str | float] = Field(default_factory=dict)


class _Options(FileHeader):
    identity: RunFingerprint
    variant: str


class _State(FileHeader):
    nodes_touched: int | None = Field(ge=0)
    num_regrets: int | None = Field(ge=0)


class _Header(RunHeader):
    problem: _Problem
    options: _Options
    state: _State


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A run as it stood: `state`, the trace and the seconds so far.

    `variant` is the variant's repr and `versions` the packages that wrote it, for people;
    `loaded_from` is the text that loads the game, where it is that of a file.
    """

    identity: RunFingerprint
    state: SolverState | SamplingState
    trace: tuple[TracePoint, ...]
    seconds: float
    variant: str
    versions: dict[str, str]
    path: Path
    loaded_from: str | None = None

    @property
    def iteration(self) -> int:
        """How many iterations had run."""
        return self.state.iteration

    def restore(self, solver: S, *, output: str = "average") -> S:
        """Restore this run in `solver` and return it.

        Raises CheckpointError that says what differs if it is a run of something else.
        """
        refuse_another_run(self.path, self.identity, solver.fingerprint(output))
        solver.restore(self.state)
        return solver


def save_checkpoint(
    path: str | os.PathLike[str],
    solver: Resumable,
    *,
    identity: RunFingerprint | None = None,
    trace: Sequence[TracePoint] = (),
    seconds: float = 0.0,
    versions: Mapping[str, str] | None = None,
    changes: Mapping[str, str | float] | None = None,
    overwrite: bool = True,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails.

    `identity` spares working it out again. `changes` are the options of `solve` that merge infosets
    of the game, leave out actions or cut paths, for people who resume the run. An existing
    checkpoint is replaced unless `overwrite` is false, a file of another kind never.
    """
    state = solver.state
    identity = identity if identity is not None else solver.fingerprint()
    header = _Header(
        problem=_Problem(
            game=identity.game,
            loaded_from=source_of(getattr(getattr(solver, "tree", None), "game", None)),
            changes=dict(changes or {}),
        ),
        algorithm=identity.algorithm,
        options=_Options(identity=identity, variant=repr(solver.variant)),
        iteration=state.iteration,
        seconds=seconds,
        trace=[point.row for point in trace],
        state=_State(
            nodes_touched=state.nodes_touched if isinstance(state, SamplingState) else None,
            num_regrets=_own_number(state),
        ),
        versions=dict(versions or {}),
    )
    arrays = {"regret": state.regret, "strategy_sum": state.strategy_sum}
    arrays |= {f"{_KEPT}{name}": array for name, array in state.kept.items()}
    if isinstance(state, SamplingState):
        arrays |= {f"{_BEFORE}{name}": array for name, array in state.before.items()}
    else:
        arrays["behaviour"] = state.behaviour
        arrays |= {f"{_WATCHED}{name}": array for name, array in state.watched.items()}
    write_archive(path, CHECKPOINT, header.model_dump(), arrays, overwrite=overwrite)


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint; CheckpointError if there is none or it is damaged or foreign."""
    path = file_name("path", path)
    with reading_checkpoint(path):
        raw, arrays = read_archive(path, CHECKPOINT)
        header = read_run_header(path, raw, _Header)
        state = _state(arrays, header)
    return Checkpoint(
        identity=header.options.identity,
        state=state,
        trace=tuple(map(TracePoint.from_row, header.trace)),
        seconds=header.seconds,
        variant=header.options.variant,
        versions=header.versions,
        loaded_from=header.problem.loaded_from,
        path=path,
    )


def refuse_overwrite(path: Path, load: Callable[[Path], R], describe: Callable[[R], str]) -> None:
    """Raise where a new run would overwrite an earlier one, or a file that is not a checkpoint.

    Args:
        path: Where the new run is to be saved; an empty file may stand there.
        load: Reads a checkpoint; raises CheckpointError.
        describe: What the run there solves, such as `of kuhn with dcfr`.

    Raises:
        CheckpointError: There is a run; the error says how far it got.
        OutputError: There is something that cannot be resumed.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        saved = load(path)
    except CheckpointError as error:
        raise OutputError(
            f"{path} exists and is left as it was, though it cannot be resumed ({error})",
            path,
            option="file",
            given=path,
            remedy="choose another name",
        ) from None
    raise CheckpointError(
        f"{path} contains a run {describe(saved)} at iteration {saved.iteration:,}",
        path,
        option="iteration",
        given=saved.iteration,
        remedy="resume it, choose another name, or remove the file",
    )


def refuse_past(path: Path, iteration: int, most: int | None) -> None:
    """Raise CheckpointError where a run that is resumed is past the iterations to stop at."""
    if most is not None and most < iteration:
        raise CheckpointError(
            f"{path} is at iteration {iteration:,}, past the {most:,} to stop at",
            path,
            option="iterations",
            given=most,
            expected=iteration,
            remedy="give a higher number: it includes the iterations before",
        )


def refuse_other_arrays(
    path: Path, stored: Mapping[str, NDArray[Any]], own: Mapping[str, NDArray[Any]]
) -> None:
    """Raise CheckpointError unless a file has the arrays of a solver, in finite numbers."""
    for name, array in own.items():
        saved = stored.get(name)
        if saved is None or saved.shape != array.shape or not np.isfinite(saved).all():
            raise CheckpointError(
                f"{path}: the array {name} is not {array.size:,} finite numbers",
                path,
                option=name,
                remedy="start a new run",
            )


def _state(arrays: dict[str, Any], header: _Header) -> SolverState | SamplingState:
    identity = header.options.identity
    seed, touched = identity.seed, header.state.nodes_touched
    if identity.sampler is None:
        remembered = tuple(name for name in arrays if name.startswith(_KEPT))
        lists = _numbers(arrays, ("behaviour", "strategy_sum", *remembered))
        kept = {name.removeprefix(_KEPT): lists[name] for name in remembered}
        behaviour, strategy_sum = lists["behaviour"], lists["strategy_sum"]
        regret = _numbers(arrays, ("regret",))["regret"]
        number = header.state.num_regrets
        if len(regret) != (len(behaviour) if number is None else number):
            raise ValueError("its regrets are not as many as it says")
        watched = _with_prefix(arrays, _WATCHED)
        if not all(np.isfinite(array).all() for array in watched.values()):
            raise ValueError("what it has watched is not all finite")
        return SolverState(regret, behaviour, strategy_sum, header.iteration, kept, watched=watched)
    if seed is None or touched is None:
        raise ValueError("it names a sampler but no seed or no nodes")
    lists = _numbers(arrays, ("regret", "strategy_sum"))
    return SamplingState(
        lists["regret"],
        lists["strategy_sum"],
        iteration=header.iteration,
        nodes_touched=touched,
        seed=seed,
        kept=_with_prefix(arrays, _KEPT),
        before=_with_prefix(arrays, _BEFORE),
    )


def _own_number(state: SolverState | SamplingState) -> int | None:
    """The number of regrets, where it is not one for each sequence: so in EFR."""
    if isinstance(state, SamplingState) or len(state.regret) == len(state.behaviour):
        return None
    return len(state.regret)


def _with_prefix(arrays: dict[str, Any], prefix: str) -> dict[str, np.ndarray]:
    """Copies of the arrays whose names begin so, by the rest of their names."""
    return {n.removeprefix(prefix): np.array(a) for n, a in arrays.items() if n.startswith(prefix)}


def _numbers(arrays: dict[str, Any], names: tuple[str, ...]) -> dict[str, FloatArray]:
    lists: dict[str, FloatArray] = {}
    for name in names:
        array = arrays[name]
        if array.dtype != np.float64 or array.ndim != 1 or not np.isfinite(array).all():
            raise ValueError(f"{name} is not a list of finite numbers")
        lists[name] = array
    if len({len(array) for array in lists.values()}) != 1:
        raise ValueError("its arrays have different lengths")
    return lists
