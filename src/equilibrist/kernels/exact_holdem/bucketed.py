"""Strategies of buckets in place of those of hands: spread over all hands, and regrets summed up.

A table of a player has [slots][buckets] numbers for each street, one after the other; `first` is
where those of a street begin. Other arrays are those of `arrays.Boards`.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels import TILE

_TILE = np.uintp(TILE)


@kernel
def spread(boards, player, slots, buckets, first, bucket, low, high, table, out):
    """Put the numbers of its bucket in the place of those of each hand, on some boards.

    boards: Boards. slots: int64[S], numbers that are stored for each hand of a street. buckets:
    int64[S]. first: int64[S + 1]. bucket: int32[H], of each row, any in rows that fill up. The
    boards are low to high - 1. table: float64[...]. out: float[...], numbers of all hands, written.
    """
    for board in range(low, high):
        street = boards.street[board]
        count, many = np.uintp(slots[street]), np.uintp(buckets[street])
        start, place = np.uintp(boards.first[board]), np.uintp(boards.place[player, board])
        begin = np.uintp(first[street])
        blocks = (np.uintp(boards.rows[board]) + _TILE - np.uintp(1)) // _TILE
        for block in range(blocks):
            row = start + np.uintp(block) * _TILE
            for slot in range(count):
                line = begin + np.uintp(slot) * many
                goal = place + (np.uintp(block) * count + np.uintp(slot)) * _TILE
                for h in range(_TILE):
                    out[goal + np.uintp(h)] = table[line + np.uintp(bucket[row + np.uintp(h)])]


@kernel
def gather(boards, player, slots, buckets, first, bucket, weight, low, high, numbers, out):
    """Add the numbers of hands, times their weights, to those of their buckets, on some boards.

    weight: float64[H], of each row; 0 in rows that fill up. numbers: float[...], of all hands. out:
    float64[...], a table, added to. All other arguments are those of `spread`.
    """
    for board in range(low, high):
        street = boards.street[board]
        count, many = np.uintp(slots[street]), np.uintp(buckets[street])
        start, place = np.uintp(boards.first[board]), np.uintp(boards.place[player, board])
        begin = np.uintp(first[street])
        blocks = (np.uintp(boards.rows[board]) + _TILE - np.uintp(1)) // _TILE
        for block in range(blocks):
            row = start + np.uintp(block) * _TILE
            for slot in range(count):
                line = begin + np.uintp(slot) * many
                source = place + (np.uintp(block) * count + np.uintp(slot)) * _TILE
                for h in range(_TILE):
                    at = row + np.uintp(h)
                    out[line + np.uintp(bucket[at])] += weight[at] * numbers[source + np.uintp(h)]
