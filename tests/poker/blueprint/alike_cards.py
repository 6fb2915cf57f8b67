"""Card buckets that cost nothing to build: two buckets a street, the same on all boards."""

from __future__ import annotations

import numpy as np

from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD

SIZES = (0, 3, 4, 5)


class AlikeCards:
    """Two buckets a street, by the rank of a hand's lower card; the same on every board."""

    counts = (2, 2, 2, 2)
    hash = "alike"
    path = "alike.safetensors"

    def __init__(self, lowest_rank):
        self.lowest_rank = lowest_rank
        self._row = (FIRST_CARD >= 44).astype(np.uint16)

    def rows(self, street):
        size = SIZES[street]
        boards = len(canonical_boards(size, self.lowest_rank).cards) if size else 1
        return np.broadcast_to(self._row, (boards, NUM_COMBOS))

    def row(self, board):
        found = self._row.copy()
        held = np.zeros(52, bool)
        held[list(board)] = True
        found[held[FIRST_CARD] | held[SECOND_CARD] | (4 * self.lowest_rank > FIRST_CARD)] = 65535
        return found
