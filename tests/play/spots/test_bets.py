"""Bets of any size in a spot: limits, and what they are mapped to, by the published mapping."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.play import SpotGame
from equilibrist.play.spots.bets import bet_limits, map_bet
from equilibrist.poker import Spot
from tests.refusals import refuses

RIVER = Spot(
    board="Ts3h2h5c9s", oop="AA", ip="KK", pot=100, stack=300, bets="50%,100%", raises="50%,a"
)
GAME = SpotGame(RIVER)


def test_limits() -> None:
    limits = bet_limits(GAME, "AhAd:")
    assert limits is not None
    assert (limits.least, limits.most, limits.step, limits.pot) == (1, 300, 1, 100)
    assert limits.menu == {1: 50, 2: 100}
    facing = bet_limits(GAME, "KhKd:B50")
    assert facing is not None
    assert (facing.least, facing.facing, facing.pot) == (100, 50, 200)
    assert facing.menu == {2: 150, 3: 300}
    assert facing.share(150) == 0.5  # as the menu says
    assert bet_limits(GAME, "KhKd:B50-A300") is None


def test_a_bet_between_two_is_mixed_by_the_pseudo_harmonic_mapping() -> None:
    """f = (B - x)(1 + A) / ((B - A)(1 + x)) with A = 1/2, B = 1, x = 3/4: 3/7."""
    mapped = map_bet(GAME, "AhAd:", 75)
    assert mapped.shares == pytest.approx({1: 3 / 7, 2: 4 / 7})
    assert (mapped.share, mapped.is_exact) == (0.75, False)
    generator = np.random.default_rng(1)
    drawn = [mapped.draw(generator) for _ in range(2000)]
    assert drawn.count(1) / 2000 == pytest.approx(3 / 7, abs=0.04)


@pytest.mark.parametrize(
    ("infoset", "amount", "shares"),
    [
        ("AhAd:", 50, {1: 1.0}),
        ("AhAd:", 1, {1: 1.0}),  # below all: the nearest
        ("AhAd:", 299, {2: 1.0}),
        ("KhKd:X", 100, {2: 1.0}),
        ("KhKd:B50", 300, {3: 1.0}),
        # x = (225 - 50) / 200 = .875, A = .5, B = (300 - 50) / 200 = 1.25
        ("KhKd:B50", 225, {2: 0.375 * 1.5 / (0.75 * 1.875), 3: 1 - 0.4}),
    ],
)
def test_shares(infoset: str, amount: float, shares: dict[int, float]) -> None:
    assert map_bet(GAME, infoset, amount).shares == pytest.approx(shares)


@pytest.mark.parametrize("amount", [0, 301, 50.5, float("nan"), "50", True, -1])
def test_bad_amounts(amount: Any) -> None:
    with refuses(ConfigError, option="amount", given=amount):
        map_bet(GAME, "AhAd:", amount)


def test_no_bet_is_possible() -> None:
    with refuses(ConfigError, option="amount"):
        map_bet(GAME, "KhKd:B50-A300", 300)


def test_amounts_below_a_chip() -> None:
    game = SpotGame(Spot(board="Ts3h2h5c9s", oop="AA", ip="KK", pot=6.5, stack=20, bets="50%"))
    limits = bet_limits(game, "AhAd:")
    assert limits is not None
    mapped = map_bet(game, "AhAd:", limits.menu[1] - limits.step)
    assert mapped.shares == {1: 1.0}
    assert not mapped.is_exact
