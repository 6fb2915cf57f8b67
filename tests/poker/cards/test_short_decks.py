"""Strengths of short-deck hold'em: counts of hands, a plain oracle, PokerKit, bad input."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import card_name, card_names, parse_board, parse_cards
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.cards.decks import FULL_DECK, SHORT_DECKS, Deck, read_deck
from equilibrist.poker.cards.evaluator import (
    NUM_SHORT_STRENGTHS,
    category,
    combo_strengths,
    hand_strength,
    hand_strengths,
)
from equilibrist.poker.cards.evaluator_tables import weakest_of_categories
from tests.refusals import refuses

FREQUENCIES = {
    "straight flush": 24,
    "four of a kind": 288,
    "flush": 480,
    "full house": 1_728,
    "straight": 6_120,
    "three of a kind": 16_128,
    "two pair": 36_288,
    "pair": 193_536,
    "high card": 122_400,
}
"""All C(36, 5) = 376,992 hands, as tables of short-deck hold'em have them."""
ORDERS = {
    "short": "high card/pair/two pair/three of a kind/straight/full house/flush/four of a kind/"
    "straight flush",
    "short-trips": "high card/pair/two pair/straight/three of a kind/full house/flush/"
    "four of a kind/straight flush",
}


def plain_value(cards: tuple[int, ...], order: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """The category and the ranks of five cards, by counting them."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    counted = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    shape = [n for n, _ in counted]
    flush = len({card % 4 for card in cards}) == 1
    straight = shape == [1] * 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 7, 6, 5, 4]:  # A9876
        straight, counted = True, [(1, 7)]
    names = {(4, 1): "four of a kind", (3, 2): "full house", (3, 1, 1): "three of a kind"}
    names |= {(2, 2, 1): "two pair", (2, 1, 1, 1): "pair"}
    name = names.get(tuple(shape), "high card")
    if straight:
        name, counted = "straight flush" if flush else "straight", counted[:1]
    elif flush:
        name = "flush"
    return order.index(name), counted


@pytest.mark.parametrize("name", ORDERS)
def test_all_hands_of_five_by_category(name: str) -> None:
    hands = np.array(list(combinations(range(16, 52), 5)))
    found = hand_strengths(hands, deck=name)
    assert len(np.unique(found)) == NUM_SHORT_STRENGTHS == found.max()
    ranking = SHORT_DECKS[name].ranking
    kinds = np.searchsorted(weakest_of_categories(ranking), found, side="right") - 1
    counts = np.bincount(kinds).tolist()
    assert dict(zip(ranking.categories, counts, strict=True)) == FREQUENCIES
    assert list(ranking.categories) == ORDERS[name].split("/")


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_against_the_best_of_all_fives(name: str, size: int) -> None:
    order = ORDERS[name].split("/")
    generator = np.random.default_rng(size)
    hands = np.array([generator.permutation(36)[:size] + 16 for _ in range(300)])
    values = [max(plain_value(five, order) for five in combinations(h, 5)) for h in hands.tolist()]
    found = hand_strengths(hands, deck=name)
    for k in range(len(hands) - 1):
        assert (found[k] > found[k + 1]) == (values[k] > values[k + 1])
        assert (found[k] == found[k + 1]) == (values[k] == values[k + 1])
    by_strength = [value for _, value in sorted(zip(found.tolist(), values, strict=True))]
    assert by_strength == sorted(values)


@pytest.mark.slow
def test_hands_of_seven_are_worth_their_best_five() -> None:
    """A twentieth of the C(36, 7) = 8,347,680 hands, drawn at random."""
    order = np.random.default_rng(1).random((400_000, 36)).argsort(axis=1)
    hands = (order[:, :7] + 16).astype(np.uint8)
    found = hand_strengths(hands, deck="short")
    best = np.zeros(len(hands), np.uint16)
    for five in combinations(range(7), 5):
        np.maximum(best, hand_strengths(hands[:, five], deck="short"), out=best)
    assert np.array_equal(found, best)


def test_against_pokerkit() -> None:
    import pokerkit

    generator = np.random.default_rng(5)
    hands = [generator.permutation(36)[:7] + 16 for _ in range(200)]
    theirs = [
        pokerkit.ShortDeckHoldemHand.from_game(
            card_names(h[:2].tolist()), card_names(h[2:].tolist())
        )
        for h in hands
    ]
    ours = hand_strengths(np.array(hands), deck="short").tolist()
    for k in range(len(hands) - 1):
        assert (ours[k] > ours[k + 1]) == (theirs[k] > theirs[k + 1])
        assert (ours[k] == ours[k + 1]) == (theirs[k] == theirs[k + 1])


@pytest.mark.parametrize(
    ("better", "worse", "deck", "holds"),
    [
        ("Ah9h8h7h2h", "AhAdAcKhKd", "2", False),
        ("AhTh8h7h6h", "AhAdAcKhKd", "short", True),
        ("AhTh8h7h6h", "AhAdAcKhKd", "6", False),
        ("Ah9c8h7h6h", "AhAdKcKhQd", "short", True),  # A6789 is a straight
        ("Ah9c8h7h6h", "AhAdKcKhQd", "6", False),
        ("Th9c8h7h6h", "Ah9c8h7h6h", "short", True),  # and the lowest
        ("6h6d6c7h8d", "Ah9c8h7h6h", "short", False),
        ("6h6d6c7h8d", "AhKcQhJhTh", "short-trips", True),
        ("6h6d6c7h7d", "AhAdAcKhQd", "short-trips", True),
    ],
)
def test_what_beats_what(better: str, worse: str, deck: str, holds: bool) -> None:
    strengths = [hand_strength(parse_cards(text), deck) for text in (better, worse)]
    assert (strengths[0] > strengths[1]) is holds


def test_combos_on_a_board_are_hands_of_their_cards() -> None:
    board = parse_board("9h8h7hAdAc")
    for deck in ("6", "short", "short-trips"):
        found = combo_strengths(board, deck)
        for text in ("Th6h", "AhAs", "KhQh", "6s6d", "KsQd"):
            cards = (*parse_cards(text), *board)
            assert found[parse_combo(text)] == hand_strength(cards, deck)
        assert found[parse_combo("5h4h")] == found[parse_combo("Kh5h")] == 0


def test_categories_by_name() -> None:
    for deck, found in (("short", "flush"), ("2", "flush")):
        assert category(hand_strength(parse_cards("AhTh8h7h6h"), deck), deck) == found
    assert category(hand_strength(parse_cards("6h6d6c7h8d"), "short-trips"), "short-trips") == (
        "three of a kind"
    )


@pytest.mark.parametrize(
    ("text", "deck"),
    [
        ("2", FULL_DECK),
        (2, FULL_DECK),
        ("t", Deck("T", 8)),
        ("10", Deck("T", 8)),
        ("6", Deck("6", 4)),
        ("short", SHORT_DECKS["short"]),
        ("Six Plus", SHORT_DECKS["short"]),
        ("6+", SHORT_DECKS["short"]),
        ("short deck", SHORT_DECKS["short"]),
        (36, SHORT_DECKS["short"]),
        ("short_trips", SHORT_DECKS["short-trips"]),
    ],
)
def test_decks_by_name(text: object, deck: Deck) -> None:
    assert read_deck(text) == deck
    assert read_deck(deck) is deck


@pytest.mark.parametrize("value", ["", "long", "37", 6.5, None, True, "1", ["6"]])
def test_what_is_no_deck(value: object) -> None:
    with refuses(ConfigError, option="deck"):
        read_deck(value)


def test_cards_that_a_deck_lacks_are_refused() -> None:
    low = parse_cards("AhKhQhJh5d")
    with refuses(ConfigError, option="cards"):
        hand_strength(low, "short")
    with refuses(ConfigError, option="board"):
        combo_strengths(parse_board("AhKh5d"), "short")
    with refuses(ConfigError, option="strength"):
        category(NUM_SHORT_STRENGTHS + 1, "short")
    assert card_name(16) == "6c"
