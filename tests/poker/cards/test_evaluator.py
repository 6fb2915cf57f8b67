"""Strengths of hands: counts of the textbooks, a plain oracle, boards, bad input."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import card_names, parse_board, parse_cards
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD, parse_combo
from equilibrist.poker.cards.decks import CATEGORIES
from equilibrist.poker.cards.evaluator import (
    NUM_STRENGTHS,
    category,
    combo_strengths,
    hand_strength,
    hand_strengths,
)
from equilibrist.poker.cards.evaluator_tables import (
    RANK_KEYS,
    strength_tables,
    weakest_of_categories,
)
from tests.refusals import refuses

FREQUENCIES = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
"""Of all 2,598,960 hands of five cards."""


def compared_by(cards: list[int]) -> tuple[int, list[int]]:
    """What the best five of some cards are compared by, from the rules alone."""
    best: tuple[int, list[int]] = (-1, [])
    for five in combinations(cards, 5):
        ranks = Counter(card >> 2 for card in five)
        by_count = sorted(ranks, key=lambda r: (ranks[r], r), reverse=True)
        shape = sorted(ranks.values(), reverse=True)
        flush = len({card & 3 for card in five}) == 1
        top = None
        for high in range(3, 13):
            if set(ranks) == {r % 13 for r in range(high - 4 if high > 3 else 12, high + 1)} or (
                high == 3 and set(ranks) == {12, 0, 1, 2, 3}
            ):
                top = high
        kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(
            tuple(shape), 0
        )
        if flush:
            kind = 5
        if top is not None:
            kind, by_count = (8 if flush else 4), [top]
        best = max(best, (kind, by_count))
    return best


def shuffled(hands: int, size: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (hands, 1))
    return np.random.default_rng(seed).permuted(deck, axis=1)[:, :size]


@pytest.mark.slow
def test_all_hands_of_five_by_category() -> None:
    five = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    found = hand_strengths(five)
    assert len(np.unique(found)) == NUM_STRENGTHS == found.max()
    assert found.min() == 1
    kinds = np.searchsorted(weakest_of_categories(), found, side="right") - 1
    counts = np.bincount(kinds, minlength=len(CATEGORIES)).tolist()
    assert dict(zip(CATEGORIES, counts, strict=True)) == FREQUENCIES


@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_compare_as_the_rules_say(size: int) -> None:
    hands = shuffled(1500, size, size)
    found = hand_strengths(hands).tolist()
    expected = [compared_by(row) for row in hands.tolist()]
    order = {value: k for k, value in enumerate(sorted({*map(repr, expected)}))}
    assert len(order) > 300
    pairs = sorted(zip(expected, found, strict=True))
    for (low, weaker), (high, stronger) in zip(pairs, pairs[1:], strict=False):
        assert (weaker < stronger) if low < high else (weaker == stronger)
    for (kind, _), strength in zip(expected, found, strict=True):
        assert category(strength) == CATEGORIES[kind]


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AsKsQsJsTs9s8s", "straight flush"),
        ("5h4h3h2hAh6s7s", "straight flush"),
        ("AhAdAcAsKsKdKc", "four of a kind"),
        ("AhAdAcKsKdKc2c", "full house"),
        ("2c3c4c5c7c8c9c", "flush"),
        ("Ah2d3c4s5hKdKc", "straight"),
        ("QhKdAc2s3h4d9c", "high card"),
        ("7c5d4h3s2c", "high card"),
    ],
)
def test_categories(cards: str, name: str) -> None:
    assert category(hand_strength(parse_cards(cards))) == name


def test_the_ends_of_the_scale() -> None:
    assert hand_strength(parse_cards("7c5d4h3s2c")) == 1
    assert hand_strength(parse_cards("AsKsQsJsTs2c2d")) == 7462
    assert hand_strength(parse_cards("AsKsQsJs9s")) == hand_strength(parse_cards("AhKhQhJh9h"))
    assert hand_strength(parse_cards("6s5s4s3s2s")) > hand_strength(parse_cards("5s4s3s2sAs"))
    for bad in (0, 7463, -1):
        with refuses(ConfigError, option="strength", given=bad):
            category(bad)


def test_sums_of_keys_tell_all_sets_of_ranks_apart() -> None:
    for size, sets in ((5, 6175), (6, 18395), (7, 49205)):
        rows = [
            row
            for row in combinations_with_replacement(range(13), size)
            if max(Counter(row).values()) <= 4
        ]
        assert len({sum(RANK_KEYS[r] for r in row) for row in rows}) == len(rows) == sets
        assert np.count_nonzero(strength_tables(size).rank_strength) == sets


@pytest.mark.parametrize("text", ["QsJh2h", "Td9d6hQc", "2c3c4c5c7c", "AsAhAdAcKs"])
def test_a_board_gives_all_combos_their_strength(text: str) -> None:
    board = parse_board(text)
    found = combo_strengths(board)
    taken = np.isin(FIRST_CARD, board) | np.isin(SECOND_CARD, board)
    assert (found[taken] == 0).all()
    free = np.flatnonzero(~taken)
    rows = np.column_stack([np.tile(board, (len(free), 1)), FIRST_CARD[free], SECOND_CARD[free]])
    assert np.array_equal(found[free], hand_strengths(rows))
    assert len(free) == (52 - len(board)) * (51 - len(board)) // 2


def test_order_and_type_do_not_matter() -> None:
    hands = shuffled(300, 7, 1)
    usual = hand_strengths(hands)
    assert np.array_equal(hand_strengths(hands[:, ::-1].astype(np.int64)), usual)
    assert np.array_equal(hand_strengths(np.asfortranarray(hands)), usual)
    suits = np.array([2, 0, 3, 1])
    assert np.array_equal(hand_strengths(hands // 4 * 4 + suits[hands % 4]), usual)
    assert hand_strengths(np.zeros((0, 6), dtype=np.uint8)).shape == (0,)


@pytest.mark.parametrize(
    ("cards", "fields"),
    [
        ([[0, 1, 2, 3]], dict(option="cards", given="(1, 4)")),
        ([0, 1, 2, 3, 4], dict(option="cards", given="(5,)")),
        ([[0.0, 1, 2, 3, 4]], dict(option="cards", given="(1, 5)")),
        (
            [[0, 1, 2, 3, 4], [5, 6, 7, 8, 5]],
            dict(option="cards", given="[5, 6, 7, 8, 5]", place="hand 1"),
        ),
        ([[0, 1, 2, 3, 52]], dict(option="cards", given="[0, 1, 2, 3, 52]", place="hand 0")),
        ([[0, 1, 2, 3, -1]], dict(option="cards", given="[0, 1, 2, 3, -1]", place="hand 0")),
        ([[0, 1, 2, 3, 256]], dict(option="cards", given="[0, 1, 2, 3, 256]", place="hand 0")),
    ],
)
def test_what_is_no_hand_is_refused(cards: list[list[int]], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        hand_strengths(np.array(cards))


@pytest.mark.parametrize("card", [52, 63, 64, 66, 255])
def test_bytes_that_are_no_cards_are_refused(card: int) -> None:
    rows = shuffled(5, 7, 2)
    rows[3, 4] = card
    with refuses(ConfigError, option="cards", place="hand 3"):
        hand_strengths(rows)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_card_twice_is_refused_wherever_it_stands(size: int) -> None:
    for first, second in combinations(range(size), 2):
        rows = shuffled(4, size, size)
        rows[2, second] = rows[2, first]
        with refuses(ConfigError, option="cards", given=rows[2].tolist(), place="hand 2"):
            hand_strengths(rows)
    for card in range(52):  # seven of a card make no sum that looks like distinct cards
        with refuses(ConfigError, option="cards", place="hand 0"):
            hand_strengths(np.full((1, size), card, dtype=np.uint8))


def test_results_go_where_the_caller_wants_them() -> None:
    hands = shuffled(50, 7, 4)
    usual, out = hand_strengths(hands), np.zeros(100, dtype=np.uint16)
    assert hand_strengths(hands, out[:50]) is not out
    assert np.array_equal(out[:50], usual)
    hand_strengths(hands, out=out[::-2])
    assert np.array_equal(out[::-2], usual)
    hands.flags.writeable = False
    assert np.array_equal(hand_strengths(hands), usual)


def test_an_array_that_cannot_take_the_results_is_refused() -> None:
    fixed = np.zeros(3, dtype=np.uint16)
    fixed.flags.writeable = False
    wrong: tuple[Any, ...] = (
        np.zeros(4, np.uint16),
        np.zeros(3, np.int16),
        np.zeros((3, 1), np.uint16),
        fixed,
    )
    for out in wrong:
        with refuses(ConfigError, option="out", given=out):
            hand_strengths(shuffled(3, 7, 5), out)


def test_boards_of_other_lengths_are_refused() -> None:
    for board in ((), (1, 2), (1, 2, 3, 3), (1, 2, 3, 4, 5, 6)):
        with refuses(ConfigError, option="board", given=card_names(board)):
            combo_strengths(board)
    assert combo_strengths(parse_board("AsKsQs"))[parse_combo("JsTs")] == NUM_STRENGTHS
