"""Leaf values without any further betting: the pot goes to the better hand at the end.

The lowest rung of the ladder: what a net must beat, since it knows nothing of later streets.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.equities.runouts import pair_shares
from equilibrist.poker.postflop.engine.leaves import Leaves
from equilibrist.typing import FloatArray, Int32Array

_BOARDS: Final = 64
"""Boards whose matrices are kept: those of a flop."""


class CheckDown:
    """Leaves are worth the shares of the pot that hands win if both players check to the end.

    Attributes:
        name: `check-down`.
        identity: Empty.
        num_cards: The cards on the boards of leaves.
    """

    name = "check-down"
    identity = ""

    def __init__(self, num_cards: int = 4) -> None:
        """Value the leaves of one street.

        Args:
            num_cards: 4 for turns, 5 for rivers.
        """
        self.num_cards = num_cards
        self._shares = lru_cache(_BOARDS)(_excess)

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        """Value a batch of leaves, as `HoldemLeafValues.values`.

        Args:
            leaves: The leaves.
            ranges: float64[L, 2, 1326].

        Returns:
            float64[L, 2, 1326]; 0 for hands that are not held.
        """
        values = np.zeros(ranges.shape)
        boards, which = np.unique(leaves.boards, axis=0, return_inverse=True)
        which = which.reshape(-1)
        held = (leaves.held[0].tobytes(), leaves.held[1].tobytes())
        for number, board in enumerate(boards.tolist()):
            rows = np.flatnonzero(which == number)
            oop, ip, excess = self._shares(tuple(board), *held)
            values[rows[:, None], 0, oop] = ranges[rows, 1][:, ip] @ excess.T
            values[rows[:, None], 1, ip] = -(ranges[rows, 0][:, oop] @ excess)
        return values

    def kept_bytes(self, boards: NDArray[np.int8], held: tuple[Int32Array, Int32Array], /) -> int:
        """Count the matrices of boards, as `KeepsBoards.kept_bytes` says.

        Args:
            boards: int8[B, cards], each once.
            held: The combos of both players.

        Returns:
            Bytes.
        """
        counts = []
        for board in boards.tolist():
            free = without_cards(card_mask(board))
            oop, ip = (int(np.count_nonzero(free[combos])) for combos in held)
            counts.append(8 * oop * ip + 4 * (oop + ip))
        return sum(sorted(counts, reverse=True)[:_BOARDS])


def _excess(
    board: tuple[int, ...], oop: bytes, ip: bytes
) -> tuple[Int32Array, Int32Array, FloatArray]:
    """The unblocked combos of both players, and OOP's shares of the pot beyond one half."""
    free = without_cards(card_mask(board))
    combos = [np.frombuffer(held, np.int32) for held in (oop, ip)]
    own, theirs = (held[free[held]] for held in combos)
    won, lost = pair_shares(board, own, theirs)
    return own, theirs, (won - lost) / 2
