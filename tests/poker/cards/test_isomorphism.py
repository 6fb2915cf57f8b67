"""Suit isomorphism: against brute force, and against the published numbers of boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.poker.cards.cards import parse_board, parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, parse_combo
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.isomorphism import (
    CARD_IMAGES,
    COMBO_IMAGES,
    SUIT_PERMUTATIONS,
    deals_by_street,
    fixing,
    next_deals,
    representative,
    symmetries,
)
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray
from tests.slow_cases import examples

FULL = Range.full().weights


def image(card: int, suits: tuple[int, ...]) -> int:
    return card // 4 * 4 + suits[card % 4]


def brute_group(board: tuple[int, ...], ranges: list[FloatArray]) -> list[tuple[int, ...]]:
    """The permutations of the suits that change nothing, hand by hand."""
    kept = []
    for suits in permutations(range(4)):
        if {image(card, suits) for card in board} != set(board):
            continue
        if all(
            weights[COMBO_INDEX[a, b]] == weights[COMBO_INDEX[image(a, suits), image(b, suits)]]
            for weights in ranges
            for a, b in combinations(range(52), 2)
            if a not in board and b not in board
        ):
            kept.append(suits)
    return kept


BOARDS = ["Td9d6h", "AhKh2h", "TsTh2c", "7c7d7h", "AhKd2c", "QsJh2h", "Td9d6hQd", "9c9d5h5s"]
RANGES = ["22+,A2s+,KTo+", "AhKh,88+", "AsKs:0.5,AcKc:0.5,TT", "7d6d,7h6h", "random"]


def weights_of(name: str) -> FloatArray:
    return np.random.default_rng(1).random(1326) if name == "random" else Range(name).weights


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("oop", RANGES)
def test_symmetries_and_deals_by_brute_force(text: str, oop: str) -> None:
    board, ranges = parse_board(text), [weights_of(oop), FULL]
    group = symmetries(board, ranges)
    by_hand = brute_group(board, ranges)
    assert [tuple(row) for row in SUIT_PERMUTATIONS[group].tolist()] == by_hand
    deals = next_deals(board, group)
    orbits = {
        frozenset(image(card, suits) for suits in by_hand) for card in set(range(52)) - set(board)
    }
    assert deals.cards.tolist() == sorted(min(orbit) for orbit in orbits)
    assert dict(zip(deals.cards.tolist(), deals.copies.tolist(), strict=True)) == {
        min(orbit): len(orbit) for orbit in orbits
    }
    assert deals.copies.sum() == 52 - len(board)
    for card in range(52):
        if card in board:
            assert deals.deal[card] == -1
            continue
        number = deals.to_representative[card]
        assert number in group
        assert CARD_IMAGES[number, card] == deals.cards[deals.deal[card]]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("AhKh2h", [1, 10 + 13]),  # c, d and s are one suit
        ("Td9d6h", [1, 11 + 12 + 13]),  # c is s
        ("TsTh2c", [1, 12 + 12 + 13]),  # h is s
        ("7c7d7h", [1, 12 + 13]),
        ("AhKd2c", [1, 49]),
        ("AhKd2cTh", [1, 48]),
        ("AhKh2hTh", [1, 9 + 13]),
        ("AhKh2hTh3c", [1]),
    ],
)
def test_counts_by_hand(text: str, counts: list[int]) -> None:
    board = parse_board(text)
    found = [len(street) for street in deals_by_street(board, symmetries(board, [FULL, FULL]))]
    assert found[:2] == counts
    assert len(found) == 6 - len(board)


def burnside(dealt: int) -> int:
    """Classes of flops with `dealt` cards after them: the mean number that permutations fix.

    A permutation that moves two suits fixes 26 cards and has 13 pairs, one that moves three fixes
    13 and has 13 triples, and the nine that move all four fix no card.
    """
    total = comb(52, 3) * perm(49, dealt)
    total += 6 * (comb(26, 3) * perm(23, dealt) + 26 * 13 * perm(25, dealt))
    total += 8 * (comb(13, 3) * perm(10, dealt) + 13 * perm(13, dealt))
    return total // 24


def kind(flop: Sequence[int]) -> tuple[object, ...]:
    """Which of its cards, from the lowest up, are alike in rank and in suit."""
    ranks, suits = zip(*(divmod(card, 4) for card in flop), strict=True)
    return tuple((ranks[a] == ranks[b], suits[a] == suits[b]) for a, b in combinations(range(3), 2))


def test_the_number_of_boards_of_each_kind_of_flop() -> None:
    """1,755 flops and 63,193 turns are published; Burnside's lemma gives all three."""
    flops = list(combinations(range(52), 3))
    counts, examples = Counter(map(kind, flops)), {kind(flop): flop for flop in flops}
    found = [Fraction(0)] * 3
    for each, flop in examples.items():
        group = symmetries(flop, [])
        alike = Fraction(counts[each] * len(group), 24)  # flops that differ in more than suits
        boards = map(len, deals_by_street(flop, group))
        found = [total + alike * number for total, number in zip(found, boards, strict=True)]
    assert found[:2] == [1755, 63_193]
    assert found[1:] == [burnside(1), burnside(2)]


def test_flops_of_one_kind_have_as_many_boards() -> None:
    """Whatever their ranks and suits are."""
    flops = list(combinations(range(52), 3))
    found: dict[tuple[object, ...], set[tuple[int, ...]]] = {}
    for flop in [*flops[::397], *flops[::-2003]]:
        boards = tuple(map(len, deals_by_street(flop, symmetries(flop, []))))
        found.setdefault(kind(flop), set()).add(boards)
    assert len(found) > 8
    assert all(len(numbers) == 1 for numbers in found.values())


def test_copies_of_rivers_sum_to_all_of_them() -> None:
    board = parse_board("AhKh2h")
    group = symmetries(board, [FULL, FULL])
    turns = next_deals(board, group)
    total = 0
    for card, copies in zip(turns.cards.tolist(), turns.copies.tolist(), strict=True):
        rivers = next_deals((*board, card), fixing(group, card))
        total += copies * int(rivers.copies.sum())
    assert total == 49 * 48


@given(
    text=st.sampled_from(BOARDS[:6]),
    runout=st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True),
    oop=st.sampled_from(["22+,A2s+,KTo+", "AsKs:0.5,AcKc:0.5,TT"]),
)
@settings(max_examples=examples(200), deadline=None)
def test_a_runout_is_played_as_its_representative(text: str, runout: list[int], oop: str) -> None:
    board = parse_board(text)
    if set(runout) & set(board):
        return
    weights = Range(oop).weights
    group = symmetries(board, [weights, FULL])
    cards, hands = representative(board, group, runout)
    # one permutation of the symmetries does it all
    one = [
        number
        for number in group
        if CARD_IMAGES[number, runout].tolist() == list(cards)
        and (COMBO_IMAGES[number] == hands).all()
    ]
    assert one
    possible = Range(oop).without((*board, *runout)).weights
    assert (Range(oop).without((*board, *cards)).weights[hands] == possible).all()
    # and the cards are those that brute force finds to be lowest, turn first
    turn = min(CARD_IMAGES[number, runout[0]] for number in group)
    lowest = min(
        CARD_IMAGES[number, runout[1]] for number in group if CARD_IMAGES[number, runout[0]] == turn
    )
    assert cards == (turn, lowest)


def test_hands_have_the_strength_of_their_images() -> None:
    board = parse_board("AhKh2h")
    group = symmetries(board, [FULL, FULL])
    cards, hands = representative(board, group, parse_cards("5s6d"))
    given_, rep = (combo_strengths((*board, *two)) for two in (parse_cards("5s6d"), cards))
    assert (rep[hands] == given_).all()
    assert hands[parse_combo("7s7d")] != parse_combo("7s7d")
