"""Monte Carlo CFR on rules without a tree: a table of the infosets met so far."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.rules.binding import bind
from equilibrist.rules.module import Rules
from equilibrist.solvers.mccfr import refuse_unfit
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import get_variant
from equilibrist.typing import FloatArray, Int64Array

_FIRST_SLOTS: Final = 1 << 10
_LOG: Final = 1 << 12
DEFAULT_MEMORY: Final = 1 << 30
"""Bytes that a table may take unless told otherwise."""


class InfosetTable(NamedTuple):
    """See `equilibrist.kernels.table`; C slots (a power of two), M numbers of each kind."""

    high: Any  # uint64[C]
    low: Any  # uint64[C]
    place: Int64Array  # [C], -1 where a slot is free
    pool: FloatArray  # [2, M]: regrets, strategy sums
    used: Int64Array  # [3]: slots and numbers used, 1 if it may not grow any more


def new_table(slots: int, numbers: int, unseen: int) -> InfosetTable:
    """An empty table but for the row of `unseen` zeros that stands for infosets without one."""
    return InfosetTable(
        np.zeros(slots, dtype=np.uint64),
        np.zeros(slots, dtype=np.uint64),
        np.full(slots, -1, dtype=np.int64),
        np.zeros((2, numbers)),
        np.array([0, unseen, 0], dtype=np.int64),
    )


def table_bytes(slots: int, numbers: int) -> int:
    """Bytes of such a table."""
    return 24 * slots + 16 * numbers


class TreelessMCCFR:
    """External sampling on a game whose histories are never listed.

    An infoset gets a row when it is first met. `memory` bounds the table, its copy while it grows
    included; epochs are as in `MCCFR`.
    """

    def __init__(
        self,
        rules: Rules,
        variant: Variant | str = "cfr",
        *,
        seed: int = 0,
        epoch: int = 1000,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        """Prepare; ConfigError for a variant that makes no sense under sampling."""
        self.rules = rules
        self.variant = get_variant(variant) if isinstance(variant, str) else variant
        refuse_unfit(self.variant)
        if epoch < 1:
            raise ConfigError(f"epoch is {epoch}; expected at least 1 iteration")
        self.epoch, self.seed, self.memory = epoch, seed, memory
        self.iteration = 0
        self._key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self.table = new_table(_FIRST_SLOTS, _FIRST_SLOTS + rules.max_actions, rules.max_actions)
        self._progress = np.array([1, 0, 0, 0], dtype=np.int64)
        self._log = (np.empty(_LOG, dtype=np.int64), np.empty(_LOG))
        levels = rules.max_moves + 1
        self._scratch = (
            np.empty((levels, rules.state_size), dtype=np.int64),
            np.empty(levels, dtype=np.int64),
            np.empty(levels, dtype=np.int64),
            np.empty(levels, dtype=np.int64),
            np.empty(levels * rules.max_actions),
            np.empty(levels * rules.max_actions),
            np.empty(rules.state_size, dtype=np.int64),
            np.empty(2, dtype=np.uint64),
        )

    def run(self, iterations: int) -> TreelessMCCFR:
        """Run that many more iterations and return self.

        Once the table has reached its bound, infosets without a row are played uniformly and
        learn nothing; the others go on. `is_full` says so.
        """
        if iterations < 0:
            raise ConfigError(f"iterations is {iterations}; expected at least 0")
        end = self.iteration + iterations
        while self.iteration < end:
            done = self.iteration % self.epoch
            weight = self._discount(self.iteration // self.epoch + 1, apply=done == 0)
            self._sample(min(end, self.iteration - done + self.epoch), weight)
        return self

    def _sample(self, last: int, weight: float) -> None:
        from equilibrist.kernels import treeless

        kernel = bind(self.rules, treeless.external_sampling)
        rules = self.rules
        while True:
            status = kernel(
                rules.g,
                self.table,
                last,
                rules.num_players,
                rules.max_actions,
                self._key,
                weight,
                *self._scratch,
                *self._log,
                self._progress,
            )
            self.iteration = int(self._progress[treeless.ITERATION]) - 1
            if status == treeless.DONE:
                return
            if status == treeless.LOG_FULL:
                size = 2 * len(self._log[0])
                self._log = (np.empty(size, dtype=np.int64), np.empty(size))
            else:
                self._grow()

    def _grow(self) -> None:
        """Double what is full, or close the table."""
        from equilibrist.kernels.table import rehash

        old = self.table
        slots, numbers = len(old.place), old.pool.shape[1]
        more_slots = slots * 2 if old.used[0] * 3 >= slots * 2 else slots
        # Rows are of different lengths: the pool is full when the next might not fit.
        crowded = old.used[1] + self.rules.max_actions > numbers
        more_numbers = numbers * 2 if crowded or more_slots == slots else numbers
        while more_numbers < old.used[1] + self.rules.max_actions:
            more_numbers *= 2
        needed = table_bytes(more_slots, more_numbers) + table_bytes(slots, numbers)
        if needed > self.memory:
            old.used[2] = 1
            return
        table = new_table(more_slots, more_numbers, self.rules.max_actions)
        table.pool[:, :numbers] = old.pool
        table.used[:] = old.used
        rehash(old.high, old.low, old.place, table.high, table.low, table.place)
        self.table = table

    def _discount(self, t: int, *, apply: bool) -> float:
        """Discount the table as epoch t begins; the weight of what it adds to the average."""
        if self.variant.name == "cfr":
            return 1.0
        row = self.variant.coefficients(t)
        if apply and t > 1 and self._progress[1] == 0:
            used = int(self.table.used[1])
            regret = self.table.pool[0, :used]
            regret *= np.where(regret > 0.0, row.positive, row.negative)
            self.table.pool[1, :used] *= row.decay
        return row.weight

    @property
    def is_full(self) -> bool:
        """Whether the table has reached its bound."""
        return bool(self.table.used[2])

    @property
    def num_infosets(self) -> int:
        """Infosets met so far."""
        return int(self.table.used[0])

    @property
    def nodes_touched(self) -> int:
        """States visited so far."""
        return int(self._progress[3])
