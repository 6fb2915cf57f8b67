"""Values at the terminal nodes of a block: up to ENDS nodes for a player in one sweep, a lane each.

The value of a hand at a showdown is lose * F + gain * (B + T): F, B and T are the opponent's reach
in all, that of weaker hands, and that of hands not stronger, each without the hands that share a
card. So the sums in all and per card begin with lose * F; a sweep from the weakest hand to the
strongest adds gain * reach once before the hands of a strength are read and once after. A fold has
gain 0. Only hands of the opponent with reach are added.

The functions take `load_few`, `load_row` or `load_ends`, for 8, 16 or 32 lanes.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import ENDS
from equilibrist.kernels.poker.postflop_arrays import MOST_CARDS
from equilibrist.kernels.poker.showdowns import clear_sums, unblocked
from equilibrist.kernels.poker.tiles import (
    add_rows,
    multiply_rows,
    scaled_row,
    store_row,
    sum_of_row,
)

_ENDS = np.uintp(ENDS)
_ZEROS = np.uintp(MOST_CARDS * ENDS)


@inner_kernel
def sweep(load, street, player, work, values, count):
    """The values of all hands of a player at the nodes of a group, a lane each.

    Adds the value of each hand at each node to `work.end_totals[bucket, lane]`, and to
    `values[hand]` their sum over the lanes, weighted by the shares of the hand's bucket.
    """
    alive, reach = work.alive[street, 1 - player], work.alive_reach[street, 1 - player]
    bucket, end = work.bucket[street], work.alive_count[street, 1 - player]
    lose, gain = load(work.lose, np.uintp(0)), load(work.gain, np.uintp(0))
    clear_sums(work.sums)
    total = load(work.sums, _ZEROS)
    for i in range(end):
        j = np.uintp(i)
        total = add_hand(load, np.uintp(alive[j]), reach[j], lose, total, bucket, work)
    read, first = np.int64(0), np.int64(0)
    while first < end:
        h = np.uintp(alive[np.uintp(first)])
        low, high = np.int64(work.low[h]), np.int64(work.high[h])
        read_hands(load, read, low, total, bucket, work, values)
        last = first
        while last < end and alive[np.uintp(last)] < high:
            j = np.uintp(last)
            total = add_hand(load, np.uintp(alive[j]), reach[j], gain, total, bucket, work)
            last += 1
        read_hands(load, low, high, total, bucket, work, values)
        for i in range(first, last):
            j = np.uintp(i)
            h = np.uintp(alive[j])
            put_back(load, h, reach[j], lose, gain, bucket, work, values)
            total = add_hand(load, h, reach[j], gain, total, bucket, work)
        first, read = last, high
    read_hands(load, read, np.int64(count), total, bucket, work, values)


@inner_kernel
def add_hand(load, hand, reach, factor, total, bucket, work):
    """Add a hand of the opponent, times a factor, to the sums of its cards; the sum of all."""
    at_a, at_b = np.uintp(work.first[hand]) * _ENDS, np.uintp(work.second[hand]) * _ENDS
    faced = load(work.faced_shares, np.uintp(bucket[hand]) * _ENDS)
    row = multiply_rows(factor, scaled_row(faced, reach))
    store_row(work.sums, at_a, add_rows(load(work.sums, at_a), row))
    store_row(work.sums, at_b, add_rows(load(work.sums, at_b), row))
    return add_rows(total, row)


@inner_kernel
def read_hands(load, begin, end, total, bucket, work, values):
    """Add the values of some hands from the sums as they are."""
    for i in range(begin, end):
        h = np.uintp(i)
        value = unblocked(load, total, work.first[h], work.second[h], work.sums)
        add_value(load, h, value, bucket, work, values)


@inner_kernel
def put_back(load, hand, reach, lose, gain, bucket, work, values):
    """Add what the opponent's same hand took off: it is in the sums of both of its cards."""
    row = scaled_row(load(work.faced_shares, np.uintp(bucket[hand]) * _ENDS), reach)
    add_value(load, hand, multiply_rows(add_rows(lose, gain), row), bucket, work, values)


@inner_kernel
def add_value(load, hand, value, bucket, work, values):
    """Add a value of a hand, lane by lane."""
    k = np.uintp(bucket[hand]) * _ENDS
    store_row(work.end_totals, k, add_rows(load(work.end_totals, k), value))
    values[hand] += sum_of_row(multiply_rows(value, load(work.own_shares, k)))
