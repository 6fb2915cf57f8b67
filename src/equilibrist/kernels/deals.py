"""The way of reach and values from one street to the next.

Hands stay in order when a card is dealt, so that those between two that the card takes move
together, sixteen at a time.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.postflop_arrays import NEXT
from equilibrist.kernels.tiles import (
    add_rows,
    fill_row,
    first_of,
    load_row,
    multiply_rows,
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
def enter(program, boards, reach, wide, board, street, player):
    """The reach of all lines that enter a board.

    What sixteen hands bring along behind those that move is written over by those that follow.
    """
    chance = boards.chance[board]
    factor = fill_row(chance)
    live = np.uintp(boards.live[player, board])
    width = np.uintp(boards.width[player, board])
    first, last = program.entries[street], program.entries[street + 1]
    shift = program.exits[street - 1] - first
    slot, entry, exits = program.slot[player], program.entry, program.exit
    run_end, first_run = boards.run_end, np.uintp(boards.run[player, board])
    begin = np.uintp(0)
    for j in range(boards.runs[player, board]):
        taken = np.uintp(j)
        end = np.uintp(run_end[first_run + taken])
        for i in range(begin, end, _TILE):
            there = np.uintp(i)
            here = there - taken
            whole = there + _TILE <= wide
            for k in range(first, last):
                origin = np.uintp(slot[exits[k + shift]]) * wide
                goal = np.uintp(slot[entry[k]]) * wide
                if whole:
                    row = multiply_rows(factor, load_row(reach, origin + there))
                    store_row(reach, goal + here, row)
                else:
                    for m in range(end - there):
                        h = np.uintp(m)
                        reach[goal + here + h] = chance * reach[origin + there + h]
        begin = end + np.uintp(1)
    for k in range(first, last):
        goal = np.uintp(slot[entry[k]]) * wide
        for i in range(live, width):
            reach[goal + np.uintp(i)] = _ZERO


@inner_kernel
def hand_up(program, boards, scratch, plan, wide, board, street, player):
    """Add what lines are worth on a board and its images to where they left the board before."""
    value, out = scratch.value[player], scratch.out
    first, last = program.entries[street], program.entries[street + 1]
    shift = program.exits[street - 1] - first
    rows, entry, exits = program.value[player], program.entry, program.exit
    part = plan.part[board]
    if part >= 0:
        at = part * (last - first)
        for k in range(first, last):
            origin = np.uintp(rows[entry[k]]) * wide
            goal = np.uintp(at + k - first) * wide
            _add_on(boards, value, origin, out, goal, wide, board, player)
    else:
        for k in range(first, last):
            origin = np.uintp(rows[entry[k]]) * wide
            goal = np.uintp(rows[exits[k + shift]]) * wide
            _add_on(boards, value, origin, value, goal, wide, board, player)


@inner_kernel
def _add_on(boards, value, origin, total, goal, wide, board, player):
    """Add a row of a board and its images to a row of the board before."""
    run_end, first_run = boards.run_end, np.uintp(boards.run[player, board])
    begin = np.uintp(0)
    for j in range(boards.runs[player, board]):
        taken = np.uintp(j)
        end = np.uintp(run_end[first_run + taken])
        for i in range(begin, end, _TILE):
            there = np.uintp(i)
            here = origin + there - taken
            if there + _TILE <= wide:
                added = first_of(load_row(value, here), end - there)
                store_row(total, goal + there, add_rows(load_row(total, goal + there), added))
            else:
                for m in range(end - there):
                    h = np.uintp(m)
                    total[goal + there + h] += value[here + h]
        begin = end + np.uintp(1)
    live, way = np.uintp(boards.live[player, board]), boards.way
    for image in range(boards.images[board], boards.images[board + 1]):
        start = np.uintp(boards.image[player, image])
        for i in range(live):
            h = np.uintp(i)
            total[goal + np.uintp(way[start + h])] += value[origin + h]


@inner_kernel
def collect(program, scratch, plan, wide, street, player):
    """Add up at the root what the parts of the boards have found, one after the other."""
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
    """Zeros where the boards below are going to add."""
    value, out = scratch.value[player], scratch.out
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
