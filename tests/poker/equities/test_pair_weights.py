"""Weights of pairs of hands behind folded ranges, against counting folded hands one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from equilibrist.poker.cards.cards import card_mask, parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.cards.decks import FULL_DECK, read_deck
from equilibrist.poker.equities.drawn_folds import DrawnBunching
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.poker.equities.runouts import pair_shares_behind
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import Int64Array
from tests.slow_cases import slow

FOLDED = (["KTs,QJo,A9o:0.5,55"], ["A2s+,KJo,99", "KTs,QJo,A9o:0.5"], ["AA,AhKh", "AA,KhQh:0.3"])


def left(folded: list[Range], taken: int) -> float:
    """The weight of all hands of folded ranges that share no card."""
    if not folded:
        return 1.0
    weights = folded[0].weights
    return sum(
        float(weights[combo]) * left(folded[1:], taken | int(COMBO_MASKS[combo]))
        for combo in np.flatnonzero(weights).tolist()
        if not taken & int(COMBO_MASKS[combo])
    )


@pytest.mark.parametrize("texts", FOLDED)
@pytest.mark.parametrize("later", ["", "8s", "8sAc"])
def test_pairs_have_the_weight_of_the_hands_that_they_leave(texts: list[str], later: str) -> None:
    board = tuple(parse_cards("Ks9h5d"))
    full = (*board, *parse_cards(later))
    folded = [Range(text) for text in texts]
    bunching = Bunching(np.array([hands.weights for hands in folded]), board)
    oop, ip = (
        np.flatnonzero(Range(text).without(full).weights)
        for text in ("AA,QsJs,Th9s,AhKh", "AhAs,KcQc,98s,AhKh,7d7c")
    )
    whole = left(folded, 0)
    expected = [
        [
            0.0
            if int(COMBO_MASKS[own] & COMBO_MASKS[other])
            else left(folded, card_mask(full) | int(COMBO_MASKS[own] | COMBO_MASKS[other]))
            for other in ip
        ]
        for own in oop
    ]
    assert bunching.total == pytest.approx(left(folded, card_mask(board)) / whole)
    assert bunching.pairs(full, oop, ip) == pytest.approx(np.array(expected) / whole, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "deck"),
    [("Ks9h7d8sTc", "2"), ("Ks9h7d8s", "2"), ("Ks9h7d8s", "short"), slow("Ks9h7d", "2")],
)
@pytest.mark.parametrize("texts", FOLDED[:2])
def test_shares_are_those_of_equity(board: str, deck: str, texts: list[str]) -> None:
    oop, ip = Range("AA,QsJs,Th9s"), Range("AhAs,KcQc,98s,7c7s")
    found = equity(oop, ip, board, folded=texts, deck=deck, exact=True)
    whole = FULL_DECK if deck == "2" else read_deck(deck)
    cards = tuple(parse_cards(board))
    gone = (*cards, *whole.absent)
    weights = np.array([Range(text).without(gone).weights for text in texts])
    bunching = Bunching(weights, cards)
    held = [np.flatnonzero(hands.without(gone).weights).astype(np.int32) for hands in (oop, ip)]
    won, lost = pair_shares_behind(bunching, cards, held[0], held[1], deck=whole)
    pairs = bunching.pairs(cards, *held)
    assert won + lost == pytest.approx(pairs, abs=1e-12)
    assert won.sum() / pairs.sum() == pytest.approx(found.oop, abs=1e-12)
    with np.errstate(invalid="ignore"):
        shares = won.sum(axis=1) / pairs.sum(axis=1)
    assert shares == pytest.approx(found.oop_hands[held[0]], abs=1e-12, nan_ok=True)


def test_nothing_is_left_where_all_is_blocked() -> None:
    both = Bunching(np.array([Range("AhAs").weights, Range("AhKs").weights]), parse_cards("2c3c4c"))
    assert both.total == 0.0
    hands = np.flatnonzero(Range("QQ").weights)
    assert not both.pairs(parse_cards("2c3c4c"), hands, hands).any()


def one_by_one(
    bunching: DrawnBunching, board: Sequence[int], oop: Int64Array, ip: Int64Array
) -> list[list[float]]:
    """The weights of pairs, each asked for alone: then draws are gone through for it."""
    return [
        [float(bunching.pairs(board, oop[[i]], ip[[j]])[0, 0]) for j in range(len(ip))]
        for i in range(len(oop))
    ]


@pytest.mark.slow
def test_draws_are_counted_as_one_by_one() -> None:
    board = tuple(parse_cards("Ks9h5d"))
    folded = np.array([Range(text).weights for text in ("A2s+,KJo,99", "KTs,QJo", "22+")])
    bunching = DrawnBunching(folded, board)
    oop, ip = (
        np.flatnonzero(Range(text).without(board).weights)
        for text in ("AA,QsJs,Th9s", "JJ+,AhTs,8d2c,3s2s")
    )
    weights = bunching.pairs(board, oop, ip)
    assert weights.tolist() == one_by_one(bunching, board, oop, ip)
    assert 0.0 == weights.min() < weights.max() < bunching.total < 1.0


@pytest.mark.parametrize("number", [1, 2, 3, 8])
def test_what_meets_is_the_sum_over_pairs(number: int) -> None:
    board = parse_cards("Ks9h5d")
    kind = Bunching if number < 3 else DrawnBunching
    bunching = kind(np.array([Range("22+,A2s+,KTo+").weights] * number), board)
    weights = [
        Range(text).without(board).weights for text in ("AA,QsJs,Th9s:0.3", "JJ+,AhTs,8d2c:0.5")
    ]
    hands = [np.flatnonzero(held) for held in weights]
    pairs = bunching.pairs(board, hands[0], hands[1])
    expected = weights[0][hands[0]] @ pairs @ weights[1][hands[1]]
    assert bunching.meeting(board, weights) == pytest.approx(expected, rel=1e-10)


def test_many_drawn_hands_are_counted_as_one_by_one() -> None:
    bunching = DrawnBunching(np.array([Range("random").weights] * 8), ())
    assert bunching.part(3)._sets.shape == (9_600, 16)
    hands = np.flatnonzero(Range("AsAh,KsKh,AsKs").weights)
    part, board = bunching.part(3), tuple(parse_cards("2c3c4c5c6c"))
    assert part.pairs(board, hands, hands).tolist() == one_by_one(part, board, hands, hands)
