"""The table of infosets visited so far, and its growth within a memory bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.typing import FloatArray, Int64Array

FIRST_SLOTS: Final = 1 << 10
_SLOT: Final = 24
_NUMBERS: Final = 16
"""Bytes of a slot, and of a place in the pool."""
LOG_ENTRY: Final = 16
"""Bytes of an entry of the log of a traversal's changes."""
_READ_OUT: Final = 20
_PROBABILITY: Final = 8
"""Bytes of an infoset of a `PackedStrategy`, and of one of its probabilities."""


class Rows(NamedTuple):
    """The arrays of a table, to be read only."""

    high: Any
    low: Any
    row: Int64Array
    pool: FloatArray


class InfosetTable(NamedTuple):
    """A hash table of infosets: C slots (a power of two), M numbers of each kind.

    `kernels.implicit.infoset_table` looks infosets up in it and adds them.
    """

    high: Any  # uint64[C]
    low: Any  # uint64[C]
    row: Int64Array  # [C]: place << 16 | actions, -1 where a slot is free
    pool: FloatArray  # [2, M]: regrets, strategy sums
    used: Int64Array  # [4]: slots, numbers, 1 if it may not grow any more, 1 if it may again
    base: Rows | None = None  # of a private table: the one that it began as

    @property
    def nbytes(self) -> int:
        """Bytes of the table, without its base."""
        return _SLOT * len(self.row) + _NUMBERS * len(self.pool[0])

    @property
    def is_full(self) -> bool:
        """Whether it has reached its bound."""
        return bool(self.used[2])

    @property
    def has_reopened(self) -> bool:
        """Whether it was full before a checkpoint was resumed with more memory."""
        return bool(self.used[3])

    def flaw(self, widest: int) -> str:
        """The defect that kernels could not handle, "" if none; `widest` is as for `larger`."""
        from equilibrist.kernels.implicit.infoset_table import UNSEEN, UNSTORED

        end = UNSEEN + widest
        taken = (self.row != -1) & (self.row >> 16 < end)
        if int(self.used[1]) < end or taken.any() or self.pool[:, UNSEEN:end].any():
            return "it has no row for infosets unseen"
        unstored, was_full = float(self.pool[UNSTORED]), bool(self.used[2:].any())
        if unstored < 0.0 or (unstored > 0.0 and not was_full):
            return "it has regrets of infosets without a row, and room for all"
        return ""

    def copy(self) -> InfosetTable:
        """A whole copy."""
        return InfosetTable(
            self.high.copy(),
            self.low.copy(),
            self.row.copy(),
            self.pool.copy(),
            self.used.copy(),
            self.base,
        )


def new_table(slots: int, numbers: int, unseen: int) -> InfosetTable:
    """A table with only the row of `unseen` zeros, for infosets without a row.

    `numbers` reserves space for that row and for what is not stored.
    """
    return InfosetTable(
        np.zeros(slots, dtype=np.uint64),
        np.zeros(slots, dtype=np.uint64),
        np.full(slots, -1, dtype=np.int64),
        np.zeros((2, numbers)),
        np.array([0, 1 + unseen, 0, 0], dtype=np.int64),
    )


def as_large(table: InfosetTable, other: InfosetTable) -> bool:
    """Whether two tables have the same sizes."""
    return table.row.shape == other.row.shape and table.pool.shape == other.pool.shape


def private_copy(base: InfosetTable, own: InfosetTable) -> InfosetTable:
    """A private table that begins as a copy of `base`, in the arrays of `own`, of the same size.

    Rows are copied on demand. `base` must not change meanwhile.
    """
    from equilibrist.kernels.implicit.infoset_table import UNSTORED

    own.row.fill(-1)
    own.pool[UNSTORED] = 0.0
    own.used[:] = base.used
    return own._replace(base=Rows(*base[:4]))


def bytes_with(slots: int, numbers: int, tables: int = 1) -> int:
    """Bytes of that many tables, and of the strategy that may be read out of a full one."""
    return tables * (_SLOT * slots + _NUMBERS * numbers) + _read_out(slots, numbers)


def _read_out(slots: int, numbers: int) -> int:
    return _READ_OUT * (2 * slots // 3 + 1) + _PROBABILITY * numbers


def larger(old: InfosetTable, widest: int, memory: int, tables: int = 1) -> InfosetTable | None:
    """A table of twice the size where `old` is full; None if that exceeds `memory` bytes.

    `widest` is the largest number of actions. The bytes counted are those of the old and the new
    table while both exist, or of the new one with the strategy that is read out of it; and of
    `tables` - 1 others, which may be as large as the new one.
    """
    from equilibrist.kernels.implicit.infoset_table import rehash

    slots, numbers = len(old.row), old.pool.shape[1]
    # Rows are of different lengths: the pool is full when the next might not fit.
    crowded = int(old.used[1]) + widest > numbers
    new_slots = slots * 2 if old.used[0] * 3 >= slots * 2 else slots
    new_numbers = numbers * 2 if crowded else numbers
    beside = max(old.nbytes, _read_out(new_slots, new_numbers))
    if tables * (_SLOT * new_slots + _NUMBERS * new_numbers) + beside > memory:
        return None
    table = new_table(new_slots, new_numbers, widest)
    table.pool[:, :numbers] = old.pool
    table.used[:] = old.used
    rehash(old.high, old.low, old.row, table.high, table.low, table.row)
    return table._replace(base=old.base)


def added(tables: Sequence[InfosetTable], widest: int) -> InfosetTable:
    """A table with the strategy sums of all of `tables` added up; it has no regrets."""
    from equilibrist.kernels.implicit.infoset_table import add_sums

    infosets = sum(int(table.used[0]) for table in tables)
    numbers = widest + sum(int(table.used[1]) for table in tables)
    both = new_table(1 << (3 * infosets // 2 + 1).bit_length(), numbers, widest)
    for table in tables:
        add_sums(table.high, table.low, table.row, table.pool[1], both)
    return both
