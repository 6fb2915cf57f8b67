"""The order of combos, their names and masks, and the 169 classes, against counts by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import CardSyntaxError
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import (
    CLASS_NAMES,
    CLASS_OF_COMBO,
    COMBO_INDEX,
    COMBO_MASKS,
    FIRST_CARD,
    NUM_COMBOS,
    SECOND_CARD,
    class_combos,
    combo_name,
    disjoint,
    parse_combo,
    without_cards,
)


def test_combos_are_all_pairs_in_order() -> None:
    pairs = list(combinations(range(52), 2))
    assert list(zip(FIRST_CARD.tolist(), SECOND_CARD.tolist(), strict=True)) == pairs
    assert COMBO_MASKS.tolist() == [card_mask(pair) for pair in pairs]
    for combo, (first, second) in enumerate(pairs):
        assert COMBO_INDEX[first, second] == COMBO_INDEX[second, first] == combo
    assert np.diag(COMBO_INDEX).tolist() == [-1] * 52


def test_names_put_the_high_card_first() -> None:
    names = [combo_name(combo) for combo in range(NUM_COMBOS)]
    assert names[:5] == ["2d2c", "2h2c", "2s2c", "3c2c", "3d2c"]
    assert names[-1] == "AsAh"
    assert combo_name(COMBO_INDEX[0, 5]) == "3d2c"
    assert combo_name(COMBO_INDEX[10, 51]) == "As4h"
    assert [parse_combo(name) for name in names] == list(range(NUM_COMBOS))
    assert [parse_combo(name[2:] + name[:2]) for name in names] == list(range(NUM_COMBOS))


def test_classes_are_the_grid() -> None:
    assert CLASS_NAMES[:3] == ("AA", "AKs", "AQs")
    assert (CLASS_NAMES[12], CLASS_NAMES[13], CLASS_NAMES[14]) == ("A2s", "AKo", "KK")
    assert CLASS_NAMES[168] == "22"
    assert len(set(CLASS_NAMES)) == 169
    for combo in range(NUM_COMBOS):
        high, high_suit, low, low_suit = list(combo_name(combo))
        kind = "" if high == low else "s" if high_suit == low_suit else "o"
        assert CLASS_NAMES[CLASS_OF_COMBO[combo]] == high + low + kind


def test_classes_have_6_4_and_12_combos() -> None:
    for hand_class, name in enumerate(CLASS_NAMES):
        expected = 6 if len(name) == 2 else 4 if name[2] == "s" else 12
        assert len(class_combos(hand_class)) == expected


def test_dead_cards_leave_the_pairs_of_the_others() -> None:
    assert without_cards(0).all()
    free = without_cards(card_mask([0, 17, 51]))
    assert free.sum() == 49 * 48 // 2
    assert all(
        free[combo] == (not {0, 17, 51} & {FIRST_CARD[combo], SECOND_CARD[combo]})
        for combo in range(NUM_COMBOS)
    )


def test_arrays_cannot_be_changed() -> None:
    for array in (FIRST_CARD, SECOND_CARD, COMBO_MASKS, COMBO_INDEX, CLASS_OF_COMBO):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("text", ["", "Ah", "AhKhQh", "AhAh", "AKs"])
def test_a_hand_has_two_different_cards(text: str) -> None:
    with pytest.raises(CardSyntaxError):
        parse_combo(text)


def test_disjoint_combos_share_no_card() -> None:
    own, others = np.array([parse_combo("AsAh"), parse_combo("KdQd")]), np.arange(NUM_COMBOS)
    apart = disjoint(own, others)
    assert apart.shape == (2, NUM_COMBOS)
    for row, combo in zip(apart, own, strict=True):
        assert row.tolist() == (COMBO_MASKS[combo] & COMBO_MASKS == 0).astype(float).tolist()
        assert row.sum() == 1225  # pairs of the other 50 cards
