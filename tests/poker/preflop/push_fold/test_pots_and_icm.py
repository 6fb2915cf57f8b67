"""Side pots against settled hands; the independent chip model against enumeration."""

from itertools import permutations

import numpy as np
import pytest

from equilibrist.poker import icm
from equilibrist.poker.preflop.pots import weak_orders, winnings


def row_of(ranks):
    (row,) = np.flatnonzero((weak_orders(len(ranks)) == ranks).all(axis=1))
    return row


def test_the_numbers_of_weak_orders():
    assert [len(weak_orders(k)) for k in range(1, 7)] == [1, 3, 13, 75, 541, 4683]


def test_a_side_pot():
    """Three all-in with 500, 1000 and 2000; the largest stack has the best hand."""
    live, dead = np.array([500.0, 1000, 2000]), np.zeros(3)
    gains = winnings(live, dead, np.ones(3, bool))
    np.testing.assert_allclose(gains[row_of([2, 1, 0])], [-500, -1000, 1500])
    np.testing.assert_allclose(gains[row_of([0, 1, 2])], [1000, 0, -1000])
    np.testing.assert_allclose(gains[row_of([0, 1, 1])], [1000, -500, -500])
    np.testing.assert_allclose(gains[row_of([0, 0, 1])], [250, 750, -1000])
    np.testing.assert_allclose(gains.sum(axis=1), 0, atol=1e-9)


def test_folded_blinds_and_antes():
    """The small blind folded 1; the others are all-in with 10, antes of 2 a head in the middle."""
    live, dead = np.array([1.0, 10, 10]), np.array([2.0, 2, 2])
    gains = winnings(live, dead, np.array([False, True, True]))
    np.testing.assert_allclose(gains[row_of([0, 1])], [-3, 15, -12])
    np.testing.assert_allclose(gains[row_of([0, 0])], [-3, 1.5, 1.5])


def test_a_blind_larger_than_the_push_goes_back():
    gains = winnings(np.array([0.8, 1.0]), np.zeros(2), np.array([True, False]))
    np.testing.assert_allclose(gains, [[0.8, -0.8]])


def icm_by_permutations(stacks, payouts):
    worth = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        probability, left = 1.0, sum(stacks)
        for player in order:
            probability *= stacks[player] / left if left else 1.0
            left -= stacks[player]
        for payout, player in zip(payouts, order, strict=False):
            worth[player] += probability * payout
    return worth


def test_icm_by_hand():
    """Stacks 50, 30, 20: first with 0.5, 0.3, 0.2; second with 0.5 * 0.3/0.5 and so on."""
    worth = icm(np.array([[50.0, 30, 20]]), np.array([50.0, 30, 20]))[0]
    second = [
        0.3 * 50 / 70 + 0.2 * 50 / 80,
        0.5 * 30 / 50 + 0.2 * 30 / 80,
        0.5 * 20 / 50 + 0.3 * 20 / 70,
    ]
    first = [0.5, 0.3, 0.2]
    third = [1 - a - b for a, b in zip(first, second, strict=True)]
    expected = [50 * a + 30 * b + 20 * c for a, b, c in zip(first, second, third, strict=True)]
    np.testing.assert_allclose(worth, expected, rtol=1e-14)
    np.testing.assert_allclose(worth, [38.392857, 32.75, 28.857143], atol=1e-6)


@pytest.mark.parametrize("payouts", [[1], [50, 30, 20], [5, 4, 3, 2, 1], [7, 7]])
def test_icm_against_all_orders_of_finish(payouts):
    stacks = np.array([[9.0, 4, 3, 2.5, 1], [1, 1, 1, 1, 1]])
    worth = icm(stacks, np.array(payouts, float))
    for given, found in zip(stacks, worth, strict=True):
        np.testing.assert_allclose(found, icm_by_permutations(given, payouts), rtol=1e-12)
    np.testing.assert_allclose(worth.sum(axis=1), sum(payouts))


def test_icm_of_the_busted():
    """Who began with more chips is placed higher; equals share the payouts."""
    payouts = np.array([50.0, 30, 15, 5])
    after = np.array([[100.0, 0, 0, 0], [60, 0, 40, 0], [60, 0, 0, 40]])
    worth = icm(after, payouts, np.array([40.0, 25, 25, 10]))
    np.testing.assert_allclose(worth[0], [50, 22.5, 22.5, 5])
    np.testing.assert_allclose(worth[1], [0.6 * 50 + 0.4 * 30, 15, 0.4 * 50 + 0.6 * 30, 5])
    np.testing.assert_allclose(worth[2][[1, 2]], [10, 10])


def test_winner_takes_all_is_the_share_of_chips():
    stacks = np.array([[3.0, 5, 2]])
    np.testing.assert_allclose(icm(stacks, np.array([1.0])), stacks / 10)
