"""A table of the infosets met so far, and what running iterations on it takes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from equilibrist.errors import GameError, MemoryBudgetError
from equilibrist.rules.binding import bind
from equilibrist.rules.module import Rules
from equilibrist.solvers.averages import SHARE, TRIAL, TRIAL_NODES, WALK_EVERY, Walk
from equilibrist.solvers.infoset_table import (
    FIRST_SLOTS,
    LOG_ENTRY,
    InfosetTable,
    bytes_with,
    larger,
    new_table,
)
from equilibrist.solvers.pure import Units
from equilibrist.solvers.samplers import Pure, Sampler
from equilibrist.solvers.treeless_samplers import (
    bytes_of_scratch,
    kernel_of,
    make_scratch,
)
from equilibrist.typing import Int64Array

_LOG: Final = 1 << 12


class TreelessRun:
    """A table, and the iterations run on it, within `memory` bytes."""

    def __init__(self, rules: Rules, sampler: Sampler, key: np.uint64, memory: int) -> None:
        """An empty table; MemoryBudgetError for a bound that not even the smallest keeps."""
        self.rules, self.sampler, self.memory = rules, sampler, memory
        self.key = key
        self.walks: Walk | None = None
        self.units = Units() if isinstance(sampler, Pure) else None
        """In what Pure CFR counts regrets; others count in payoffs."""
        self.iteration = 0
        self.log_size = max(_LOG, rules.max_actions)
        """Room for changes of one traversal."""
        first = (FIRST_SLOTS, FIRST_SLOTS + rules.max_actions)
        self.refuse_more_than_memory(bytes_with(*first))
        self.table = new_table(*first, rules.max_actions)
        self.progress = np.array([1, 0, 0, 0], dtype=np.int64)
        """Next iteration, player to traverse next, state of the stream, states visited."""
        self._log: tuple[Any, Any] | None = None
        self._scratch = make_scratch(sampler, rules)

    @property
    def scratch_bytes(self) -> int:
        """Bytes besides the table: one path, and the log of one traversal's changes."""
        return bytes_of_scratch(self.sampler, self.rules) + LOG_ENTRY * self.log_size

    def refuse_more_than_memory(self, table: int) -> None:
        """MemoryBudgetError if a table of so many bytes cannot be held."""
        needed = table + self.scratch_bytes
        if needed > self.memory:
            rules = self.rules
            raise MemoryBudgetError(
                f"{rules.name} needs a memory of {needed:,} bytes for its table and for one line "
                f"of play (max_moves() is {rules.max_moves:,}, state_size() {rules.state_size:,}, "
                f"max_actions() {rules.max_actions:,}), and {self.memory:,} are allowed: give more "
                f"(--memory)",
                0,
            )

    def advance(self, end: int, weight: float) -> None:
        """Run until `end` iterations are done, each of which counts `weight` in the average."""
        while self.iteration < end:
            last, added = end, weight
            if self.walks is not None:
                since = self.iteration % self.walks.every
                if since == 0:
                    self.walk(self.walks, self.iteration + 1, weight)
                last, added = min(end, self.iteration - since + self.walks.every), 0.0
            self._sample(last, added)

    def _sample(self, last: int, weight: float) -> None:
        from equilibrist.kernels.treeless import ITERATION

        rules = self.rules
        kernel, parameters = kernel_of(self.sampler, rules)
        if self.units is not None:
            parameters = (self.units.numbers,)
        sizes = (last, rules.num_players, rules.max_actions)
        self._call(kernel, (*sizes, self.key, weight, *parameters, *self._scratch))
        self.iteration = int(self.progress[ITERATION]) - 1

    def walk(self, walks: Walk, iteration: int, weight: float) -> None:
        """Take the average by `walks`, as `iteration` begins."""
        from equilibrist.kernels.treeless_walk import walk_average

        rules = self.rules
        sizes = (rules.num_players, rules.max_actions, rules.max_moves)
        walked = np.zeros(2, dtype=np.int64)
        fixed = (iteration, walks.walks, *sizes, walks.key, weight, *self._scratch[-2:], walked)
        self._call(walk_average, fixed)

    def _call(self, kernel: Any, arguments: tuple[Any, ...]) -> None:
        """Call a kernel until it is done; in between table and log grow as it needs."""
        from equilibrist.kernels import treeless

        rules, bound = self.rules, bind(self.rules, kernel)
        while True:
            if self._log is None:
                size = self.log_size
                self._log = (np.empty(size, dtype=np.int64), np.empty(size))
            status = bound(rules.g, self.table, *arguments, *self._log, self.progress)
            if status == treeless.DONE:
                return
            if status == treeless.LOG_FULL:
                self._lengthen_log()
            elif status == treeless.TABLE_FULL:
                self._grow()
            elif status == treeless.NOT_WHOLE and self.units is not None:
                self.table.pool[0] *= self.units.refine()
            else:
                raise GameError(_broken(rules, status))

    def _grow(self) -> None:
        """Double what is full, or close the table."""
        room = self.memory - self.scratch_bytes
        table = larger(self.table, self.rules.max_actions, room)
        if table is None:
            self.table.used[2] = 1
        else:
            self.table = table

    def _lengthen_log(self) -> None:
        """Double the log, or close the table: its changes are then entered earlier."""
        numbers = self.table.pool.shape[1]
        table = bytes_with(len(self.table.row), numbers)
        if table + self.scratch_bytes + LOG_ENTRY * self.log_size > self.memory:
            self.table.used[2] = 1
        else:
            self._log = None
            self.log_size *= 2

    def adopt(self, table: InfosetTable, progress: Int64Array, log_size: int) -> None:
        """Go on from the table and the rest of a checkpoint's state, which are not copied."""
        self.table, self.progress = table, progress
        self.log_size, self._log = log_size, None
        self.iteration = int(progress[0]) - 1

    @property
    def unit(self) -> float:
        """In what regrets are counted: 1 but for Pure CFR, where it may still become finer."""
        return 1.0 if self.units is None else float(self.units.unit)

    @property
    def is_full(self) -> bool:
        """Whether the table has reached its bound."""
        return bool(self.table.used[2])

    @property
    def num_infosets(self) -> int:
        """Infosets met so far, those without a row not counted."""
        return int(self.table.used[0])

    @property
    def nodes_touched(self) -> int:
        """States visited so far."""
        return int(self.progress[3])

    @property
    def table_bytes(self) -> int:
        """Bytes of the table."""
        return self.table.nbytes


def fit_walks(
    rules: Rules, sampler: Sampler, key: np.uint64, every: int | None, memory: int
) -> Walk:
    """As many walks as take a third of the time; the trials are those of `Walk.fit`."""
    every = WALK_EVERY if every is None else every
    trial = TreelessRun(rules, sampler, key, memory)
    one = Walk(1, 1, key)
    for t in range(1, TRIAL + 1):
        trial.walk(one, t, 1.0)
    per_walk = max(1.0, trial.nodes_touched / TRIAL)
    other = TreelessRun(rules, sampler, np.uint64(1), memory)
    while other.iteration < TRIAL and other.nodes_touched < TRIAL_NODES:
        other.advance(other.iteration + max(1, other.iteration), 0.0)
    per_iteration = max(1.0, other.nodes_touched / other.iteration)
    return Walk(every, max(1, round(every * per_iteration / SHARE / per_walk)), key)


def _broken(rules: Rules, status: int) -> str:
    from equilibrist.kernels import treeless

    found = {
        treeless.ENDLESS: f"a line of play goes on after max_moves() = {rules.max_moves} moves",
        treeless.WRONG_COUNT: f"a state has no action, more than max_actions() = "
        f"{rules.max_actions}, or not as many as another state of its infoset",
        treeless.NO_NUMBER: "a payoff is infinite or not a number",
    }
    return f"the rules {rules.name} contradict themselves: {found[status]}; check_game says where"
