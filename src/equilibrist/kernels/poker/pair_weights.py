"""Terminal nodes where every pair of hands has a weight of its own: folded hands are known.

The counterpart of `kernels.poker.showdowns`, whose sums by card suffice where a pair of hands has
weight 1, or 0 if it shares a card. Here each own hand adds up the opponent's hands one by one, four
own hands at a time, so that a loaded row of reach serves four. With n hands of either player that
costs n * n multiplications per lane in place of some 10 n.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.poker.postflop_arrays import MOST_CARDS
from equilibrist.kernels.poker.showdowns import clear_sums, transpose_in, transpose_out
from equilibrist.kernels.poker.tiles import (
    add_rows,
    as_numbers_of,
    load_ends,
    multiply_rows,
    scaled_row,
    store_row,
)

_ENDS = np.uintp(ENDS)
_TILE = np.uintp(TILE)
_ONE, _TWO, _THREE, _FOUR = np.uintp(1), np.uintp(2), np.uintp(3), np.uintp(4)
_ZEROS = np.uintp(MOST_CARDS * ENDS)
_ZERO = np.float32(0.0)


@inner_kernel
def _add_four(faced, weights, at, own_step, their_step, begin, end, sums):
    """Add the opponent's hands from begin to end to the sums of four own hands in a row."""
    first, second, third, fourth = sums
    for j in range(begin, end):
        k = np.uintp(j)
        row, place = load_ends(faced, k * _ENDS), at + k * their_step
        first = add_rows(first, scaled_row(row, weights[place]))
        second = add_rows(second, scaled_row(row, weights[place + own_step]))
        third = add_rows(third, scaled_row(row, weights[place + _TWO * own_step]))
        fourth = add_rows(fourth, scaled_row(row, weights[place + _THREE * own_step]))
    return first, second, third, fourth


@inner_kernel
def _add_one(faced, weights, at, their_step, begin, end, first):
    """Add the opponent's hands from begin to end to the sum of an own hand."""
    for j in range(begin, end):
        k = np.uintp(j)
        row = load_ends(faced, k * _ENDS)
        first = add_rows(first, scaled_row(row, weights[at + k * their_step]))
    return first


@inner_kernel
def _fold_lanes(
    faced, weights, start, own_step, their_step, theirs, live, zeros, pays, lane, results
):
    """results[ENDS * h + i] = pays[lane + i] times the weight that hand h meets in lane i.

    The weight of own hand h and the opponent's hand k is weights[start + h * own_step + k *
    their_step]; the other arguments are those of `showdowns.fold_lanes`.
    """
    zero = load_ends(zeros, _ZEROS)
    pay = as_numbers_of(load_ends(pays, lane), zero)
    none = np.uintp(0)
    whole = live // _FOUR * _FOUR
    for i in range(none, whole, _FOUR):
        h = np.uintp(i)
        sums = zero, zero, zero, zero
        sums = _add_four(
            faced, weights, start + h * own_step, own_step, their_step, none, theirs, sums
        )
        store_row(results, h * _ENDS, multiply_rows(pay, sums[0]))
        store_row(results, (h + _ONE) * _ENDS, multiply_rows(pay, sums[1]))
        store_row(results, (h + _TWO) * _ENDS, multiply_rows(pay, sums[2]))
        store_row(results, (h + _THREE) * _ENDS, multiply_rows(pay, sums[3]))
    for i in range(whole, live):
        h = np.uintp(i)
        met = _add_one(faced, weights, start + h * own_step, their_step, none, theirs, zero)
        store_row(results, h * _ENDS, multiply_rows(pay, met))


@inner_kernel
def _store(weaker, level, stronger, h, lost, gained, pay, results, folded, pairs):
    """The values of an own hand, from the weights that it beats, ties with and loses to."""
    beaten = add_rows(weaker, add_rows(weaker, level))
    met = add_rows(add_rows(weaker, level), stronger)
    won = add_rows(multiply_rows(lost, met), multiply_rows(gained, beaten))
    store_row(results, h * _ENDS, won)
    if pairs:
        store_row(folded, h * _ENDS, multiply_rows(pay, met))


@inner_kernel
def _showdown_lanes(
    faced, weights, start, own_step, their_step, theirs, ends, lows, highs, groups, zeros, lose,
    gain, fold, lane, results, folded, pairs,
):  # fmt: skip
    """Showdowns in results, and own folds in folded; as `showdowns.showdown_lanes`."""
    zero = load_ends(zeros, _ZEROS)
    lost = as_numbers_of(load_ends(lose, lane), zero)
    gained = as_numbers_of(load_ends(gain, lane), zero)
    pay = as_numbers_of(load_ends(fold, lane), zero)
    none, begin = np.uintp(0), np.uintp(0)
    for g in range(groups):
        group = np.uintp(g)
        end, low, high = np.uintp(ends[group]), np.uintp(lows[group]), np.uintp(highs[group])
        whole = begin + (end - begin) // _FOUR * _FOUR
        for i in range(begin, whole, _FOUR):
            h = np.uintp(i)
            at, clear = start + h * own_step, (zero, zero, zero, zero)
            weaker = _add_four(faced, weights, at, own_step, their_step, none, low, clear)
            level = _add_four(faced, weights, at, own_step, their_step, low, high, clear)
            stronger = _add_four(faced, weights, at, own_step, their_step, high, theirs, clear)
            _store(weaker[0], level[0], stronger[0], h, lost, gained, pay, results, folded, pairs)
            _store(
                weaker[1], level[1], stronger[1], h + _ONE, lost, gained, pay, results, folded,
                pairs,
            )  # fmt: skip
            _store(
                weaker[2], level[2], stronger[2], h + _TWO, lost, gained, pay, results, folded,
                pairs,
            )  # fmt: skip
            _store(
                weaker[3], level[3], stronger[3], h + _THREE, lost, gained, pay, results, folded,
                pairs,
            )  # fmt: skip
        for i in range(whole, end):
            h = np.uintp(i)
            at = start + h * own_step
            below = _add_one(faced, weights, at, their_step, none, low, zero)
            tied = _add_one(faced, weights, at, their_step, low, high, zero)
            above = _add_one(faced, weights, at, their_step, high, theirs, zero)
            _store(below, tied, above, h, lost, gained, pay, results, folded, pairs)
        begin = end


@inner_kernel
def weighted_ends(
    program, boards, pairs, lanes, value, reach, wide, own_wide, board, street, player
):
    """The values of a player at all terminal nodes of a board, as `postflop._ends`.

    pairs: `postflop_arrays.Pairs`.
    """
    other = 1 - player
    first = np.uintp(program.slots[other, street])
    width, own_width = np.uintp(boards.width[other, board]), np.uintp(boards.width[player, board])
    theirs, live = np.uintp(boards.live[other, board]), np.uintp(boards.live[player, board])
    own_first, their_first = (
        np.uintp(boards.hands[player, board]),
        np.uintp(boards.hands[other, board]),
    )
    row = np.uintp(boards.live[1, board])
    own_step = _ONE if player else row
    their_step = row if player else _ONE
    weights, start = pairs.weight, np.uintp(pairs.begin[board])
    rank, faced, results, folded = boards.rank, lanes.faced, lanes.results, lanes.folded
    clear_sums(lanes.sums)
    for i in range(live * _ENDS, own_width * _ENDS):  # see `postflop._ends`
        results[np.uintp(i)] = _ZERO
        folded[np.uintp(i)] = _ZERO
    showdowns = np.uintp(program.showdowns[player, street])
    folds = np.uintp(program.folds[player, street])
    for k in range(np.uintp(0), folds, _ENDS):
        lane = np.uintp(k)
        columns = _ENDS if folds - lane > _TILE else _TILE
        transpose_in(
            reach, first + showdowns + lane, wide, width, rank, their_first, faced, columns
        )
        _fold_lanes(
            faced, weights, start, own_step, their_step, theirs, live, lanes.sums, program.pay,
            np.uintp(program.fold_lane[player, street]) + lane, results,
        )  # fmt: skip
        row_of_value = np.uintp(program.fold_value[player, street]) + lane
        rows = min(folds - lane, _ENDS)
        transpose_out(results, rank, own_first, value, row_of_value, rows, own_wide, own_width)
    if showdowns:
        begin = boards.level[player, board]
        stop = begin + boards.levels[player, board]
        ends = boards.ends[begin:stop]
        lows, highs = boards.lows[begin:stop], boards.highs[begin:stop]
        paired_lanes = np.uintp(program.pairs[player, street])
        blocks = (showdowns + _ENDS - np.uintp(1)) // _ENDS
        for k in range(blocks):  # from the last: padding rows of a tile are overwritten
            lane = (blocks - np.uintp(1) - np.uintp(k)) * _ENDS
            paired = lane < paired_lanes
            transpose_in(reach, first + lane, wide, width, rank, their_first, faced, _ENDS)
            _showdown_lanes(
                faced, weights, start, own_step, their_step, theirs, ends, lows, highs,
                np.uintp(stop - begin), lanes.sums, program.lose, program.gain, program.fold,
                np.uintp(program.lane[player, street]) + lane, results, folded, paired,
            )  # fmt: skip
            row_of_value = np.uintp(program.showdown_value[player, street]) + lane
            rows = min(showdowns - lane, _ENDS)
            transpose_out(results, rank, own_first, value, row_of_value, rows, own_wide, own_width)
            if paired:
                row_of_value = np.uintp(program.pair_value[player, street]) + lane
                rows = min(paired_lanes - lane, _ENDS)
                transpose_out(
                    folded, rank, own_first, value, row_of_value, rows, own_wide, own_width
                )
