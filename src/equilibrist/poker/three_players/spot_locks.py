"""The locks of a spot of three in a run: those of all seats on both streets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.kernels import TILE, filled_up
from equilibrist.poker.three_players.lock_rows import (
    SeatLocks,
    StreetBoards,
    free_seat,
    lock_seat,
)
from equilibrist.poker.three_players.profile import HandsAndGames


class SpotLocks(NamedTuple):
    """The locks of a spot in a run, whose incentives the run changes."""

    first: tuple[SeatLocks, ...]
    """Of each seat on the street of the spot."""
    later: tuple[SeatLocks, ...]
    """Of each seat on the street after it."""

    @classmethod
    def of(cls, laid_out: HandsAndGames) -> SpotLocks:
        """Lay them out.

        Args:
            laid_out: The spot, with its locks.

        Returns:
            The locks of each seat, perhaps none.
        """
        spot, first, later = laid_out.spot, [], []
        for seat, (game, held) in enumerate(zip(laid_out.games, laid_out.hands, strict=True)):
            width = filled_up(len(held), TILE)
            boards = StreetBoards([()], [held], [laid_out.weights[seat]], width, [1], is_first=True)
            first.append(lock_seat(spot.locked_nodes, spot.betting, seat, game, boards))
        for seat, game in enumerate(laid_out.later[0] if laid_out.later else ()):
            runouts = laid_out.runouts
            if not spot.locks:
                later.append(free_seat(runouts.count))
                continue
            hands = [of_board[seat] for of_board in runouts.hands]
            boards = StreetBoards(
                runouts=[board[len(spot.cards) :] for board in runouts.boards],
                hands=hands,
                weights=[spot.ranges[seat].weights[held] for held in hands],
                width=runouts.widths[seat],
                copies=np.bincount(runouts.image, minlength=runouts.count).tolist(),
                is_first=False,
            )
            later.append(lock_seat(spot.locked_nodes, spot.betting, seat, game, boards))
        return cls(tuple(first), tuple(later))

    @classmethod
    def free(cls, laid_out: HandsAndGames) -> SpotLocks:
        """No locks, in the shape of a spot.

        Args:
            laid_out: The spot.

        Returns:
            Locks that fix nothing.
        """
        seats = range(len(laid_out.games))
        later = [free_seat(laid_out.runouts.count) for _ in seats] if laid_out.later else []
        return cls(tuple(free_seat() for _ in seats), tuple(later))

    @property
    def are_any(self) -> bool:
        """Whether anything is locked."""
        return any(seat.rows for seat in (*self.first, *self.later))

    @property
    def has_frequency_locks(self) -> bool:
        """Whether a frequency is locked."""
        return any(seat.has_frequency_locks for seat in (*self.first, *self.later))

    @property
    def frequency_error(self) -> float | None:
        """By how much a frequency misses its target, as last measured; None without targets."""
        if not self.has_frequency_locks:
            return None
        return max(seat.frequency_error() for seat in (*self.first, *self.later))


def locked_bytes(laid_out: HandsAndGames) -> int:
    """The bytes that locks take: in the kernels' arrays, and as they are held.

    Args:
        laid_out: The spot.

    Returns:
        The bytes.
    """
    needed = 0
    for node in laid_out.spot.locked_nodes:
        is_later = len(node.line) > 1
        width = (
            laid_out.runouts.widths[node.player] if is_later else len(laid_out.hands[node.player])
        )
        needed += len(node.actions) * width * (laid_out.runouts.count if is_later else 1)
    return 2 * 8 * needed
