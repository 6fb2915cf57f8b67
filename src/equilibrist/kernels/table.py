"""A table of infosets by exact keys of two uint64: open addressing, rows in one pool.

Numbers stand in `pool`, float64[2, M]: regrets above, strategy sums below. A slot holds a key and
its row: place << 16 | actions, or EMPTY. New rows are zero, and so is play from them uniform: to
add one changes no result. Capacity is a power of two. The first row, UNSEEN, belongs to no infoset
and stays zero: a table that may not grow any more gives it for every infoset that has none.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.rng import mix

EMPTY = -1
UNSEEN = 0
USED_SLOTS, USED_POOL, CLOSED = 0, 1, 2
"""Fields of `used`; CLOSED is 1 once the table may not grow any more."""
FULL, CONTRADICTED = -1, -2
"""What `find_or_add` gives for a place: the table must grow; the key has other actions."""
MAX_ACTIONS = (1 << 16) - 1


@inner_kernel
def slot_of(high, low, row, key_high, key_low):
    """The slot that holds a key, else the empty one where it belongs."""
    mask = np.uint64(row.shape[0] - 1)
    slot = mix(key_low ^ mix(key_high)) & mask
    while row[slot] != EMPTY and (low[slot] != key_low or high[slot] != key_high):
        slot = (slot + np.uint64(1)) & mask
    return slot


@inner_kernel
def find_or_add(table, high, low, actions):
    """The place of the key's row, added if it is new; FULL or CONTRADICTED."""
    slot = slot_of(table.high, table.low, table.row, high, low)
    row = table.row[slot]
    if row != EMPTY:
        return row >> 16 if row & MAX_ACTIONS == actions else np.int64(CONTRADICTED)
    place = table.used[USED_POOL]
    crowded = table.used[USED_SLOTS] * 3 >= table.row.shape[0] * 2
    if crowded or place + actions > table.pool.shape[1]:
        return np.int64(UNSEEN if table.used[CLOSED] == 1 else FULL)
    table.high[slot] = high
    table.low[slot] = low
    table.row[slot] = place << 16 | actions
    table.used[USED_SLOTS] += 1
    table.used[USED_POOL] += actions
    return place


@inner_kernel
def find(table, high, low, actions):
    """The place of the key's row, UNSEEN if it has none; CONTRADICTED."""
    row = table.row[slot_of(table.high, table.low, table.row, high, low)]
    if row == EMPTY:
        return np.int64(UNSEEN)
    return row >> 16 if row & MAX_ACTIONS == actions else np.int64(CONTRADICTED)


@kernel
def rehash(old_high, old_low, old_row, new_high, new_low, new_row):
    """Enter all keys into a larger table; rows stay where they are."""
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
            largest = max(largest, regret[place + a])
        total += largest
    return total


@kernel
def add_sums(high, low, row, strategy_sum, into):
    """Add strategy sums to the rows of the same keys in another table that has room for all."""
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
    """The row of a key, place << 16 | actions, or EMPTY."""
    return row[slot_of(high, low, row, key_high, key_low)]


@kernel
def count_played(row, strategy_sum, out):
    """Add the rows whose strategy sum is not zero to out[0], their actions to out[1]."""
    for slot in range(row.shape[0]):
        if row[slot] == EMPTY:
            continue
        place = row[slot] >> 16
        actions = row[slot] & MAX_ACTIONS
        for a in range(actions):
            if strategy_sum[place + a] > 0.0:
                out[0] += 1
                out[1] += actions
                break


@kernel
def read_averages(high, low, row, strategy_sum, out_high, out_low, out_actions, out_probability):
    """Write keys, numbers of actions and average strategies of those rows, one after another."""
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
    """Enter the keys of rows that lie one after another; the first that comes twice, or -1."""
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
