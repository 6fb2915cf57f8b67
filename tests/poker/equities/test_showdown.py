"""A showdown in NumPy has the bits of the kernel for many boards."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.equities.runouts import on_all_boards
from equilibrist.poker.equities.showdown import on_full_board

IDENTITY = np.arange(4, dtype=np.uint64)[None]


def some_hands(count: int, rng: np.random.Generator) -> Hands:
    """Hands of random weights, of which each player lacks some."""
    held = np.sort(rng.permutation(NUM_COMBOS)[:count])
    first, second = (cards[held].astype(np.uintp) for cards in (FIRST_CARD, SECOND_CARD))
    weight = rng.random((2, count)) * (rng.random((2, count)) < 0.8)
    won, met = np.zeros((2, 2, count))
    return Hands(first, second, weight, won, met)


@pytest.mark.parametrize("count", [1, 2, 17, 40, 41, 300, NUM_COMBOS])
def test_one_board_has_the_bits_of_the_kernel(count: int) -> None:
    rng = np.random.default_rng(count)
    boards = [rng.permutation(52)[:5] for _ in range(8)]
    boards += [np.arange(5) + 13, np.array([51, 47, 43, 39, 35])]  # many ties; all play the board
    for cards in boards:
        board = tuple(cards.tolist())
        hands = some_hands(count, rng)
        wanted = hands._replace(won=np.zeros_like(hands.won), met=np.zeros_like(hands.met))
        sums = on_all_boards(wanted, board, [], IDENTITY, 1)
        assert on_full_board(hands, board) == sums
        assert np.array_equal(hands.won, wanted.won)
        assert np.array_equal(hands.met, wanted.met)
