"""Where boards and hands stand among those that are solved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.preflop.exact.boards import BoardTable
from equilibrist.poker.preflop.exact.rows import HandRows, rows_of_hands
from equilibrist.typing import FloatArray, Int16Array


class BoardPlace(NamedTuple):
    """A board that was solved, and how the suits are renamed to get there."""

    board: int
    permutation: int
    """An index of SUIT_PERMUTATIONS."""


class BoardLookup:
    """Finds the boards of a table."""

    def __init__(self, table: BoardTable, rows: HandRows) -> None:
        self._table, self._rows = table, rows
        self._at: dict[tuple[int, tuple[int, ...]], int] = {}
        for k, cards in enumerate(table.cards):
            parent = int(table.parent[k])
            before = len(table.cards[parent]) if parent >= 0 else 0
            self._at[parent, tuple(sorted(cards[before:]))] = k

    def find(self, dealt: Sequence[Sequence[int]]) -> BoardPlace:
        """Find a board.

        Args:
            dealt: The cards of each street from the flop on.

        Returns:
            Where it is.

        Raises:
            ConfigError: The board was not drawn, where only some were.
        """
        place = BoardPlace(0, 0)
        for cards in dealt:
            now = CARD_IMAGES[place.permutation][list(cards)].tolist()
            following = self.after(place.board, now)
            if following is None:
                board = card_names([card for street_cards in dealt for card in street_cards])
                raise ConfigError(
                    f"the board {board} is not among those that were solved",
                    option="board",
                    given=board,
                    remedy="solve all boards",
                )
            place = BoardPlace(following.board, _after(place.permutation, following.permutation))
        return place

    def after(self, board: int, cards: Sequence[int]) -> BoardPlace | None:
        """Find what cards make of a board.

        Args:
            board: The number of the board.
            cards: The cards, as its suits are named.

        Returns:
            The board, and how the suits are renamed; None where it was not solved.
        """
        for k in self._table.groups[board]:
            image = tuple(sorted(CARD_IMAGES[k][list(cards)].tolist()))
            number = self._at.get((board, image))
            if number is not None:
                return BoardPlace(number, k)
        return None

    def rows(self, place: BoardPlace) -> Int16Array:
        """int16[1326]: the row of each hand on the board that was looked for; -1 if blocked."""
        own = rows_of_hands(self._table, self._rows, place.board)
        row_of_hand: Int16Array = own[COMBO_IMAGES[place.permutation]]
        return row_of_hand

    def by_hand(self, numbers: FloatArray, place: BoardPlace) -> FloatArray:
        """From numbers by rows of a board to those by hands.

        Args:
            numbers: float64[..., R].
            place: The board that was looked for.

        Returns:
            float64[..., 1326]; 0 for hands that the board blocks.
        """
        at = self.rows(place).astype(np.int64)
        by_hand: FloatArray = np.where(at >= 0, numbers[..., at], 0.0)
        return by_hand


def _after(first: int, then: int) -> int:
    """The permutation that renames suits twice."""
    images = CARD_IMAGES[then][CARD_IMAGES[first]]
    return int(np.flatnonzero((images == CARD_IMAGES).all(axis=1))[0])
