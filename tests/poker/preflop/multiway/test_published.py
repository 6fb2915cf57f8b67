"""Published games of three and six seats without a board: one pot-size bet, 81 big blinds."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker import Hand, solve_multiway
from tests.poker.preflop.multiway.no_board import gains_of

BIG_BLIND = 2
PUBLISHED = {3: (-0.0895, -0.4406, 0.5288), 6: (-0.357, -1.017, 0.277, 0.312, 0.356, 0.423)}
"""Values in chips, small blind first."""
GAPS = (0.0064, 0.0151, 0.0069)
"""What each of three seats could gain, in chips."""


def one_pot_bet(seats: int) -> Hand:
    return Hand(seats=seats, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")


@pytest.mark.slow
def test_three_seats() -> None:
    found = solve_multiway(one_pot_bet(3), deals=1_600_000)
    values, gains = gains_of(found.tree, found.strategy)
    np.testing.assert_allclose(BIG_BLIND * values, PUBLISHED[3], atol=0.02)
    assert (BIG_BLIND * gains <= GAPS).all()
    np.testing.assert_allclose(values, found.values, atol=4.5 * max(found.standard_errors))
    for gain, (low, high) in zip(gains, found.intervals, strict=True):
        assert low <= gain <= high
    assert found.interval[0] <= gains.sum() <= found.interval[1]


@pytest.mark.slow
def test_six_seats() -> None:
    found = solve_multiway(one_pot_bet(6), deals=30_000)
    np.testing.assert_allclose(BIG_BLIND * np.array(found.values), PUBLISHED[6], atol=0.02)
    assert max(found.standard_errors) < 0.003
    assert found.interval[1] < 0.25
