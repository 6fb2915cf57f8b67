"""Numbers of deals up to suits: published counts, and enumeration of small decks."""

from __future__ import annotations

from itertools import combinations

import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.deal_counts import count_deals
from equilibrist.poker.cards.isomorphism import CARD_IMAGES
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("lowest_rank", "sizes", "count"),
    [
        (0, (2,), 169),
        (0, (2, 3), 1_286_792),
        (0, (2, 3, 1), 55_190_538),
        (0, (2, 3, 1, 1), 2_428_287_420),
        (0, (2, 4), 13_960_050),
        (0, (2, 5), 123_156_254),
        (0, (3,), 1755),
        (0, (4,), 16_432),
        (0, (5,), 134_459),
        (0, (3, 1), 63_193),
        (0, (3, 1, 1), 2_554_656),
        (0, (2, 1), 5083),
        (0, (2, 1, 1), 185_185),
        (0, (2, 1, 1, 1), 7_560_540),
        (8, (2,), 25),
        (8, (2, 3), 7760),
        (8, (2, 3, 1), 104_750),
        (8, (2, 3, 1, 1), 1_398_100),
        (8, (3,), 95),
        (8, (4,), 330),
        (8, (5,), 901),
        (4, (2,), 81),
        (4, (2, 3), 186_696),
        (4, (2, 4), 1_340_856),
        (4, (2, 5), 7_723_728),
    ],
)
def test_published_counts(lowest_rank, sizes, count):
    assert count_deals(sizes, lowest_rank) == count


@pytest.mark.parametrize("sizes", [(2, 3), (2, 2), (1, 1, 2)])
def test_counts_are_those_of_enumeration(sizes):
    deck = range(40, 52)  # queens, kings and aces
    seen, orbits = set(), 0

    def deals(left, sizes):
        if not sizes:
            yield ()
            return
        for cards in combinations(left, sizes[0]):
            for rest in deals([card for card in left if card not in cards], sizes[1:]):
                yield (frozenset(cards), *rest)

    for deal in deals(deck, sizes):
        if deal not in seen:
            orbits += 1
            for image in CARD_IMAGES:
                seen.add(tuple(frozenset(int(image[card]) for card in part) for part in deal))
    assert count_deals(sizes, 10) == orbits


@pytest.mark.parametrize(("sizes", "lowest_rank"), [((-1,), 0), ((2, 53), 0), ((2,), 12)])
def test_bad_arguments_are_refused(sizes, lowest_rank):
    with refuses(ConfigError):
        count_deals(sizes, lowest_rank)
