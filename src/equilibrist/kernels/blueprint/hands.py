"""The hands that a board leaves, from the weakest on the river to the strongest.

All rows of hands of a walk are in this order.
"""

from __future__ import annotations

from equilibrist._jit import inner_kernel
from equilibrist.kernels.poker.equity import ordered


@inner_kernel
def sort_hands(tables, hands, board, rows, scratch, work):
    """Sort the hands that a board leaves by strength, and look up their buckets.

    Fills first, second, combo, low, high and bucket of `work`. rows: int32[S, 1326], the buckets
    by street. Returns the number of hands.
    """
    count = ordered(tables, hands, board, scratch)
    strength, order = scratch.strength, scratch.order
    begin = 0
    for r in range(count):
        h = order[r]
        work.first[r] = hands.first[h]
        work.second[r] = hands.second[h]
        work.combo[r] = hands.combo[h]
        for street in range(rows.shape[0]):
            work.bucket[street, r] = rows[street, hands.combo[h]]
        if strength[h] != strength[order[begin]]:
            begin = r
        work.low[r] = begin
    end = count
    for r in range(count - 1, -1, -1):
        work.high[r] = end
        if work.low[r] == r:
            end = r
    return count


@inner_kernel
def number_buckets(buckets, work, count):
    """Put columns in place of buckets on streets with more buckets than there are hands."""
    for street in range(buckets.shape[0]):
        work.columns[street] = buckets[street]
        if buckets[street] > count:
            bucket, names, column_of = work.bucket[street], work.names[street], work.column_of
            columns = 0
            for r in range(count):
                name = bucket[r]
                if column_of[name] < 0:
                    column_of[name] = columns
                    names[columns] = name
                    columns += 1
                bucket[r] = column_of[name]
            for k in range(columns):
                column_of[names[k]] = -1
            work.columns[street] = columns
