"""The protocol of all iterative solvers, and how they write and read checkpoints."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, NoReturn, Protocol, Self, SupportsIndex, runtime_checkable

from equilibrist.errors import UnsupportedError
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.solvers.run.one_thread import OneThread


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


class Checkpointed(OneThread, ABC):
    """A solver whose runs are saved to files and resumed."""

    _iteration: int = 0

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        return self._iteration

    @cached_property
    def _identity(self) -> RunFingerprint:
        """The fingerprint written into every state; `restore` refuses a state with another one."""
        return self._fingerprint("average")

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
        from equilibrist.solvers.run.checkpoint import load_checkpoint

        solver: Any = self
        load_checkpoint(path).restore(solver)

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
