"""The equity of each hand against each hand of the other player.

One table serves all nodes on a board: the equities at a node are its product with the weights.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.typing import FloatArray, Int32Array

_BLOCKED = np.uint16(2**16 - 1)
"""Above every strength, so that no hand beats a hand that is blocked by the board."""


def pair_shares(
    board: tuple[int, ...], oop: Int32Array, ip: Int32Array
) -> tuple[FloatArray, FloatArray]:
    """The equities of each combo of OOP and each combo of IP against each other.

    Two arrays, of OOP and of IP, so that sums of small shares keep all their digits.

    Args:
        board: Three to five cards, which block none of the combos.
        oop: Combos.
        ip: Combos.

    Returns:
        float64[len(oop), len(ip)] each: the shares, 0 where the two combos share a card.
    """
    halves = np.zeros((len(oop), len(ip)), np.uint16)
    free = [card for card in range(NUM_CARDS) if card not in board]
    to_come = 5 - len(board)
    for cards in combinations(free, to_come):
        strength = combo_strengths((*board, *cards))
        own, theirs = strength[oop][:, None], strength[ip]
        theirs[theirs == 0] = _BLOCKED
        halves += own > theirs
        halves += own >= theirs
    meet = (COMBO_MASKS[oop][:, None] & COMBO_MASKS[ip]) == 0
    shares: FloatArray = halves / (2 * comb(len(free) - 4, to_come))
    return np.where(meet, shares, 0.0), np.where(meet, 1.0 - shares, 0.0)
