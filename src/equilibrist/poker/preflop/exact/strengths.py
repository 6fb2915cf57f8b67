"""Strengths of hands of two to seven cards.

Hands of five to seven cards are ranked as in poker. Those of two to four are ranked by equal cards
alone: four of a kind, three of a kind, two pairs, a pair, high card; then by their ranks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.typing import Int32Array


def strengths_on(board: Sequence[int]) -> Int32Array:
    """The strength of each combo on a board of no to five cards.

    Args:
        board: Distinct card numbers.

    Returns:
        int32[1326], from 1; 0 for combos that the board blocks.
    """
    if len(board) >= 3:
        return combo_strengths(board).astype(np.int32)
    taken = np.zeros(NUM_CARDS, np.bool_)
    taken[list(board)] = True
    free = ~(taken[FIRST_CARD] | taken[SECOND_CARD])
    ranks = np.stack(
        [FIRST_CARD >> 2, SECOND_CARD >> 2, *(np.full(NUM_COMBOS, card >> 2) for card in board)]
    )
    count = (ranks[:, None, :] == ranks[None, :, :]).sum(axis=1)
    # Cards that come more often count first: a pair and a kicker, three cards, two pairs.
    keys = -np.sort(-(16 * count + ranks), axis=0)
    strength = np.zeros(NUM_COMBOS, np.int64)
    for row in keys:
        strength = strength * 128 + row
    _, order = np.unique(strength, return_inverse=True)
    return np.where(free, order + 1, 0).astype(np.int32)
