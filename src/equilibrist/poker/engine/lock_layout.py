"""Locks as the arrays that the kernels read."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import AIMS, LOCK_STATE
from equilibrist.poker.engine.betting_layout import BettingProgram
from equilibrist.poker.engine.board_layout import BoardTable
from equilibrist.poker.engine.vector_game import VectorGame
from equilibrist.typing import Int64Array

_MEASURE: Final = 0.1
"""The least share of a range by which what is missed is measured."""


class LockTable(NamedTuple):
    """What is fixed at decisions, as kernels read it."""

    lock: Int64Array
    """int64[D]: where the locks of a decision begin, -1 for none; empty without any locks."""
    locks: NDArray[Any]
    """See `kernels.poker.locks`."""
    aims: Int64Array
    """int64[K, 4]: of each decision with frequencies, where they begin in `locks`, its actions, its
    node, and how many boards its own stands for."""


def lock_table(
    game: VectorGame, betting: BettingProgram, table: BoardTable, dtype: Any
) -> LockTable:
    """The locks of all boards."""
    locks, aims = game.locks, game.aims
    if not locks and not aims:
        none = np.empty(0, np.int64)
        return LockTable(none, np.zeros(1, dtype), none.reshape(0, 4))
    starts = np.full(table.decisions, -1, np.int64)
    rows, aimed, size = [], [], 0
    program, boards = betting.program, table.boards
    chances, copies = np.ones((2, len(table.dealt)))
    for number, board in enumerate(table.dealt):
        if board.parent >= 0:
            chances[number] = board.chance * chances[board.parent]
            copies[number] = (1 + len(board.images)) * copies[board.parent]
    for node in {**locks, **aims}:
        place = int(np.flatnonzero(betting.node == node)[0])
        player = int(program.player[place])
        street = int(np.searchsorted(program.nodes, place, "right")) - 1
        for number, board in enumerate(table.dealt):
            if board.street != street:
                continue
            held, actions = table.held(number)[player], int(program.count[place])
            row = np.full((actions, boards.width[player, number]), np.nan, dtype)
            state = np.zeros(AIMS * actions + LOCK_STATE, dtype)
            wanted = state[:actions]
            state[AIMS * actions] = chances[number] * game.weights[player][held].sum()
            wanted[:] = aims[node](board.cards) if node in aims else np.nan
            if node in locks:
                row[:, : len(held)] = locks[node](board.cards)[:, held]
            any_aim = not np.isnan(wanted).all()
            if any_aim or not np.isnan(row).all():
                starts[boards.decisions[player, number] + program.decision[place]] = size
                if any_aim:
                    aimed.append((size + row.size, actions, node, int(copies[number])))
                rows += [row.ravel(), state]
                size += row.size + state.size
    found = np.concatenate([*rows, np.zeros(int(not rows), dtype)])
    return LockTable(starts, found, np.array(aimed, np.int64).reshape(-1, 4))


def missed_frequency(aims: Int64Array, locks: NDArray[Any]) -> float:
    """By how much frequencies at a node are missed, the worst of them, as `locks` last measured it.

    It is the mean over the node's boards, by how often the player comes to them. Where less than
    _MEASURE of his range comes to the node, what is missed counts as a share of that much.
    """
    sums: dict[int, NDArray[Any]] = {}
    for start, actions, node, copies in aims.tolist():
        end = start + AIMS * actions
        wanted, _, found = locks[start:end].reshape(AIMS, actions)[:3].astype(np.float64)
        whole, come = (copies * locks[end : end + 2].astype(np.float64)).tolist()
        worst = float(np.nan_to_num(np.abs(wanted - found)).max())
        sums[node] = sums.get(node, np.zeros(3)) + np.array([worst * come, come, whole])
    parts = (off / max(come, _MEASURE * whole) for off, come, whole in sums.values() if whole > 0)
    return max(map(float, parts), default=0.0)
