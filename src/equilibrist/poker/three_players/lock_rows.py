"""Locks of a spot of three as the kernels read them, and strategies held to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import FREQUENCY_FIELDS, LOCK_STATE
from equilibrist.kernels.poker.locks import WHOLE
from equilibrist.kernels.poker.postflop_arrays import Locks
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.hands.betting_tree import BettingTree
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.engine.lock_layout import frequency_error
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode
from equilibrist.poker.three_players.game import SeatGame
from equilibrist.typing import FloatArray, Int32Array, Int64Array

_NO_WEIGHT: Final = 1e-30
"""Weights of actions that sum to less are those of a hand that never comes."""
_OF_BOARDS: Final = 3
"""Dimensions of rows of several boards."""
_SOME_WEIGHT: Final = 1e-20
"""What they sum to where a lock says what such a hand would play."""


class LockedRows(NamedTuple):
    """A locked decision of a seat: A actions, on B boards of W hands.

    On the street of the spot there is one board.
    """

    node: int
    """The node of the betting tree."""
    decision: int
    """The number of the decision in the game of the seat on its street."""
    first: int
    """The row of its first action there."""
    fixed: FloatArray
    """float64[B, A, W]: the probabilities, NaN where free."""
    targets: FloatArray
    """float64[B, A]: the frequencies of the range, NaN where free."""


class SeatLocks(NamedTuple):
    """The locks of a seat on a street."""

    rows: tuple[LockedRows, ...]
    arrays: Locks
    """As the kernels read them; their numbers in float64."""
    targeted: Int64Array
    """int64[K, 4]: see `engine.lock_layout.LockTable.target_frequencies`."""

    @property
    def has_frequency_locks(self) -> bool:
        """Whether a frequency is locked."""
        return len(self.targeted) > 0

    def hold(self, weights: NDArray[Any]) -> None:
        """Change weights, so that strategies in proportion to them are as they are locked.

        Args:
            weights: float[B, R, W], or float[R, W] on the street of the spot.
        """
        boards = weights if weights.ndim == _OF_BOARDS else weights[None]
        for rows in self.rows:
            actions = slice(rows.first, rows.first + rows.fixed.shape[1])
            played = boards[:, actions].astype(np.float64)
            total = played.sum(axis=1, keepdims=True)
            total = np.where(total > _NO_WEIGHT, total, _SOME_WEIGHT)
            is_free = np.isnan(rows.fixed)
            left = 1.0 - np.nan_to_num(rows.fixed).sum(axis=1, keepdims=True)
            among = np.where(is_free, played, 0.0).sum(axis=1, keepdims=True)
            alike = is_free / np.maximum(is_free.sum(axis=1, keepdims=True), 1)
            is_learned = among > _NO_WEIGHT
            share = np.where(is_learned, played / np.where(is_learned, among, 1.0), alike)
            is_locked = ~is_free.all(axis=1, keepdims=True)
            held = total * np.where(is_free, left * share, rows.fixed)
            boards[:, actions] = np.where(is_locked, held, played)

    def frequency_error(self) -> float:
        """By how much the measured frequencies miss their targets, as a share of the range."""
        return frequency_error(self.targeted, self.arrays.numbers)


def free_seat(boards: int | None = None) -> SeatLocks:
    """No locks, of one board or of several.

    Args:
        boards: How many boards the street has; None for the street of the spot.

    Returns:
        As the kernels read it.
    """
    start = np.empty(0 if boards is None else (boards, 0), np.int64)
    return SeatLocks((), Locks(start, np.empty(0)), np.empty((0, 4), np.int64))


class StreetBoards(NamedTuple):
    """The boards of a street as a seat sees them."""

    runouts: Sequence[tuple[int, ...]]
    """The cards dealt on the way to each, from the spot on."""
    hands: Sequence[Int32Array]
    """int32[n] of each: the combos of the seat."""
    weights: Sequence[FloatArray]
    """float64[n] of each: how often the range holds them."""
    width: int
    """The length of rows."""
    copies: Sequence[int]
    """How many boards each one stands for."""
    is_first: bool
    """Whether it is the one board of the spot."""


def lock_seat(
    nodes: Iterable[LockedNode],
    betting: BettingTree,
    seat: int,
    game: SeatGame,
    boards: StreetBoards,
) -> SeatLocks:
    """Lay out the locks of a seat on a street.

    Args:
        nodes: The locked nodes of the spot.
        betting: Its betting.
        seat: The seat.
        game: Its game on the street.
        boards: The boards of the street.

    Returns:
        The locks; none where no decision of the game is locked.
    """
    place = {int(node): number for number, node in enumerate(game.node)}
    count = len(boards.runouts)
    start = np.full((count, game.num_decisions), -1, np.int64)
    locked, numbers, targeted, size = list[LockedRows](), list[FloatArray](), [], 0
    for node in nodes:
        number = node_at(betting, line_text(node.line))
        if node.player != seat or number not in place:
            continue
        decision, actions = place[number], len(node.actions)
        fixed = np.full((count, actions, boards.width), np.nan)
        targets = np.full((count, actions), np.nan)
        for b, (runout, held) in enumerate(zip(boards.runouts, boards.hands, strict=True)):
            fixed[b, :, : len(held)] = node.fixed(runout)[:, held]
            targets[b] = node.target_frequencies(runout)
            if np.isnan(fixed[b]).all() and np.isnan(targets[b]).all():
                continue
            state = np.zeros(FREQUENCY_FIELDS * actions + LOCK_STATE)
            state[:actions] = targets[b]
            state[FREQUENCY_FIELDS * actions + int(WHOLE)] = boards.weights[b].sum()
            start[b, decision] = size
            if not np.isnan(targets[b]).all():
                at = size + fixed[b].size
                targeted.append((at, actions, number, boards.copies[b]))
            numbers += [fixed[b].ravel(), state]
            size += fixed[b].size + state.size
        locked.append(LockedRows(number, decision, int(game.first[decision]), fixed, targets))
    if not numbers:
        return free_seat(None if boards.is_first else count)
    begins = start[0] if boards.is_first else start
    arrays = Locks(np.ascontiguousarray(begins), np.concatenate(numbers))
    return SeatLocks(tuple(locked), arrays, np.array(targeted, np.int64).reshape(-1, 4))
