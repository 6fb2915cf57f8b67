"""The transfer of reach and values between streets.

Hands keep their order when a card is dealt, so runs of hands between two blocked ones move
together, sixteen at a time.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.postflop_arrays import NEXT
from equilibrist.kernels.poker.tiles import (
    add_rows,
    fill_row,
    load_row,
    multiply_rows,
    put_between,
    store_row,
)

_TILE = np.uintp(TILE)
_ZERO = np.float32(0.0)


@inner_kernel
def begin_at_root(program, boards, root, reach, wide, board, player):
    """The reach of the one line that enters the root."""
    goal = np.uintp(program.slot[player, np.uintp(0)]) * wide
    for i in range(boards.width[player, board]):
        h = np.uintp(i)
        reach[goal + h] = root[h]


@inner_kernel
def _lines(program, rows, street, wide, at):
    """at[k] = the start of row k of the exits, at[n + k] of the entries; returns their number n.

    `rows` are the rows of a player's reach or values.
    """
    first, last = program.entries[street], program.entries[street + 1]
    shift = program.exits[street - 1] - first
    lines = np.uintp(last - first)
    for k in range(first, last):
        line = np.uintp(k - first)
        at[line] = np.uintp(rows[program.exit[k + shift]]) * wide
        at[lines + line] = np.uintp(rows[program.entry[k]]) * wide
    return lines


@inner_kernel
def enter(program, boards, deals, reach, wide, board, street, player, at):
    """The reach of all lines that enter a board.

    Sixteen hands of the board come from the runs that end among them and the one that continues,
    each `taken` hands further than on the previous board. Up to TILE numbers before and after a row
    are loaded, but not used.
    """
    chance = deals.chance[board]
    factor, zero = fill_row(chance), fill_row(_ZERO * chance)
    lines = _lines(program, program.slot[player], street, wide, at)
    run_end, first = deals.run_end, deals.run[player, board]
    last = first + deals.runs[player, board] - 1
    run = first
    for i in range(np.uintp(0), np.uintp(boards.width[player, board]), _TILE):
        h, begin = np.uintp(i), np.int64(i)
        while run < last and run_end[np.uintp(run)] - (run - first) <= begin:
            run += 1
        behind = run
        while behind < last and run_end[np.uintp(behind)] - (behind - first) < begin + TILE:
            behind += 1
        here = h + np.uintp(run - first)
        if run_end[np.uintp(run)] - (run - first) >= begin + TILE:
            for k in range(lines):
                line = np.uintp(k)
                row = multiply_rows(factor, load_row(reach, np.uintp(at[line]) + here))
                store_row(reach, np.uintp(at[lines + line]) + h, row)
        else:
            for k in range(lines):
                line = np.uintp(k)
                row, lane = zero, np.int64(0)
                for j in range(run, behind + 1):
                    taken = j - first
                    end = run_end[np.uintp(j)] - taken - begin
                    above = load_row(reach, np.uintp(at[line]) + h + np.uintp(taken))
                    row, lane = put_between(row, above, lane, end), end
                store_row(reach, np.uintp(at[lines + line]) + h, multiply_rows(factor, row))


@inner_kernel
def hand_up(program, boards, deals, scratch, plan, wide, board, street, player):
    """Add the values of lines on a board and its images to the exits of the previous board."""
    value, out, at = scratch.value[player], scratch.out, scratch.at
    lines = _lines(program, program.value[player], street, wide, at)
    part = plan.part[board]
    if part >= 0:
        for k in range(lines):
            line = np.uintp(k)
            at[line] = (np.uintp(part) * lines + line) * wide
        _add_on(boards, deals, value, out, at, lines, board, player)
    else:
        _add_on(boards, deals, value, value, at, lines, board, player)


@inner_kernel
def _add_on(boards, deals, value, total, at, lines, board, player):
    """Add the rows of a board and its images to rows of the previous board."""
    run_end, first = deals.run_end, deals.run[player, board]
    last = first + deals.runs[player, board] - 1
    zero = fill_row(_ZERO * deals.chance[board])
    run, start = first, np.int64(0)
    for i in range(np.uintp(0), np.uintp(run_end[np.uintp(last)]), _TILE):
        h, begin = np.uintp(i), np.int64(i)
        while run < last and run_end[np.uintp(run)] <= begin:
            start = run_end[np.uintp(run)] + 1
            run += 1
        behind = run
        while behind < last and run_end[np.uintp(behind)] < begin + TILE:
            behind += 1
        here = h - np.uintp(run - first)
        if start <= begin and run_end[np.uintp(run)] >= begin + TILE:
            for k in range(lines):
                line = np.uintp(k)
                goal = np.uintp(at[line]) + h
                added = load_row(value, np.uintp(at[lines + line]) + here)
                store_row(total, goal, add_rows(load_row(total, goal), added))
        else:
            for k in range(lines):
                line = np.uintp(k)
                goal = np.uintp(at[line]) + h
                row, lane = zero, start - begin
                for j in range(run, behind + 1):
                    end = run_end[np.uintp(j)] - begin
                    below = load_row(value, np.uintp(at[lines + line]) + h - np.uintp(j - first))
                    row, lane = put_between(row, below, lane, end), end + 1
                store_row(total, goal, add_rows(load_row(total, goal), row))
    live, way = np.uintp(boards.live[player, board]), deals.way
    for image in range(deals.images[board], deals.images[board + 1]):
        begin_way = np.uintp(deals.image[player, image])
        for k in range(lines):
            line = np.uintp(k)
            goal, origin = np.uintp(at[line]), np.uintp(at[lines + line])
            for i in range(live):
                h = np.uintp(i)
                total[goal + np.uintp(way[begin_way + h])] += value[origin + h]


@inner_kernel
def collect(program, scratch, plan, wide, street, player):
    """Add up the results of the parts at the root, in order."""
    value, out = scratch.value[player], scratch.out
    first = program.exits[street]
    lines = program.exits[street + 1] - first
    for line in range(lines):
        goal = np.uintp(program.value[player, program.exit[first + line]]) * wide
        for part in range(plan.parts):
            origin = np.uintp(part * lines + line) * wide
            for i in range(wide):
                h = np.uintp(i)
                value[goal + h] += out[origin + h]


@inner_kernel
def clear_exits(program, scratch, plan, wide, board, street, player):
    """Clear the rows to which the boards below will add."""
    value, out = scratch.value[player], scratch.out
    # The parts share this buffer: add what the previous one left to the root before clearing it.
    if plan.first[board] == NEXT:
        collect(program, scratch, plan, wide, street - 1, player)
    if plan.first[board]:
        lines = program.entries[street + 1] - program.entries[street]
        size = np.uintp(lines) * wide
        start = np.uintp(plan.part[board]) * size
        for i in range(size):
            out[start + np.uintp(i)] = _ZERO
    for k in range(program.exits[street], program.exits[street + 1]):
        goal = np.uintp(program.value[player, program.exit[k]]) * wide
        for i in range(wide):
            value[goal + np.uintp(i)] = _ZERO
