"""A table of the infosets visited so far, and the run of iterations on it."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.errors import GameError, MemoryBudgetError
from equilibrist.rules.binding import bind
from equilibrist.rules.module import Rules
from equilibrist.solvers.implicit.infoset_table import (
    FIRST_SLOTS,
    LOG_ENTRY,
    as_large,
    bytes_with,
    larger,
    new_table,
    private_copy,
)
from equilibrist.solvers.implicit.samplers import (
    bytes_of_scratch,
    make_path,
)
from equilibrist.solvers.implicit.state import RunState
from equilibrist.solvers.sampling.averaging import Walk
from equilibrist.solvers.sampling.pure import Units
from equilibrist.solvers.sampling.sampler import Kernel, Setup
from equilibrist.solvers.sampling.samplers import Pure, Sampler
from equilibrist.solvers.sampling.variance_reduction import floor
from equilibrist.typing import Int64Array

if TYPE_CHECKING:
    from equilibrist.kernels.implicit.steps import RulesPlay

DEFAULT_MEMORY: Final = 1 << 30
"""Bytes that a run without a tree may take by default."""
_LOG: Final = 1 << 12


class ImplicitRun:
    """A table, and the iterations run on it.

    `memory` bytes are shared by `tables` tables, which may be equally large; this is one of them,
    and only one may be `growing` at a time.
    """

    def __init__(
        self,
        rules: Rules,
        sampler: Sampler,
        key: np.uint64,
        memory: int,
        tables: int = 1,
    ) -> None:
        """An empty table; MemoryBudgetError for a bound that not even the smallest keeps."""
        self.rules, self.sampler, self.key = rules, sampler, key
        self.memory, self.tables = memory, tables
        self.walks: Walk | None = None
        self.units = Units() if isinstance(sampler, Pure) else None
        """In what Pure CFR counts regrets; others count in payoffs."""
        self.growing = threading.Lock()
        self.log_size = max(_LOG, rules.max_actions)
        """Space for the changes of one traversal."""
        first = (FIRST_SLOTS, FIRST_SLOTS + rules.max_actions)
        self.refuse_more_than_memory(*first, self.log_size)
        self.table = new_table(*first, rules.max_actions)
        self.progress = np.array([1, 0, 0, 0], dtype=np.int64)
        """Next iteration, player to traverse next, state of the stream, states visited."""
        self._log: tuple[Any, Any] | None = None
        self._path = make_path(sampler, rules)

    @property
    def iteration(self) -> int:
        """How many iterations have run."""
        return self.run_state.iteration

    def refuse_more_than_memory(self, slots: int, numbers: int, log_size: int) -> None:
        """Refuse tables of sizes that cannot be held.

        Args:
            slots: Places for infosets.
            numbers: Places for numbers of infosets and actions.
            log_size: Entries of the log of a traversal's changes.

        Raises:
            MemoryBudgetError: They need more than `memory`.
        """
        needed = bytes_with(slots, numbers, self.tables) + self._besides(log_size)
        if needed > self.memory:
            rules, what, less = self.rules, "its table and for one line of play", ""
            if self.tables > 1:
                what = (
                    f"{self.tables} tables (one per thread, and the merged one) and as many lines "
                    f"of play"
                )
                less = ", or fewer `threads`"
            raise MemoryBudgetError(
                f"{rules.name} needs a memory of {needed:,} bytes for {what} (max_moves() is "
                f"{rules.max_moves:,}, state_size() {rules.state_size:,}, max_actions() "
                f"{rules.max_actions:,}), and {self.memory:,} are allowed",
                0,
                option="memory",
                given=self.memory,
                expected=needed,
                remedy=f"Give more `memory`{less}",
            )

    @property
    def scratch_bytes(self) -> int:
        """Bytes besides the tables."""
        return self._besides(self.log_size)

    def _besides(self, log_size: int) -> int:
        """Bytes besides the tables: for each a path, and the log of a traversal's changes."""
        path = bytes_of_scratch(self.sampler, self.rules)
        return self.tables * (path + LOG_ENTRY * log_size)

    def advance(self, end: int, weight: float) -> None:
        """Run up to iteration `end`.

        Args:
            end: The last iteration.
            weight: What each counts in the average.
        """
        while self.iteration < end:
            last, added = end, weight
            if self.walks is not None:
                since = self.iteration % self.walks.every
                if since == 0:
                    self.walk(self.walks, self.iteration + 1, weight)
                last, added = min(end, self.iteration - since + self.walks.every), 0.0
            self._sample(last, added)

    def load_kernels(self) -> None:
        """Compile or load them, without running an iteration."""
        self._sample(self.iteration, 1.0)
        if self.walks is not None:
            self.walk(replace(self.walks, walks=0), self.iteration, 1.0)

    def _sample(self, last: int, weight: float) -> None:
        path = self._path
        setup = path.setup._replace(weight=weight)
        self._call(path.kernel, setup, self.rules.num_players, last, self.key, self.progress)

    def walk(self, walks: Walk, iteration: int, weight: float) -> None:
        """Take the average by separate walks.

        Args:
            walks: The number of walks, and what they draw.
            iteration: The iteration that begins.
            weight: What they count in the average.
        """
        from equilibrist.kernels.sampling.averaging import WalkSetup, walk_average
        from equilibrist.kernels.traversal.status import TOUCHED

        players = self.rules.num_players
        progress = np.array([iteration, 0, 0, 0], dtype=np.int64)
        setup = WalkSetup(weight, players)
        self._call(walk_average, setup, walks.walks * players, iteration, walks.key, progress)
        self.progress[TOUCHED] += progress[TOUCHED]

    def _call(
        self,
        kernel: Kernel,
        setup: Setup,
        traversals: int,
        last: int,
        key: np.uint64,
        progress: Int64Array,
    ) -> None:
        """Call a kernel until it is done; the table and the log grow in between as required."""
        from equilibrist.kernels.traversal import status

        bound = bind(self.rules, kernel)
        while True:
            ended = bound(setup, self._play(traversals), last, key, progress)
            if ended == status.DONE:
                return
            if ended == status.LOG_FULL:
                self._lengthen_log()
            elif ended == status.TABLE_FULL:
                self._grow()
            elif ended == status.NON_INTEGER_PAYOFF and self.units is not None:
                self.table.pool[0] *= self.units.refine_unit()
            else:
                raise _broken(self.rules, ended)

    def _play(self, traversals: int) -> RulesPlay:
        """The rules, the table and the log, as kernels take them."""
        from equilibrist.kernels.implicit.change_log import Units
        from equilibrist.kernels.implicit.steps import RulesPlay

        if self._log is None:
            size = self.log_size
            self._log = (np.empty(size, dtype=np.int64), np.empty(size))
        rules, path = self.rules, self._path
        return RulesPlay(
            g=rules.g,
            table=self.table,
            traversals=traversals,
            regret=self.table.pool[0],
            strategy_sum=self.table.pool[1],
            units=None if self.units is None else Units(self.units.numbers),
            floor=floor(getattr(self.sampler, "prune", None)),
            width=rules.max_actions,
            longest=rules.max_moves,
            s=path.s,
            packed=path.packed,
            states=path.states,
            places=path.places,
            counts=path.counts,
            log_place=self._log[0],
            log_change=self._log[1],
            logged=path.logged,
        )

    def _grow(self) -> None:
        """Double what is full, or close the table."""
        room = self.memory - self.scratch_bytes
        with self.growing:
            table = larger(self.table, self.rules.max_actions, room, self.tables)
            if table is not None:
                self.table = table
                return
        self.table.used[2] = 1

    def _lengthen_log(self) -> None:
        """Double the log, or close the table: its changes are then entered earlier."""
        if self._holds_log(2 * self.log_size):
            self._log = None
            self.log_size *= 2
        else:
            self.table.used[2] = 1

    def _holds_log(self, log_size: int) -> bool:
        """Whether there is memory for a log of that size beside the table as it is."""
        sizes = (len(self.table.row), self.table.pool.shape[1])
        return bytes_with(*sizes, self.tables) + self._besides(log_size) <= self.memory

    @property
    def run_state(self) -> RunState:
        """The state of the run; not a copy."""
        return RunState(self.table, self.progress, self.log_size)

    def adopt(self, run_state: RunState) -> None:
        """Continue from where another run is.

        Args:
            run_state: Where it is; its arrays are not copied.
        """
        self.table, self.progress, self.log_size = run_state
        self._log = None

    def begin(self, start: RunState, iteration: int) -> None:
        """Continue on a private table.

        Args:
            start: What the table is at the beginning.
            iteration: How many iterations have run.
        """
        if not as_large(self.table, start.table):
            self.table = start.table  # the old arrays are freed before others are made
            slots, numbers = len(self.table.row), self.table.pool.shape[1]
            self.table = new_table(slots, numbers, self.rules.max_actions)
        self.table = private_copy(start.table, self.table)
        if self.log_size != start.log_size:
            self.log_size, self._log = start.log_size, None
        self.progress[:] = (iteration + 1, 0, 0, 0)

    def keep_gain(self, base_numbers: int) -> None:
        """Subtract the base of a private table, and let it go.

        Args:
            base_numbers: Where the rows of the base end.
        """
        from equilibrist.kernels.implicit.infoset_table import subtract_base

        assert self.table.base is not None
        subtract_base(self.table.row, self.table.pool, base_numbers, self.table.base.pool)
        self.table = self.table._replace(base=None)

    def merge(self, gained: ImplicitRun, base_numbers: int, parts: int) -> None:
        """Add what a run has gained that began here.

        Strategy sums are added, regrets divided before. Rows that only the other has are new ones
        here, unless the table has reached its bound.

        Args:
            gained: The other run, with its gain alone.
            base_numbers: Where rows ended as it began.
            parts: What regrets are divided by.

        Raises:
            GameError: The two contradict each other.
        """
        from equilibrist.kernels.implicit import infoset_table as table
        from equilibrist.kernels.traversal import status

        other = gained.table
        rows = (other.high, other.low, other.row, other.pool)
        slot = 0
        while slot < len(other.row):
            slot = table.merge(*rows, base_numbers, parts, self.table, slot)
            if slot == table.CONTRADICTED:
                raise _broken(self.rules, status.WRONG_COUNT)
            if slot < len(other.row):
                self._grow()
        self.table.pool[table.UNSTORED] += other.pool[table.UNSTORED] / parts
        self.table.used[2] |= other.used[2]
        if gained.log_size > self.log_size and self._holds_log(gained.log_size):
            self.log_size = gained.log_size
        self.progress[3] += gained.progress[3]

    @property
    def unit(self) -> float:
        """In what regrets are counted: 1 but for Pure CFR, where it may still become finer."""
        return 1.0 if self.units is None else float(self.units.unit)

    @property
    def is_full(self) -> bool:
        """Whether the table has reached its bound."""
        return self.table.is_full

    @property
    def has_reopened(self) -> bool:
        """Whether the table was full before a checkpoint was resumed with more memory."""
        return self.table.has_reopened

    @property
    def num_infosets(self) -> int:
        """Infosets visited so far, without those that have no row."""
        return int(self.table.used[0])

    @property
    def nodes_touched(self) -> int:
        """States visited so far."""
        return int(self.progress[3])

    @property
    def table_bytes(self) -> int:
        """Bytes of the table."""
        return self.table.nbytes


def _broken(rules: Rules, status: int) -> GameError:
    from equilibrist.kernels.traversal.status import NO_NUMBER, TOO_MANY_MOVES, WRONG_COUNT

    wrong_count = (
        f"a state has no action, more than max_actions() = {rules.max_actions}, or not as many as "
        f"another state of its infoset"
    )
    kind, contradiction = {
        TOO_MANY_MOVES: (
            "endless",
            f"a line of play is longer than max_moves() = {rules.max_moves} moves",
        ),
        WRONG_COUNT: ("sizes", wrong_count),
        NO_NUMBER: ("payoffs", "a payoff is infinite or not a number"),
    }[status]
    return GameError(
        f"the rules {rules.name} contradict themselves: {contradiction}",
        kind=kind,
        remedy="check_game says where",
    )
