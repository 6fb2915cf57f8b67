"""Canonical boards: published counts, and that every board maps to the set it is an image of."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.canonical_boards import (
    board_places,
    canonical_boards,
    number_of_boards,
)
from equilibrist.poker.cards.flops import flops
from equilibrist.poker.cards.isomorphism import CARD_IMAGES

TEN = 8


@pytest.mark.parametrize(
    ("size", "lowest_rank", "count"),
    [(3, 0, 1755), (4, 0, 16_432), (5, 0, 134_459), (3, TEN, 95), (4, TEN, 330), (5, TEN, 901)],
)
def test_there_are_as_many_as_published_and_they_stand_for_all_boards(size, lowest_rank, count):
    boards = canonical_boards(size, lowest_rank)
    assert len(boards.cards) == count
    assert boards.copies.sum() == number_of_boards(size, lowest_rank)
    assert boards.cards.min() >= 4 * lowest_rank


def test_multiplicities_of_five_cards():
    copies = canonical_boards(5).copies
    assert dict(zip(*np.unique(copies, return_counts=True), strict=True)) == {
        4: 2301,
        12: 48_503,
        24: 83_655,
    }


def test_boards_of_three_cards_are_the_canonical_flops():
    boards = canonical_boards(3)
    written = {
        tuple(cards): copies
        for cards, copies in zip(boards.cards.tolist(), boards.copies.tolist(), strict=True)
    }
    assert written == {flop.cards: flop.weight for flop in flops()}


@pytest.mark.parametrize(("size", "lowest_rank"), [(1, 0), (2, 0), (3, 0), (4, TEN), (5, TEN)])
def test_every_board_maps_to_its_image(size, lowest_rank):
    cards = np.array(list(combinations(range(4 * lowest_rank, 52), size)))
    places = board_places(cards[:, ::-1], lowest_rank)
    boards = canonical_boards(size, lowest_rank)
    images = np.sort(CARD_IMAGES[places.permutation[:, None], cards], axis=1)[:, ::-1]
    np.testing.assert_array_equal(images, boards.cards[places.board])
    np.testing.assert_array_equal(np.bincount(places.board), boards.copies)


def test_sizes_that_are_no_board_are_refused():
    for wrong in ({"size": 0}, {"size": 6}, {"size": 3, "lowest_rank": 12}):
        with pytest.raises(ConfigError) as caught:
            canonical_boards(**wrong)
        assert caught.value.option in wrong
