"""Checkpoints of iterative solvers: all that a killed run needs to end with the same bits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from pydantic import Field

from equilibrist.game import source_of
from equilibrist.solvers.run.fingerprint import RunFingerprint, refuse_another_run
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.saved_run import H, SavedRun
from equilibrist.solvers.run.state import SamplingState, SolverState
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.archive import write_archive
from equilibrist.storage.kinds.file_kinds import CHECKPOINT, TRAINING_CHECKPOINT
from equilibrist.storage.versions import FileHeader
from equilibrist.typing import FloatArray

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


S = TypeVar("S", bound=Resumable)


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


class SavedGameRun(SavedRun[H]):
    """A run of a game, with a tree or without one."""

    @property
    def identity(self) -> RunFingerprint:
        """The run that it is of."""
        identity: RunFingerprint = self.header.options.identity
        return identity


class Checkpoint(SavedGameRun[_Header]):
    """A run of a game as it stood.

    Attributes:
        state: What the iterations to come depend on.
    """

    KIND = CHECKPOINT
    HEADER = _Header
    state: SolverState | SamplingState

    def _open(self) -> None:
        self.state = _state(self.arrays(), self.header)

    @property
    def variant(self) -> str:
        """The variant as Python prints it, for people."""
        return self.header.options.variant

    @property
    def loaded_from(self) -> str | None:
        """The text that loads the game, where it is that of a file."""
        return self.header.problem.loaded_from

    def restore(self, solver: S, *, output: str = "average") -> S:
        """Restore this run in `solver` and return it.

        Raises CheckpointError that says what differs if it is a run of something else.
        """
        refuse_another_run(self.path, self.identity, solver.fingerprint(output))
        solver.restore(self.state)
        return solver


class TrainingCheckpoint(Checkpoint):
    """A run that trains networks, as it stood."""

    KIND = TRAINING_CHECKPOINT


def save_checkpoint(
    path: str | os.PathLike[str],
    solver: Resumable,
    *,
    identity: RunFingerprint | None = None,
    trace: Sequence[TracePoint] = (),
    seconds: float = 0.0,
    versions: Mapping[str, str] | None = None,
    changes: Mapping[str, str | float] | None = None,
    limits: Mapping[str, int] | None = None,
    overwrite: bool = True,
    kind: str = CHECKPOINT,
) -> None:
    """Write the solver's state to `path`, atomically; OutputError if that fails.

    `identity` spares working it out again. `changes` are the options of `solve` that merge infosets
    of the game, leave out actions or cut paths, `limits` those on its size, for people who resume
    the run. An existing checkpoint of that `kind` is replaced unless `overwrite` is false, a file
    of another kind never.
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
        limits=dict(limits or {}),
        versions=dict(versions or {}),
    )
    arrays = {"regret": state.regret, "strategy_sum": state.strategy_sum}
    arrays |= {f"{_KEPT}{name}": array for name, array in state.kept.items()}
    if isinstance(state, SamplingState):
        arrays |= {f"{_BEFORE}{name}": array for name, array in state.before.items()}
    else:
        arrays["behaviour"] = state.behaviour
        arrays |= {f"{_WATCHED}{name}": array for name, array in state.watched.items()}
    write_archive(path, kind, header.model_dump(), arrays, overwrite=overwrite)


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
