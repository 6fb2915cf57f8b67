"""A table of infosets by exact keys of two uint64: open addressing, rows in one pool.

Numbers stand in `pool`, float64[2, M]: regrets above, strategy sums below. A slot holds a key and
the place of its row. New rows are zero, and so is play from them uniform: to add one changes no
result. Capacity is a power of two. The first row, UNSEEN, belongs to no infoset and stays zero: a
table that may not grow any more gives it for every infoset that has none.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.rng import mix

EMPTY = -1
UNSEEN = 0
USED_SLOTS, USED_POOL, CLOSED = 0, 1, 2
"""Fields of `used`; CLOSED is 1 once the table may not grow any more."""


@inner_kernel
def find_or_add(table, high, low, actions):
    """The place of the key's row, added if it is new; -1 if the table must grow for that."""
    capacity = table.place.shape[0]
    mask = np.uint64(capacity - 1)
    slot = mix(low ^ mix(high)) & mask
    while True:
        place = table.place[slot]
        if place == EMPTY:
            break
        if table.low[slot] == low and table.high[slot] == high:
            return place
        slot = (slot + np.uint64(1)) & mask
    place = table.used[USED_POOL]
    if table.used[USED_SLOTS] * 3 >= capacity * 2 or place + actions > table.pool.shape[1]:
        return np.int64(UNSEEN if table.used[CLOSED] == 1 else -1)
    table.high[slot] = high
    table.low[slot] = low
    table.place[slot] = place
    table.used[USED_SLOTS] += 1
    table.used[USED_POOL] += actions
    return place


@kernel
def rehash(old_high, old_low, old_place, new_high, new_low, new_place):
    """Enter all keys into a larger table; rows stay where they are."""
    mask = np.uint64(new_place.shape[0] - 1)
    for k in range(old_place.shape[0]):
        if old_place[k] == EMPTY:
            continue
        slot = mix(old_low[k] ^ mix(old_high[k])) & mask
        while new_place[slot] != EMPTY:
            slot = (slot + np.uint64(1)) & mask
        new_high[slot] = old_high[k]
        new_low[slot] = old_low[k]
        new_place[slot] = old_place[k]


@kernel
def look_up(old_high, old_low, old_place, high, low):
    """The place of a key's row, or -1."""
    mask = np.uint64(old_place.shape[0] - 1)
    slot = mix(low ^ mix(high)) & mask
    while old_place[slot] != EMPTY:
        if old_low[slot] == low and old_high[slot] == high:
            return old_place[slot]
        slot = (slot + np.uint64(1)) & mask
    return np.int64(-1)
