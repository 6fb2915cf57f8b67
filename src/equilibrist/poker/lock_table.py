"""Locks as the arrays that the kernels read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.board_table import BoardTable
from equilibrist.poker.program import BettingProgram
from equilibrist.poker.vector_game import Locks
from equilibrist.typing import Int64Array


def lock_table(
    locks: Locks, betting: BettingProgram, table: BoardTable, dtype: Any
) -> tuple[Int64Array, NDArray[Any]]:
    """`lock` and `locks` of `kernels.postflop_arrays.Store`; without locks `lock` is empty."""
    if not locks:
        return np.empty(0, np.int64), np.zeros(1, dtype)
    starts = np.full(table.decisions, -1, np.int64)
    rows, size = [], 0
    program, boards = betting.program, table.boards
    for node, fixed in locks.items():
        place = int(np.flatnonzero(betting.node == node)[0])
        player = int(program.player[place])
        street = int(np.searchsorted(program.nodes, place, "right")) - 1
        for number, board in enumerate(table.dealt):
            if board.street != street:
                continue
            held = table.held(number)[player]
            probabilities = fixed(board.cards)[:, held]
            if not np.isnan(probabilities).all():
                decision = boards.decisions[player, number] + program.decision[place]
                starts[decision] = size
                row = np.full((program.count[place], boards.width[player, number]), np.nan, dtype)
                row[:, : len(held)] = probabilities
                rows.append(row.ravel())
                size += row.size
    return starts, np.concatenate([*rows, np.zeros(int(not rows), dtype)])
