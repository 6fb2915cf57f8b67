"""The protocol of all iterative solvers, and their base: run, restore, and checkpoints."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from functools import cached_property
from threading import get_ident
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    NoReturn,
    Protocol,
    Self,
    SupportsIndex,
    TypeVar,
    runtime_checkable,
)

from equilibrist.errors import UnsupportedError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.run.fingerprint import RunFingerprint, refuse_another_state
from equilibrist.solvers.run.stopping import checked_iterations

State = TypeVar("State")
_RUNNER: Final = "_runs_in_thread"
"""The attribute of a solver that holds the thread in which it runs; absent if it does not run."""


@runtime_checkable
class IterativeSolver(Protocol):
    """A solver that improves a strategy step by step.

    The state after n iterations has the same bits however they were split into calls of `run`,
    and a solver that takes over the `state` of another continues with the bits of that one.
    """

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        ...

    @property
    def state(self) -> Any:
        """All that the coming iterations depend on, as a frozen copy; `restore` takes it."""
        ...

    def run(self, iterations: int, /) -> Self:
        """Run more iterations.

        Args:
            iterations: How many iterations to add.

        Returns:
            The solver itself.
        """
        ...

    def restore(self, state: Any, /) -> Self:
        """Continue from a state.

        Args:
            state: The `state` of a solver that was made with the same arguments.

        Returns:
            The solver itself.

        Raises:
            MismatchError: The state is of another problem, or of other arguments.
        """
        ...

    def average_strategy(self) -> Any:
        """The average strategy, which converges where the algorithm does.

        Returns:
            A copy, in the form of the problem: a `Strategy` for compiled games, a `PackedStrategy`
            for rules without a tree.
        """
        ...

    def current_strategy(self) -> Any:
        """The strategy of the next iteration, which need not converge.

        Returns:
            A copy, in the same form.
        """
        ...


class Unpicklable:
    """A solver that holds what only its own process has: threads, locks, compiled rules."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise unpicklable(self)


def unpicklable(solver: object) -> UnsupportedError:
    """The error for a solver that is pickled, or copied."""
    name = type(solver).__name__
    return UnsupportedError(
        f"a running {name} can neither be pickled nor copied: it holds threads or compiled rules",
        option="solver",
        given=name,
        remedy=f"pickle its `state`, which `restore` of another {name} with the same arguments "
        "takes, or the result of its run",
    )


class Restorable(ABC, Generic[State]):
    """A solver that another one can continue from; it runs in one thread of Python at a time.

    Two threads at once would lose iterations. No lock is held: after an interrupt at any moment the
    same thread can go on, and solvers can be copied and pickled. A copy does not run.
    """

    _state_type: ClassVar[type[Any]]
    _state_source: ClassVar[str] = "the .state of such a solver"
    _iteration: int = 0

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        return self._iteration

    def run(self, iterations: int) -> Self:
        """Run more iterations.

        The state after n iterations has the same bits however they were split into calls.

        Args:
            iterations: How many iterations to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: `iterations` is not a whole number from 0, or is beyond the horizon; or a
                rule of the user gives numbers that no solver can use.
            GameSpecError: Without a tree: the rules cannot be compiled.
            GameError: Without a tree: they break their own promises; `check_game` says where.
            KeyboardInterrupt: Ctrl-C, in sampling where a period ends; the solver can continue.
            UnsupportedError: It runs in another thread.
        """
        held, thread = vars(self), get_ident()
        if held.setdefault(_RUNNER, thread) != thread:  # one step, in which no other takes part
            name = type(self).__name__
            raise UnsupportedError(
                f"this {name} runs in another thread",
                option="solver",
                given=name,
                remedy="give each thread a solver of its own, or wait for the end of that run",
            )
        try:
            self._iterate(checked_iterations(iterations))
        finally:
            held.pop(_RUNNER, None)
        return self

    def __getstate__(self) -> dict[str, Any]:
        state = vars(self).copy()  # one step, while another thread may add attributes
        state.pop(_RUNNER, None)
        return state

    @abstractmethod
    def _iterate(self, iterations: int) -> None:
        """Run so many more iterations."""

    @property
    def state(self) -> State:
        """All that the coming iterations depend on, as a copy; `restore` continues from it."""
        return self._copy_state()

    @abstractmethod
    def _copy_state(self) -> State:
        """The state, whose arrays are copies that cannot be written to."""

    def restore(self, state: State) -> Self:
        """Continue from a state, with the bits of the run that it is from.

        Args:
            state: The `state` of a solver that was made with the same arguments.

        Returns:
            The solver itself.

        Raises:
            MismatchError: The state is of another game, algorithm or sampler, or of other options
                of one, such as the seed.
            ConfigError: It is not such a state.
        """
        self._refuse_foreign(state)
        self._adopt(state)
        return self

    def _refuse_foreign(self, state: State) -> None:
        """Refuse what is no state of such a solver, and states of other runs."""
        if not isinstance(state, self._state_type):
            raise bad_argument("state", state, self._state_source)
        self._refuse_identity(state.identity)

    @abstractmethod
    def _refuse_identity(self, identity: Any) -> None:
        """Raise MismatchError for the identity of another run; None is that of an unknown one."""

    @abstractmethod
    def _adopt(self, state: State) -> None:
        """Continue from a state of this run, of which only type and identity were checked."""


class Checkpointed(Restorable[State]):
    """A solver whose runs are saved to files and resumed."""

    _state_source = f"{Restorable._state_source} (from a file: resume)"

    def close(self) -> None:
        """End what waits for work, such as threads; it starts again when it is needed."""

    @cached_property
    def _identity(self) -> RunFingerprint:
        """The fingerprint written into every state; `restore` refuses a state with another one."""
        return self._fingerprint("average")

    def _refuse_identity(self, identity: Any) -> None:
        refuse_another_state(identity, self._identity)

    @abstractmethod
    def _fingerprint(self, output: str) -> RunFingerprint:
        """The fingerprint of this run, whose trace measures `output`: average or current."""

    def _save(self, path: str | os.PathLike[str]) -> None:
        """Write the state of this run to a file that `_load` continues from."""
        from equilibrist.solvers.run.checkpoint import save_checkpoint

        solver: Any = self
        save_checkpoint(path, solver)

    def _load(self, path: str | os.PathLike[str]) -> None:
        """Continue from a file that a solver made with the same arguments wrote."""
        from equilibrist.solvers.run.checkpoint import Checkpoint

        solver: Any = self
        Checkpoint(path).restore(solver)

    def fingerprint(self, output: str = "average") -> RunFingerprint:
        """Identify this run for checkpoints.

        Args:
            output: The strategy that the trace measures: "average" or "last".

        Returns:
            What a run must have in common with this one to resume its checkpoint.
        """
        return self._fingerprint(output)

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file, atomically; `resume` reads it, here or in another process.

        Args:
            path: The file. A checkpoint that is there is replaced, no other file.

        Raises:
            OutputError: It cannot be written, or another file is there.
        """
        self._save(path)

    def resume(self, path: str | os.PathLike[str]) -> Self:
        """Continue from a checkpoint; bit-identical to an uninterrupted run.

        Args:
            path: The checkpoint.

        Returns:
            The solver itself.

        Raises:
            CheckpointError: It is damaged, or of a run of something else; the message says of what.
            MemoryBudgetError: Its table is larger than the solver may have.
        """
        self._load(path)
        return self
