"""The state of a run without a tree, as it is copied, saved and restored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from equilibrist.solvers.implicit.infoset_table import InfosetTable
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.typing import Int64Array


class RunState(NamedTuple):
    """Everything that later iterations of a run depend on."""

    table: InfosetTable
    progress: Int64Array
    """int64[4], as the kernels have it: next iteration and traverser, stream, states visited."""
    log_size: int

    def copy(self) -> RunState:
        """A copy that shares no array."""
        return RunState(self.table.copy(), self.progress.copy(), self.log_size)

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        return int(self.progress[0]) - 1


@dataclass(frozen=True, eq=False)
class ImplicitState:
    """Everything that a run without a tree needs to continue.

    Attributes:
        run_state: The table, and the progress of the run.
        before: The same at the beginning of the present round of threads, if it is not complete.
        payoffs: The payoffs that Pure CFR has seen.
        memory: The bound in bytes under which the table has grown.
        rules: The identity of the rules.
        seed: That of the run.
        identity: The identity of the run, which `restore` checks; None if unknown.
    """

    run_state: RunState
    before: RunState | None
    payoffs: tuple[float, ...]
    memory: int
    rules: str
    seed: int | None
    identity: RunFingerprint | None = None

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        return self.run_state.iteration

    def frozen(self) -> ImplicitState:
        """A copy whose arrays cannot be written to.

        Returns:
            The copy.
        """
        copied = self.copy()
        for run in (copied.run_state, copied.before):
            if run is not None:
                for array in (*run.table[:5], run.progress):
                    array.flags.writeable = False
        return copied

    def copy(self) -> ImplicitState:
        """A copy that shares no array.

        Returns:
            The copy.
        """
        before = None if self.before is None else self.before.copy()
        rest = (self.payoffs, self.memory, self.rules, self.seed, self.identity)
        return ImplicitState(self.run_state.copy(), before, *rest)
