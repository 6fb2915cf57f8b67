"""Solved flops against what is known: every board played out, every runout counted by hand.

A flop has images of images: of the rivers after a turn that stands for others, some stand for
others again.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from equilibrist.poker.cards.cards import NUM_CARDS, card_names, parse_cards
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, SUIT_PERMUTATIONS
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray
from tests.poker.postflop.engine.test_engine import FLOP
from tests.poker.postflop.solving.test_truth import after, permuted

FLOPS = {"monotone": FLOP, "two-tone": FLOP.replace(board="Ts5s2h")}
"""On the monotone flop clubs, diamonds and hearts are alike, and two of them after the third."""
LINES = (
    "",
    "A",
    "A-C",
    "X-X|7c",
    "X-X|7h|A",
    "X-X|7s|X-X|Qd|X",
    "X-A-C|Kd|3c",
    "X-X|7d|X-X|Ah",
    "X-X|7d|X-X|3c",
    "X-X|Kd|X-X|Qh|A-C",
    "X-X|Ah|A-C|Qd",
)
"""Cards that are held say whether hands are renamed along with them."""


@pytest.mark.slow
@pytest.mark.parametrize(("storage", "close"), [("float64", 1e-9), ("float32", 2e-5)])
@pytest.mark.parametrize("name", FLOPS)
def test_boards_apart_and_together_are_the_same(name: str, storage: Storage, close: float) -> None:
    apart, together = (
        after(FLOPS[name], 12, storage=storage, isomorphism=on) for on in (False, True)
    )
    assert together.mean_gain == pytest.approx(apart.mean_gain, rel=close)
    assert together.ev == pytest.approx(apart.ev, rel=close)
    for line in LINES:
        pairs = zip(together.at(line).values, apart.at(line).values, strict=True)
        for found, expected in pairs:
            np.testing.assert_allclose(found, expected, rtol=close, atol=60 * close, err_msg=line)


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOPS)
def test_storage_and_isomorphism_make_no_difference(name: str) -> None:
    """EVs without rake differ by no more than what players may gain."""
    ways = product(("float32", "int16"), (False, True))
    solutions = [after(FLOPS[name], 50, storage=kept, isomorphism=on) for kept, on in ways]
    assert max(each.mean_gain for each in solutions) < 0.01 * FLOPS[name].pot
    for one, other in combinations(solutions, 2):
        within = 2 * min(one.mean_gain, other.mean_gain)
        assert one.ev == pytest.approx(other.ev, abs=within)


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("name", FLOPS)
def test_suits_are_only_names(name: str, storage: Storage) -> None:
    spot, number = FLOPS[name], 22
    here = after(spot, 2, storage=storage)
    there = after(permuted(spot, number), 2, storage=storage)
    assert there.mean_gain == pytest.approx(here.mean_gain, rel=1e-5)
    suits = "".join("cdhs"[suit] for suit in SUIT_PERMUTATIONS[number])
    for line in LINES:
        renamed = line.translate(str.maketrans("cdhs", suits))
        pairs = zip(there.at(renamed).values, here.at(line).values, strict=True)
        for found, expected in pairs:
            moved = found[:, COMBO_IMAGES[number]]
            np.testing.assert_allclose(moved, expected, rtol=1e-5, atol=1e-3, err_msg=line)


UNEQUAL = FLOP.replace(oop="AKo,76s:0.5,JJ:0.25", ip="QQ:0.75,A4s,98o:0.5", bets="")
"""The players have different hands, in part with a card of a suit that is alike to others."""


def shares_by_hand(spot: Spot, runout: str) -> FloatArray:
    """float64[2, 1326]: shares of the pot, pair by pair and runout by runout."""
    board = [*spot.cards, *parse_cards(runout)]
    weights = [each.without(board).weights for each in spot.ranges]
    won, met = np.zeros((2, 2, NUM_COMBOS))
    for oop, ip in product(*map(np.flatnonzero, weights)):
        hands = [[int(FIRST_CARD[combo]), int(SECOND_CARD[combo])] for combo in (oop, ip)]
        left = [card for card in range(NUM_CARDS) if card not in (*board, *hands[0], *hands[1])]
        if len(left) > NUM_CARDS - len(board) - 4:
            continue  # they share a card
        rests = [[*board, *rest] for rest in combinations(left, 5 - len(board))]
        ours, theirs = (hand_strengths(np.array([hand + rest for rest in rests])) for hand in hands)
        share = np.where(ours == theirs, 0.5, ours > theirs).mean()
        won[0, oop] += share * weights[1][ip]
        won[1, ip] += (1 - share) * weights[0][oop]
        met[0, oop] += weights[1][ip]
        met[1, ip] += weights[0][oop]
    return np.divide(won, met, out=np.full(won.shape, np.nan), where=met > 0)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["Ts5s2s", "Ts5s2h"])
@pytest.mark.parametrize("line", ["", "X-X|7h", "X-X|7s", "X-X|7d|X-X|3c", "X-X|6d|X-X|Qh"])
def test_unequal_ranges_win_what_they_win_on_all_runouts(board: str, line: str) -> None:
    """Symmetric ranges share the pot whatever images count; these do not."""
    spot = UNEQUAL.replace(board=board)
    assert len(spot.symmetries) > 1
    node = after(spot, 0, storage="float64").at(line)
    shares = shares_by_hand(spot, card_names(node.runout))
    np.testing.assert_allclose(node.values.equity, shares, atol=1e-9)
    np.testing.assert_allclose(node.values.ev, 60 * shares, atol=1e-6)
    counts = node.values.weight * node.values.matchups
    means = np.nansum(counts * shares, axis=1) / counts.sum(axis=1)
    assert node.totals.ev == pytest.approx(60 * means, abs=1e-6)
    assert abs(means[0] - 0.5) > 0.01
