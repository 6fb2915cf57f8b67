"""A table of infosets by exact keys of two uint64: open addressing, rows in one pool.

Numbers stand in `pool`, float64[2, M]: regrets above, strategy sums below. A slot holds a key and
its row: place << 16 | actions, or EMPTY. New rows are zero, and so is play from them uniform: to
add one changes no result. Capacity is a power of two. The first row, UNSEEN, belongs to no infoset
and stays zero: a table that may not grow any more gives it for every infoset that has none. Before
it stands UNSTORED, which adds up the largest regret of every visit to such an infoset.

A private table begins as another one stands, its `base`: it counts the base's rows as its own, and
copies a row, to the same place, when it is first asked for.
"""

from __future__ import annotations

import numpy as np
from numba.core import types
from numba.extending import overload

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.prefetch import prefetch_number
from equilibrist.kernels.primitives.rng import mix

EMPTY = -1
UNSEEN = 1
UNSTORED = (0, 0)
"""Where in `pool` the largest regrets of visits to infosets without a row are added up."""
USED_SLOTS, USED_POOL, CLOSED, REOPENED = 0, 1, 2, 3
"""Fields of `used`; CLOSED is 1 once the table may not grow any more, REOPENED if it may again."""
FULL, CONTRADICTED = -1, -2
"""What `find_or_add` gives for a place: the table must grow; the key has other actions."""
MAX_ACTIONS = (1 << 16) - 1
_AHEAD = 24
"""The numbers of so many rows are prefetched together."""


@inner_kernel
def slot_of(high, low, row, key_high, key_low):
    """The slot that holds a key, else the empty one where it belongs."""
    mask = np.uint64(row.shape[0] - 1)
    slot = mix(key_low ^ mix(key_high)) & mask
    # Ends: the driver keeps a third of the slots empty, see find_or_add.
    while row[slot] != EMPTY and (low[slot] != key_low or high[slot] != key_high):
        slot = (slot + np.uint64(1)) & mask
    return slot


@inner_kernel
def copy_row(base, table, slot, high, low):
    """The row of a key that `base` has, entered in `slot`, its numbers copied; else EMPTY."""
    row = base.row[slot_of(base.high, base.low, base.row, high, low)]
    if row != EMPTY:
        table.high[slot] = high
        table.low[slot] = low
        table.row[slot] = row
        # The same place as in the base: merge tells a base's rows by place < base_numbers.
        place = row >> 16
        for k in range(place, place + (row & MAX_ACTIONS)):
            table.pool[0, k] = base.pool[0, k]
            table.pool[1, k] = base.pool[1, k]
    return row


def copied(base, table, slot, high, low):
    """The row of a key that `base` has, copied into `slot`; EMPTY where it has none or is None."""
    return EMPTY if base is None else copy_row(base, table, slot, high, low)


@overload(copied, jit_options={"nogil": True, "error_model": "numpy"})
def _compile_copied(base, table, slot, high, low):  # noqa: ARG001
    # Kernels are compiled twice, so that tables without a base do not pay for it: 15 percent.
    if base == types.none:
        return lambda base, table, slot, high, low: np.int64(EMPTY)  # noqa: ARG005
    return copy_row


@inner_kernel
def find_or_add(table, high, low, actions):
    """The place of the key's row, added if it is new; FULL or CONTRADICTED."""
    slot = slot_of(table.high, table.low, table.row, high, low)
    row = table.row[slot]
    if row == EMPTY:
        row = copied(table.base, table, slot, high, low)
    if row != EMPTY:
        return row >> 16 if row & MAX_ACTIONS == actions else np.int64(CONTRADICTED)
    place = table.used[USED_POOL]
    # Load factor 2/3. FULL comes before anything is written: the driver can grow and replay.
    crowded = table.used[USED_SLOTS] * 3 >= table.row.shape[0] * 2
    if crowded or place + actions > table.pool.shape[1]:
        return np.int64(UNSEEN if table.used[CLOSED] == 1 else FULL)
    table.high[slot] = high
    table.low[slot] = low
    table.row[slot] = place << 16 | actions
    for a in range(actions):
        table.pool[0, place + a] = 0.0
        table.pool[1, place + a] = 0.0
    table.used[USED_SLOTS] += 1
    table.used[USED_POOL] += actions
    return place


@inner_kernel
def find(table, high, low, actions):
    """The place of the key's row, UNSEEN if it has none; CONTRADICTED."""
    slot = slot_of(table.high, table.low, table.row, high, low)
    row = table.row[slot]
    if row == EMPTY:
        row = copied(table.base, table, slot, high, low)
    if row == EMPTY:
        return np.int64(UNSEEN)
    return row >> 16 if row & MAX_ACTIONS == actions else np.int64(CONTRADICTED)


@inner_kernel
def add_unstored(table, utility, row, actions, value, scale):
    """Add the largest regret of a visit to an infoset without a row, which is of `value`."""
    best = utility[row]
    for a in range(1, actions):
        best = max(best, utility[row + a])
    table.pool[UNSTORED] += scale * max(best - value, 0)


@inner_kernel
def next_rows(row, slot, slots, regret, sums, base_numbers, base_regret, base_sums):
    """Write the next slots with a row into `slots` and start loading its numbers.

    Returns how many, and the slot after them.
    """
    count = 0
    while slot < row.shape[0] and count < slots.shape[0]:
        if row[slot] != EMPTY:
            slots[count] = slot
            count += 1
            place = row[slot] >> 16
            prefetch_number(regret, place)
            prefetch_number(sums, place)
            if place < base_numbers:
                prefetch_number(base_regret, place)
                prefetch_number(base_sums, place)
        slot += 1
    return count, slot


@kernel
def subtract_base(row, pool, base_numbers, base_pool):
    """Leave what the rows of a private table gained; those of its base end at `base_numbers`."""
    regret, sums = pool[0], pool[1]
    base_regret, base_sums = base_pool[0], base_pool[1]
    slots = np.empty(_AHEAD, dtype=np.int64)
    slot = 0
    while slot < row.shape[0]:
        count, slot = next_rows(
            row, slot, slots, regret, sums, base_numbers, base_regret, base_sums
        )
        for i in range(count):
            place = row[slots[i]] >> 16
            if place < base_numbers:
                for k in range(place, place + (row[slots[i]] & MAX_ACTIONS)):
                    regret[k] -= base_regret[k]
                    sums[k] -= base_sums[k]


@kernel
def merge(high, low, row, gain, base_numbers, parts, into, first):
    """Add a part of the regrets that a private table gained, and its strategy sums, to its base.

    Begins with slot `first`. Returns the number of slots when it is done, else the slot at which
    `into` is full, to go on from when that has grown; or CONTRADICTED. A base that is closed takes
    no new rows; of one that it does not take, the largest regret is added to what is not stored.

    high, low, row: keys and rows of the private table. gain: float64[2, numbers], what its regrets
    and strategy sums gained. base_numbers: where the numbers of its base end. parts: tables that
    are merged in all; regrets are means over them.
    """
    regret, sums = into.pool[0], into.pool[1]
    gained_regret, gained_sums = gain[0], gain[1]
    slots = np.empty(_AHEAD, dtype=np.int64)
    slot = first
    while slot < row.shape[0]:
        count, slot = next_rows(
            row, slot, slots, gained_regret, gained_sums, base_numbers, regret, sums
        )
        for i in range(count):
            at = slots[i]
            place = row[at] >> 16
            actions = row[at] & MAX_ACTIONS
            to = place
            if place >= base_numbers:
                to = find_or_add(into, high[at], low[at], actions)
                if to == UNSEEN:
                    largest = 0.0
                    for a in range(actions):
                        largest = max(largest, gained_regret[place + a])
                    into.pool[UNSTORED] += largest / parts
                    continue
                if to < 0:
                    return np.int64(CONTRADICTED) if to == CONTRADICTED else at
            for a in range(actions):
                regret[to + a] += gained_regret[place + a] / parts
                sums[to + a] += gained_sums[place + a]
    return row.shape[0]


@kernel
def rehash(old_high, old_low, old_row, new_high, new_low, new_row):
    """Enter all keys into a larger table; rows stay where they are.

    high, low: uint64[slots]. row: int64[slots], EMPTY or place << 16 | actions; the new ones are
    EMPTY.
    """
    for k in range(old_row.shape[0]):
        if old_row[k] != EMPTY:
            slot = slot_of(new_high, new_low, new_row, old_high[k], old_low[k])
            new_high[slot] = old_high[k]
            new_low[slot] = old_low[k]
            new_row[slot] = old_row[k]


@kernel
def discount(pool, used, positive, negative, decay):
    """Multiply regrets by `positive` or `negative` as their signs say, strategy sums by `decay`."""
    for k in range(used[USED_POOL]):
        pool[0, k] *= positive if pool[0, k] > 0.0 else negative
        pool[1, k] *= decay


@kernel
def sum_of_largest(row, regret):
    """The sum over all rows of their largest regret, where that is positive."""
    total = 0.0
    for slot in range(row.shape[0]):
        if row[slot] == EMPTY:
            continue
        place = row[slot] >> 16
        largest = 0.0
        for a in range(row[slot] & MAX_ACTIONS):
            if not regret[place + a] <= largest:  # NaN, too, after which nothing is larger
                largest = regret[place + a]
        total += largest
    return total


@kernel
def add_sums(high, low, row, strategy_sum, into):
    """Add strategy sums to the rows of the same keys in another table that has space for all.

    high, low: uint64[slots]. row: int64[slots]. strategy_sum: float64[numbers]. into: the other
    table.
    """
    for slot in range(row.shape[0]):
        if row[slot] == EMPTY:
            continue
        place = row[slot] >> 16
        actions = row[slot] & MAX_ACTIONS
        other = find_or_add(into, high[slot], low[slot], actions)
        for a in range(actions):
            into.pool[1, other + a] += strategy_sum[place + a]


@kernel
def look_up(high, low, row, key_high, key_low):
    """The row of a key, place << 16 | actions, or EMPTY.

    high, low, row: keys and rows, [slots]. key_high, key_low: uint64, the key.
    """
    return row[slot_of(high, low, row, key_high, key_low)]


@kernel
def count_played(row, strategy_sum, out):
    """Add the rows whose strategy sum is not zero to out[0], their actions to out[1]."""
    for slot in range(row.shape[0]):
        if row[slot] == EMPTY:
            continue
        place = row[slot] >> 16
        actions = row[slot] & MAX_ACTIONS
        total = 0.0
        for a in range(actions):
            total += strategy_sum[place + a]
        if not total <= 0.0:  # as `read_averages` does, which writes so many: NaN counts
            out[0] += 1
            out[1] += actions


@kernel
def read_averages(high, low, row, strategy_sum, out_high, out_low, out_actions, out_probability):
    """Write keys, numbers of actions and average strategies of those rows, one after another.

    high, low, row: keys and rows, [slots]. strategy_sum: float64[numbers]. out_high, out_low:
    uint64[n]. out_actions: int64[n]. out_probability: float64[sum of actions].
    """
    k = 0
    first = 0
    for slot in range(row.shape[0]):
        if row[slot] == EMPTY:
            continue
        place = row[slot] >> 16
        actions = row[slot] & MAX_ACTIONS
        total = 0.0
        for a in range(actions):
            total += strategy_sum[place + a]
        if total <= 0.0:
            continue
        out_high[k] = high[slot]
        out_low[k] = low[slot]
        out_actions[k] = actions
        for a in range(actions):
            out_probability[first + a] = strategy_sum[place + a] / total
        k += 1
        first += actions


@kernel
def index_rows(high, low, actions, out_high, out_low, out_row):
    """Enter the keys of consecutive rows; returns the first duplicate, or -1.

    high, low: uint64[n]. actions: [n], numbers of actions. out_high, out_low: uint64[slots].
    out_row: int64[slots], EMPTY before.
    """
    place = 0
    for k in range(high.shape[0]):
        slot = slot_of(out_high, out_low, out_row, high[k], low[k])
        if out_row[slot] != EMPTY:
            return k
        out_high[slot] = high[k]
        out_low[slot] = low[k]
        out_row[slot] = place << 16 | np.int64(actions[k])
        place += np.int64(actions[k])
    return -1
