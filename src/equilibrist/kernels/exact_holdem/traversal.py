"""Passes over all boards: one for each player and iteration, shared by threads.

A pass enters a board, which carries the opponent's reach to the terminal nodes and both players'
reach to the exits, visits the boards below, and leaves it, which carries values up and updates the
player's regrets. The boards after the empty one are cut into parts that threads claim; each part
has its own sums, which are added in order, so that the number of threads changes no bit.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.exact_holdem.arrays import COUNTED_ANEW
from equilibrist.kernels.exact_holdem.decisions import add_ends, leave_block, play_block
from equilibrist.kernels.exact_holdem.runouts import count_board
from equilibrist.kernels.exact_holdem.showdowns import (
    add_up,
    by_pairs,
    met_rows,
    per_hand,
    sweep,
)
from equilibrist.kernels.exact_holdem.tile_moves import load_like, transpose_tile
from equilibrist.kernels.poker.tiles import fill_row, load_row, multiply_rows, store_row
from equilibrist.kernels.primitives.barrier import begin, claim, wait_for_all

_TILE = np.uintp(TILE)
_ZERO, _SURE = np.float32(0.0), np.float32(1.0)
_ROUND_DOWN = ~np.uintp(TILE - 1)


@inner_kernel
def _padded(number):
    return (np.uintp(number) + np.uintp(TILE - 1)) & _ROUND_DOWN


@inner_kernel
def _enter_block(betting, boards, scratch, root, board, street, who, own, block):
    """Take over the reach of sixteen rows from the board above."""
    reach = scratch.reach
    if street == 0:
        wide = _padded(boards.rows[board])
        for e in range(betting.entries[0]):
            start = (np.uintp(who) * np.uintp(betting.entries[0]) + np.uintp(e)) * wide
            goal = np.uintp(betting.entry[who, 0, np.uintp(e)]) * _TILE
            store_row(reach, goal, load_row(root.start, start + block * _TILE))
        return
    up = boards.parent[board]
    first = np.uintp(boards.first[board]) + block * _TILE
    wide = _padded(boards.rows[up])
    if street == 1:
        exits, start = root.exits, np.uintp(root.exit[own, 0])
    else:
        exits, start = scratch.exits, np.uintp(scratch.exit[own, street - 1])
    above = boards.above
    for e in range(betting.entries[street]):
        goal = np.uintp(betting.entry[who, street, e]) * _TILE
        line = start + np.uintp(e) * wide
        for h in range(_TILE):
            reach[goal + h] = exits[line + np.uintp(above[first + h])]


@inner_kernel
def _enter(betting, boards, played, scratch, root, board, player, unit):
    """Carry reach from the board above to terminal nodes, the opponent's, and exits."""
    street = np.int64(boards.street[board])
    rows = np.uintp(boards.rows[board])
    first = np.uintp(boards.first[board])
    wide = _padded(rows)
    reach, chances, many = scratch.reach, scratch.chances, boards.many
    exits = np.uintp(betting.exits[street])
    for own in range(2):
        if own == 1 and not exits:
            break
        who = player if own else 1 - player
        lanes = np.uintp(0) if own else _padded(betting.lanes[who, street])
        slots = np.uintp(betting.slots[who, street])
        place = np.uintp(boards.place[who, board])
        faced, base = scratch.faced, np.uintp(scratch.face[street])
        start = np.uintp(scratch.exit[own, street])
        for n in range(wide // _TILE):
            block = np.uintp(n)
            _enter_block(betting, boards, scratch, root, board, street, who, own, block)
            copies = load_like(many, first + block * _TILE, fill_row(unit))
            if lanes and not exits:  # the reach of all hands of a row; else it is needed for one
                for e in range(betting.entries[street]):
                    at = np.uintp(betting.entry[who, street, e]) * _TILE
                    store_row(reach, at, multiply_rows(load_row(reach, at), copies))
            play_block(
                betting, betting.begin[who, street], betting.begin[who, street + 1], played[who],
                place + block * slots * _TILE, reach, chances,
            )  # fmt: skip
            for e in range(exits):
                row = np.uintp(betting.exit[who, street, np.uintp(e)]) * _TILE
                line = start + np.uintp(e) * wide + block * _TILE
                store_row(scratch.exits, line, load_row(reach, row))
            if lanes:
                if exits:
                    for lane in range(betting.lanes[who, street]):
                        at = np.uintp(lane) * _TILE
                        store_row(reach, at, multiply_rows(load_row(reach, at), copies))
                goal = base + block * _TILE * lanes
                for lane in range(np.uintp(0), lanes, _TILE):
                    transpose_tile(
                        reach, np.uintp(lane) * _TILE, _TILE, faced, goal + np.uintp(lane), lanes
                    )
    if exits:
        under, zero = np.uintp(scratch.under[street]), fill_row(_ZERO * unit)
        for k in range(np.uintp(0), exits * wide, _TILE):
            store_row(scratch.below, under + np.uintp(k), zero)


@inner_kernel
def _judge(betting, boards, pairs, runouts, scratch, board, player, unit):
    """won[row, lane] = what the lanes of the opponent's reach are worth on a board."""
    other = 1 - player
    street = np.int64(boards.street[board])
    lanes = _padded(betting.lanes[other, street])
    shown = _padded(betting.shown[other, street])
    folds = np.uintp(betting.folds[other, street]) & _ROUND_DOWN
    width = shown + lanes - folds
    rows, first = np.uintp(boards.rows[board]), np.uintp(boards.first[board])
    faced, base = scratch.faced, np.uintp(scratch.face[street])
    won, total, sums = scratch.won, scratch.total, scratch.sums
    alike, share = boards.alike[board], scratch.share
    place = boards.pairs[board]
    for k in range(rows * width, _padded(rows) * width):
        won[k] = _ZERO  # of rows that fill up
    if not lanes:
        return width
    if street == 0:
        per_hand(faced, base, lanes, rows, first, boards.many, _SURE, unit)
        none = np.uintp(0)
        by_pairs(pairs.beaten, none, faced, base, lanes, none, shown, rows, won, width, none, unit)
        by_pairs(pairs.met, none, faced, base, lanes, folds, lanes, rows, won, width, shown, unit)
        return width
    add_up(faced, base, lanes, rows, first, boards.a, boards.b, alike, share, total, sums, unit)
    met_rows(
        faced, base, lanes, rows, first, boards.a, boards.b, boards.many, total, sums, won, width,
        shown, folds, unit,
    )  # fmt: skip
    if shown and place == -1:
        sweep(
            faced, base, lanes, shown, rows, first, boards.a, boards.b, boards.last, share, total,
            sums, won, width, unit,
        )  # fmt: skip
    elif shown:
        per_hand(faced, base, lanes, rows, first, boards.many, boards.ways[board], unit)
        none = np.uintp(0)
        # Two tests: the first is decided when the kernel is compiled.
        if runouts is not None:  # noqa: SIM102
            if place == COUNTED_ANEW:
                count_board(runouts, board, first, rows)
                by_pairs(
                    runouts.matrix, none, faced, base, lanes, none, shown, rows, won, width, none,
                    unit,
                )  # fmt: skip
                return width
        by_pairs(
            pairs.runouts, np.uintp(place), faced, base, lanes, none, shown, rows, won, width, none,
            unit,
        )  # fmt: skip
    return width


@inner_kernel
def _leave(
    betting, boards, pairs, runouts, regrets, totals, played, scratch, root, board, player, mode,
    row, job, unit,
):  # fmt: skip
    """Carry values from terminal nodes and exits to the board above; update if told to.

    row: float[7], coefficients of a variant. job: which part of root.parts the board adds to. unit:
    1, of the type of all arithmetic. All other arguments are those of `passes`.
    """
    street = np.int64(boards.street[board])
    rows, first = np.uintp(boards.rows[board]), np.uintp(boards.first[board])
    wide = _padded(rows)
    exits = np.uintp(betting.exits[street])
    width = _judge(betting, boards, pairs, runouts, scratch, board, player, unit)
    reach, chances, value = scratch.reach, scratch.chances, scratch.value
    slots = np.uintp(betting.slots[player, street])
    place = np.uintp(boards.place[player, board])
    regret, total = regrets[player], totals[player]
    under = np.uintp(scratch.under[street])
    up = boards.parent[board]
    above = boards.above
    begin, end = betting.begin[player, street], betting.begin[player, street + 1]
    for n in range(wide // _TILE):
        block = np.uintp(n)
        spot = place + block * slots * _TILE
        _enter_block(betting, boards, scratch, root, board, street, player, 1, block)
        # Again: scratch holds one block of TILE rows, which others have overwritten since.
        play_block(betting, begin, end, played[player], spot, reach, chances)
        for lane in range(np.uintp(0), width, _TILE):
            transpose_tile(
                scratch.won, block * _TILE * width + np.uintp(lane), width, scratch.out,
                np.uintp(lane) * _TILE, _TILE,
            )  # fmt: skip
        add_ends(betting, player, street, scratch.out, value)
        for e in range(exits):
            goal = np.uintp(betting.exit[player, street, np.uintp(e)]) * _TILE
            line = under + np.uintp(e) * wide + block * _TILE
            for h in range(_TILE):
                value[goal + h] += scratch.below[line + h]
        leave_block(
            betting, begin, end, regret, total, spot, reach, chances, value, mode, row
        )  # fmt: skip
        here = first + block * _TILE
        if street == 0:
            for e in range(betting.entries[0]):
                at = np.uintp(betting.entry[player, 0, np.uintp(e)]) * _TILE
                line = np.uintp(e) * wide + block * _TILE
                for h in range(_TILE):
                    root.values[player, line + h] = value[at + h]
            continue
        size = min(_TILE, rows - block * _TILE)
        up_wide = _padded(boards.rows[up])
        start = np.uintp(0) if street == 1 else np.uintp(scratch.under[street - 1])
        lift = load_like(boards.lift, here, fill_row(unit))
        for e in range(betting.entries[street]):
            at = np.uintp(betting.entry[player, street, e]) * _TILE
            store_row(value, at, multiply_rows(load_row(value, at), lift))
            if street == 1:
                line = np.uintp(e) * up_wide
                for h in range(size):
                    root.parts[job, line + np.uintp(above[here + h])] += value[at + h]
            else:
                line = start + np.uintp(e) * up_wide
                for h in range(size):
                    scratch.below[line + np.uintp(above[here + h])] += value[at + h]


@uncounted_kernel
def passes(
    betting, boards, pairs, runouts, regrets, totals, played, scratch, root, parts, mode, players,
    coefficients, thread, threads, counters,
):  # fmt: skip
    """One pass per row of `coefficients` and player of `players`.

    runouts: Runouts, or None where no board needs them.
    regrets, totals, played: of both players; strategies are derived from `played`.
    root: what threads share, for the empty board.
    parts: int64[P + 1], the boards with which the parts begin, and their end.
    thread, threads, counters: see `kernels.primitives.barrier`.

    betting: Betting. boards: Boards. pairs: Pairs. scratch: Scratch of this thread. mode: UPDATE,
    VALUE, BEST or ANSWER.
    """
    if not begin(counters, thread):
        return
    unit = betting.shares[1]
    rounds, jobs = np.int64(0), np.int64(parts.shape[0] - 1)
    size = np.uintp(betting.exits[0]) * _padded(boards.rows[0])
    for t in range(coefficients.shape[0]):
        row = coefficients[t]
        for player in players:
            # The empty board is entered, then all others are visited, then it is left; with one
            # place that enters and one that leaves, since each is compiled where it stands.
            for phase in range(3):
                while True:
                    job, board, stop = np.int64(0), np.int64(0), np.int64(1)
                    work = root
                    if phase == 1:
                        job = claim(counters, threads, jobs, rounds)
                        if job >= jobs:
                            break
                        board, stop = parts[job], parts[job + 1]
                        work = scratch
                        for k in range(size):
                            root.parts[job, k] = _ZERO
                    elif thread:
                        break
                    elif phase == 2:
                        for k in range(size):
                            root_value = _ZERO * unit
                            for part in range(jobs):
                                root_value += root.parts[part, k]
                            root.below[k] = root_value
                    while board < stop:
                        if phase < 2:
                            _enter(betting, boards, played, work, root, board, player, unit)
                        done = board
                        board += np.int64(1)
                        # Preorder: a board is left once the next one is past its subtree; the
                        # empty board waits for phase 2.
                        while (phase and boards.end[done] == board) or phase == 2:
                            _leave(
                                betting, boards, pairs, runouts, regrets, totals, played, work,
                                root, done, player, mode, row, job, unit,
                            )  # fmt: skip
                            if boards.street[done] < 2:
                                break
                            done = np.int64(boards.parent[done])
                    if phase != 1:
                        break
                wait_for_all(counters, threads)
            rounds += np.int64(1)
