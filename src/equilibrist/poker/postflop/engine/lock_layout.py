"""Locks as the arrays that the kernels read."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import FREQUENCY_FIELDS, LOCK_STATE
from equilibrist.kernels.poker.postflop_arrays import Locks
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram
from equilibrist.poker.postflop.engine.board_layout import BoardTable
from equilibrist.poker.postflop.engine.vector_game import VectorGame
from equilibrist.typing import Int64Array

_MEASURE: Final = 0.1
"""The smallest share of a range to which frequency errors are relative."""


class LockTable(NamedTuple):
    """The locks of decisions as arrays."""

    locks: Locks | None
    target_frequencies: Int64Array
    """int64[K, 4]: for each decision with locked frequencies their start in `locks`, the number of
    actions, the node, and the number of boards that its board represents."""


def lock_table(
    game: VectorGame, betting: BettingProgram, table: BoardTable, dtype: Any
) -> LockTable:
    """Lay out the locks of all boards."""
    locks, targets = game.locks, game.target_frequencies
    if not locks and not targets:
        return LockTable(None, np.empty((0, 4), np.int64))
    starts = np.full(table.decisions, -1, np.int64)
    rows, targeted, size = [], [], 0
    program, boards = betting.program, table.boards
    chances, copies = np.ones((2, len(table.dealt)))
    for number, board in enumerate(table.dealt):
        if board.parent >= 0:
            chances[number] = board.chance * chances[board.parent]
            copies[number] = (1 + len(board.images)) * copies[board.parent]
    for node in {**locks, **targets}:
        place = int(np.flatnonzero(betting.node == node)[0])
        player = int(program.player[place])
        street = int(np.searchsorted(program.nodes, place, "right")) - 1
        for number, board in enumerate(table.dealt):
            if board.street != street:
                continue
            held, actions = table.held(number)[player], int(program.count[place])
            row = np.full((actions, boards.width[player, number]), np.nan, dtype)
            state = np.zeros(FREQUENCY_FIELDS * actions + LOCK_STATE, dtype)
            wanted = state[:actions]
            state[FREQUENCY_FIELDS * actions] = chances[number] * game.weights[player][held].sum()
            wanted[:] = targets[node](board.cards) if node in targets else np.nan
            if node in locks:
                row[:, : len(held)] = locks[node](board.cards)[:, held]
            any_target = not np.isnan(wanted).all()
            if any_target or not np.isnan(row).all():
                starts[boards.decisions[player, number] + program.decision[place]] = size
                if any_target:
                    targeted.append((size + row.size, actions, node, int(copies[number])))
                rows += [row.ravel(), state]
                size += row.size + state.size
    numbers = np.concatenate([*rows, np.zeros(int(not rows), dtype)])
    return LockTable(Locks(starts, numbers), np.array(targeted, np.int64).reshape(-1, 4))


def frequency_error(targets: Int64Array, locks: NDArray[Any]) -> float:
    """The largest error of a locked frequency of a node, as last measured in `locks`.

    The error of a node is the mean over its boards, weighted by the player's reach. If less than
    _MEASURE of the range reaches the node, the error is relative to that share.
    """
    sums: dict[int, NDArray[Any]] = {}
    for start, actions, node, copies in targets.tolist():
        end = start + FREQUENCY_FIELDS * actions
        wanted, _, measured = (
            locks[start:end].reshape(FREQUENCY_FIELDS, actions)[:3].astype(np.float64)
        )
        whole, come = (copies * locks[end : end + 2].astype(np.float64)).tolist()
        worst = float(np.nan_to_num(np.abs(wanted - measured)).max())
        sums[node] = sums.get(node, np.zeros(3)) + np.array([worst * come, come, whole])
    parts = (off / max(come, _MEASURE * whole) for off, come, whole in sums.values() if whole > 0)
    return max(map(float, parts), default=0.0)
