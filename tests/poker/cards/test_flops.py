"""The different flops: Burnside's count, orbits found by renaming suits, shares of a subset."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest

from equilibrist.errors import CardSyntaxError, ConfigError
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.flops import Flop, canonical_flop, flop_subset, flops
from tests.refusals import refuses, unchecked

ALL = [frozenset(cards) for cards in combinations(range(52), 3)]


def images(cards: frozenset[int]) -> set[frozenset[int]]:
    return {
        frozenset(card // 4 * 4 + suits[card % 4] for card in cards)
        for suits in permutations(range(4))
    }


def test_as_many_as_burnside_counts() -> None:
    """The mean over the permutations of the flops that each leaves as it is."""
    fixed = sum(
        frozenset(card // 4 * 4 + suits[card % 4] for card in cards) == cards
        for suits in permutations(range(4))
        for cards in ALL
    )
    assert len(flops()) == fixed / 24 == 1755


def test_each_stands_for_its_images() -> None:
    standing = Counter[frozenset[int]]()
    for flop in flops():
        stands_for = images(frozenset(flop.cards))
        assert len(stands_for) == flop.weight
        standing.update(stands_for)
    assert sorted(map(sorted, standing)) == sorted(map(sorted, ALL))
    assert set(standing.values()) == {1}
    assert sum(flop.weight for flop in flops()) == 22_100 == comb(52, 3)


def test_weights_by_texture() -> None:
    """Counted by hand: 13 ranks, 13 * 12 of a pair and another, C(13, 3) = 286 of three."""
    found = Counter((flop.ranks, flop.suits, flop.weight) for flop in flops())
    assert found == {
        ("trips", "rainbow", 4): 13,
        ("paired", "rainbow", 12): 156,
        ("paired", "two-tone", 12): 156,
        ("unpaired", "monotone", 4): 286,
        ("unpaired", "two-tone", 12): 3 * 286,
        ("unpaired", "rainbow", 24): 286,
    }


@pytest.mark.parametrize(
    ("deck", "size", "distinct"),
    [("short", 36, 573), ("6", 36, 573), ("T", 20, 95), ("Q", 12, 20)],
)
def test_flops_of_smaller_decks(deck: str, size: int, distinct: int) -> None:
    """Every flop of the deck is an image of one of the list, with as many images as its weight."""
    every = [*combinations(range(52 - size, 52), 3)]
    orbits = {frozenset(images(frozenset(cards))) for cards in every}
    found = flops(deck)
    assert len(orbits) == len(found) == distinct
    assert {frozenset(images(frozenset(flop.cards))): flop.weight for flop in found} == {
        orbit: len(orbit) for orbit in orbits
    }
    assert sum(flop.weight for flop in found) == len(every)


def test_a_subset_of_36_cards_keeps_the_textures() -> None:
    chosen = flop_subset(49, "short")
    assert len(chosen) == 49
    assert sum(flop.weight for flop in chosen) == pytest.approx(7140)
    assert {*chosen} == {
        Flop(flop.cards, 7140 / 49)
        for flop in flops("short")
        if flop.cards in {each.cards for each in chosen}
    }
    for texture in ("monotone", "two-tone", "rainbow"):
        share = sum(flop.weight for flop in flops("short") if flop.suits == texture) / 7140
        assert abs(sum(flop.suits == texture for flop in chosen) - 49 * share) < 1
    with refuses(ConfigError, option="size", given=298):
        flop_subset(298, "short")


def test_order_and_names() -> None:
    names = [flop.name for flop in flops()]
    assert names[:4] == ["AsAhAd", "AsAhKs", "AsAhKd", "AsAhQs"]
    assert names[-1] == "2s2h2d"
    begin = names.index("AsKsQs")
    assert names[begin : begin + 6] == ["AsKsQs", "AsKsQh", "AsKhQs", "AsKhQh", "AsKhQd", "AsKsJs"]
    for flop in flops():
        assert list(flop.cards) == sorted(flop.cards, reverse=True)
        assert parse_cards(flop.name) == flop.cards


def test_which_flop_stands_for_a_board() -> None:
    assert canonical_flop("2h Jh Qs") == Flop(parse_cards("QsJh2h"), 12)
    assert canonical_flop("7d2cAh").name == "As7h2d"
    for flop in flops()[::97]:
        for image in images(frozenset(flop.cards)):
            text = "".join("23456789TJQKA"[card // 4] + "cdhs"[card % 4] for card in image)
            assert canonical_flop(text) == flop
    with refuses(ConfigError, option="flop", given="QsJh2h3c"):
        canonical_flop("QsJh2h3c")
    with pytest.raises(CardSyntaxError):
        canonical_flop("QsQs2h")


@pytest.mark.parametrize("size", [1, 7, 49, 184, 919, 920])
def test_textures_have_their_shares_of_a_subset(size: int) -> None:
    chosen = flop_subset(size)
    assert len({flop.cards for flop in chosen}) == len(chosen) == size
    assert {flop.weight for flop in chosen} == {22_100 / size}
    for texture in {(flop.suits, flop.ranks) for flop in flops()}:
        weight = sum(f.weight for f in flops() if (f.suits, f.ranks) == texture)
        taken = sum((f.suits, f.ranks) == texture for f in chosen)
        assert abs(taken - size * weight / 22_100) < 1
        high = sum(
            f.weight for f in flops() if (f.suits, f.ranks, f.cards[0] >> 2) == (*texture, 12)
        )
        aces = sum((f.suits, f.ranks, f.cards[0] >> 2) == (*texture, 12) for f in chosen)
        assert abs(aces - size * high / 22_100) < 1
    places = [[flop.cards for flop in flops()].index(flop.cards) for flop in chosen]
    assert places == sorted(places)


@pytest.mark.parametrize("size", [0, 921, 2.0, "49"])
def test_sizes_of_subsets(size: object) -> None:
    with refuses(ConfigError, option="size", given=size):
        flop_subset(unchecked(size))
