"""Values against two ranges, compared with sums over all triples of hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, dealt_hands, parse_combo
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.three_players.forms import Form, Showdown
from equilibrist.typing import FloatArray, Int32Array

BOARDS = ("Qs9h5d3cJs", "AsKsQsJsTs", "AhAdKcKs7h", "Kd8h5s8cAs", "2c2d2h2s3c", "Td9d6hQd2d")
"""The second one plays, on the third and fifth many hands tie."""


def all_hands(board: str, cards: str = "") -> Int32Array:
    """The hands that a board leaves, of some cards only if any are given."""
    held = np.flatnonzero(dealt_hands(parse_cards(board)))
    if cards:
        among = np.bitwise_or.reduce(np.uint64(1) << np.array(parse_cards(cards), np.uint64))
        held = held[(COMBO_MASKS[held] & ~among) == 0]
    return held.astype(np.int32)


def drawn_hands(board: str, sizes: Sequence[int], seed: int, cards: str = "") -> list[Int32Array]:
    """Hands for each seat, drawn among those of a board, in no order."""
    rng, held = np.random.default_rng(seed), all_hands(board, cards)
    return [rng.choice(held, min(size, len(held)), replace=False) for size in sizes]


def by_triples(
    board: str, hands: Sequence[Int32Array], form: Form, seat: int, u: FloatArray, v: FloatArray
) -> FloatArray:
    """The values by definition."""
    order = [seat, *(other for other in range(3) if other != seat)]
    masks = [COMBO_MASKS[hands[who]] for who in order]
    strengths = combo_strengths(parse_cards(board)).astype(np.int64)
    h, p, q = (strengths[hands[who]] for who in order)
    apart = [(masks[m][:, None] & masks[n][None, :]) == 0 for m, n in ((0, 1), (0, 2), (1, 2))]
    deal = apart[0][:, :, None] & apart[1][:, None, :] & apart[2][None]
    share = np.ones(deal.shape)
    rivals = {Form.FF: (), Form.MA: (p,), Form.AM: (q,), Form.MM: (p, q)}[form]
    tied = np.zeros(deal.shape)
    for rival in rivals:
        wide = rival[None, :, None] if rival is p else rival[None, None, :]
        share[np.broadcast_to(wide > h[:, None, None], deal.shape)] = 0
        tied += wide == h[:, None, None]
    return np.einsum("hpq,p,q->h", deal * share / (1 + tied), u, v)


def weights(hands: Sequence[Int32Array], seed: int) -> list[FloatArray]:
    """Reach of each seat's hands, a fourth of it 0."""
    rng = np.random.default_rng(seed)
    return [rng.random(len(held)) * (rng.random(len(held)) < 0.75) for held in hands]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cards", ["", "AcAdAhKdKh2s3s4s5s", "2h3h4h5h6h7c"])
def test_all_forms_are_sums_over_triples(board: str, cards: str) -> None:
    """With few cards blocking is common: of many pairs of hands no two are disjoint."""
    left = [cards[n : n + 2] for n in range(0, len(cards), 2) if cards[n : n + 2] not in board]
    hands = drawn_hands(board, (30, 24, 36), seed=len(cards), cards="".join(left))
    reach, showdown = weights(hands, 3), Showdown(parse_cards(board), hands)
    for form in Form:
        for seat in range(3):
            j, k = (other for other in range(3) if other != seat)
            expected = by_triples(board, hands, form, seat, reach[j], reach[k])
            found = showdown.value(form, seat, reach[j], reach[k])
            np.testing.assert_allclose(
                found, expected, rtol=1e-12, atol=1e-12 * reach[j].sum() * reach[k].sum()
            )


def test_full_ranges_share_each_pot() -> None:
    """The three values of a showdown sum to the deals, which are the same from every seat."""
    board = parse_cards(BOARDS[2])
    hands = [all_hands(BOARDS[2])] * 3
    reach, showdown = weights(hands, 5), Showdown(board, hands)
    others = [(reach[1], reach[2]), (reach[0], reach[2]), (reach[0], reach[1])]
    deals = [showdown.value(Form.FF, seat, *others[seat]) @ reach[seat] for seat in range(3)]
    won = [showdown.value(Form.MM, seat, *others[seat]) @ reach[seat] for seat in range(3)]
    assert deals == pytest.approx([deals[0]] * 3, rel=1e-12)
    assert sum(won) == pytest.approx(deals[0], rel=1e-12)
    # Seat 2 has folded: the pot is between seats 0 and 1.
    first = showdown.value(Form.MA, 0, *others[0]) @ reach[0]
    assert first + showdown.value(Form.MA, 1, *others[1]) @ reach[1] == pytest.approx(
        deals[0], rel=1e-12
    )


def test_opponents_change_places() -> None:
    hands = drawn_hands(BOARDS[0], (40, 50, 60), seed=1)
    reach = weights(hands, 2)
    showdown = Showdown(parse_cards(BOARDS[0]), hands)
    swapped = Showdown(parse_cards(BOARDS[0]), [hands[0], hands[2], hands[1]])
    mirrored = {Form.FF: Form.FF, Form.MA: Form.AM, Form.AM: Form.MA, Form.MM: Form.MM}
    for form, other in mirrored.items():
        np.testing.assert_allclose(
            showdown.value(form, 0, reach[1], reach[2]),
            swapped.value(other, 0, reach[2], reach[1]),
            rtol=1e-12,
            atol=1e-10,
        )


def test_six_aces_are_no_deal() -> None:
    """Two opponents who can hold two aces only block all hands of one who can, too."""
    aces = all_hands(BOARDS[0], "AsAhAdAc")
    ones = np.ones(6)
    assert (
        Showdown(parse_cards(BOARDS[0]), [aces] * 3).value(Form.FF, 0, ones, ones).tolist()
        == [0] * 6
    )


def test_a_board_that_plays_is_shared_by_three() -> None:
    hands = drawn_hands(BOARDS[1], (20, 20, 20), seed=4)
    showdown, ones = Showdown(parse_cards(BOARDS[1]), hands), np.ones(20)
    deals = showdown.value(Form.FF, 1, ones, ones)
    assert showdown.value(Form.MM, 1, ones, ones) == pytest.approx(deals / 3)
    assert showdown.value(Form.AM, 1, ones, ones) == pytest.approx(deals / 2)


def test_hands_that_cannot_be_held_are_refused() -> None:
    board = parse_cards(BOARDS[0])
    good = all_hands(BOARDS[0])
    with pytest.raises(ConfigError) as raised:
        Showdown(board, [good, np.array([parse_combo("QsAd")]), good])
    assert raised.value.place == "seat 1"
    assert raised.value.given == "AdQs"
    with pytest.raises(ConfigError) as raised:
        Showdown(board, [good, good, np.append(good, good[7])])
    assert raised.value.place == "seat 2"
