"""What boards are drawn: all of a deck, each once, with every flop once in a cycle."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from equilibrist.poker.blueprint.training.boards import BoardSequence, board_rows

QUEEN = 10


def keys(boards):
    flops = np.sort(boards[:, :3], axis=1).astype(np.int64) @ [1, 64, 4096]
    return flops, flops + (boards[:, 3:].astype(np.int64) @ [1 << 18, 1 << 24])


def test_all_boards_of_a_deck_once_each():
    sequence = BoardSequence(QUEEN, 7)
    assert sequence.count == comb(12, 3) * 9 * 8
    boards = sequence.boards(0, sequence.count)
    assert boards.min() == 40
    assert boards.max() == 51
    assert all(len(set(board)) == 5 for board in boards.tolist())
    assert len(np.unique(keys(boards)[1])) == sequence.count


def test_every_flop_once_in_a_cycle():
    sequence = BoardSequence(QUEEN, 8)
    for cycle in (0, 1, 71, 72):
        flops, _ = keys(sequence.boards(cycle * sequence.cycle, sequence.cycle))
        assert len(np.unique(flops)) == sequence.cycle


def test_boards_depend_on_their_number_and_the_seed_alone():
    sequence, other = BoardSequence(0, 3), BoardSequence(0, 4)
    whole = sequence.boards(22_000, 300)  # across the end of a cycle
    np.testing.assert_array_equal(BoardSequence(0, 3).boards(22_050, 100), whole[50:150])
    assert (other.boards(22_000, 300) != whole).any()
    assert sequence.count == 22_100 * 49 * 48


def test_turn_and_river_cards_are_all_as_frequent():
    boards = BoardSequence(0, 0).boards(0, 4 * 22_100)
    for column in (3, 4):
        counts = np.bincount(boards[:, column], minlength=52)
        assert counts == pytest.approx(np.full(52, len(boards) / 52), rel=0.12)


def test_rows_are_those_of_the_card_buckets(cards):
    boards = BoardSequence(cards.lowest_rank, 1).boards(0, 20)
    found = board_rows(cards, boards, 4)
    for board, rows in zip(boards.tolist(), found.rows, strict=True):
        for street, size in enumerate((0, 3, 4, 5)):
            np.testing.assert_array_equal(rows[street], cards.row(board[:size]))
