"""Values at terminal nodes of a board: up to sixteen nodes for both players in one sweep.

The lanes of the first half hold the values of player 0 at each node, those of the second half the
values of player 1. A showdown sweeps the hands from the weakest to the strongest and keeps the
reach of the opponent's hands met so far, in all and per card: what a hand beats is the reach of the
weaker hands without those that contain one of its cards.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.blueprint.arrays import GROUP
from equilibrist.kernels.poker.postflop_arrays import MOST_CARDS
from equilibrist.kernels.poker.showdowns import add_hand, clear_sums, unblocked
from equilibrist.kernels.poker.tiles import (
    add_rows,
    load_ends,
    load_row,
    multiply_rows,
    store_row,
    transpose_back,
    transpose_by_rank,
)

_TILE = np.uintp(TILE)
_ENDS = np.uintp(ENDS)
_HALF = np.uintp(GROUP)
_ZEROS = np.uintp(MOST_CARDS * ENDS)


@inner_kernel
def showdown_sweep(work, count):
    """results[h] = lose * met + gain * (beaten + beaten or tied), lane by lane."""
    faced, results, sums = work.faced, work.results, work.sums
    first, second = work.first, work.second
    clear_sums(sums)
    total = load_ends(sums, _ZEROS)
    begin = np.uintp(0)
    while begin < np.uintp(count):
        end = np.uintp(work.high[begin])
        for i in range(begin, end):
            k = np.uintp(i)
            below = unblocked(load_ends, total, first[k], second[k], sums)
            store_row(results, k * _ENDS, below)
        for i in range(begin, end):
            k = np.uintp(i)
            total = add_rows(total, add_hand(load_ends, faced, k, first[k], second[k], sums))
        for i in range(begin, end):  # a hand itself was taken off twice
            k = np.uintp(i)
            below = unblocked(load_ends, total, first[k], second[k], sums)
            below = add_rows(below, load_ends(faced, k * _ENDS))
            store_row(results, k * _ENDS, add_rows(load_ends(results, k * _ENDS), below))
        begin = end
    lose, gain = load_ends(work.lose, np.uintp(0)), load_ends(work.gain, np.uintp(0))
    for i in range(count):
        k = np.uintp(i)
        met = unblocked(load_ends, total, first[k], second[k], sums)
        met = add_rows(met, load_ends(faced, k * _ENDS))
        won = multiply_rows(gain, load_ends(results, k * _ENDS))
        store_row(results, k * _ENDS, add_rows(multiply_rows(lose, met), won))


@inner_kernel
def fold_sweep(work, count):
    """results[h] = lose * met, lane by lane."""
    faced, results, sums, first, second = (
        work.faced, work.results, work.sums, work.first, work.second,
    )  # fmt: skip
    clear_sums(sums)
    total = load_ends(sums, _ZEROS)
    for i in range(count):
        k = np.uintp(i)
        total = add_rows(total, add_hand(load_ends, faced, k, first[k], second[k], sums))
    pay = load_ends(work.lose, np.uintp(0))
    for i in range(count):
        k = np.uintp(i)
        met = unblocked(load_ends, total, first[k], second[k], sums)
        met = add_rows(met, load_ends(faced, k * _ENDS))
        store_row(results, k * _ENDS, multiply_rows(pay, met))


@inner_kernel
def evaluate_group(betting, group, work, width, value_rows, count):
    """Fill the values of both players at the terminal nodes of a group."""
    begin = betting.ends_begin[group]
    nodes = betting.ends_begin[group + 1] - begin
    for player in range(2):
        for k in range(nodes):
            end = begin + k
            row = np.uintp(betting.reach_row[betting.ends[end], 1 - player]) * width
            goal = np.uintp(k) * width
            for i in range(np.uintp(0), width, _TILE):
                h = np.uintp(i)
                store_row(work.stage, goal + h, load_row(work.reach, row + h))
            work.lose[GROUP * player + k] = betting.lose[end, player]
            work.gain[GROUP * player + k] = betting.gain[end, player]
        lane = np.uintp(player) * _HALF
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            transpose_by_rank(work.stage, h, width, work.faced, lane, work.ranks, h)
    if betting.is_showdown[group]:
        showdown_sweep(work, count)
    else:
        fold_sweep(work, count)
    row = np.uintp(betting.value_row[betting.ends[begin]])
    for player in range(2):
        lane = np.uintp(player) * _HALF
        start = (np.uintp(player) * value_rows + row) * width
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            transpose_back(work.results, lane, work.ranks, h, work.values, start + h, width)
