"""Values and best responses of three strategies, against sums over all deals."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.spot import ThreeSpot
from tests.poker.three_players.plain import measure, plain_forms
from tests.poker.three_players.recursion import Recursion, random_strategies

SMALL: dict[str, Any] = {
    "board": "Qs9h5d3cJs",
    "oop": "AhQd,KsTs:0.5,9c9d,AsTd",
    "middle": "AcQh,KhTh,AhTd:0.25,8s8h",
    "ip": "KdTc,AhQh,QdJd,7s6s:0.75",
    "pot": 60,
    "bets": "50%, a",
    "raises": "a",
}
SPOTS: dict[str, dict[str, Any]] = {
    "equal stacks": {"stack": 100},
    "unequal stacks": {"stacks": [100, 40, 250]},
    "the second shortest": {"stacks": [40, 250, 70]},
    "one all-in already": {"stacks": [0, 90, 50]},
    "rake": {"stacks": [100, 40, 250], "rake": "5%", "rake_cap": 4},
    "rake without a cap": {"stack": 100, "rake": 0.1},
    "the board plays": {"stacks": [100, 40, 70], "board": "AsKsQsJsTs", "oop": "AhQd,9c9d,7h6h",
                        "middle": "AcQh,8s8h,7h6d", "ip": "QdJd,7s6s,7h2c"},
    "ties": {"stacks": [100, 70, 70], "board": "AsAdKsKhQc", "oop": "AhQd,9c9d,7h6h,QhJd",
             "middle": "AcQh,8s8h,7h6d,QhTd", "ip": "QdJd,7s6s,7h2c,Qs2d"},
    "a unit of a tenth": {"stack": 10, "pot": 6.1, "bets": "2.3c, a"},
}  # fmt: skip


@pytest.fixture(params=SPOTS, scope="module")
def laid_out(request: pytest.FixtureRequest) -> HandsAndGames:
    return HandsAndGames.of(ThreeSpot(**(SMALL | SPOTS[request.param])))


@pytest.mark.by_default(3)
def test_values_and_best_responses_are_those_of_all_deals(laid_out: HandsAndGames) -> None:
    oracle = Recursion(laid_out)
    for seed in range(2):
        strategies = random_strategies(laid_out, seed)
        measured = measure(laid_out, strategies, plain_forms(laid_out))
        values = oracle.values(strategies)
        assert measured.values == pytest.approx(values, abs=1e-12 * 300)
        for seat in range(3):
            gain = oracle.best_value(seat, strategies) - values[seat]
            assert measured.gains[seat] == pytest.approx(gain, abs=1e-12 * 300)


def test_values_sum_to_the_pot(laid_out: HandsAndGames) -> None:
    measured = measure(laid_out, random_strategies(laid_out, 7), plain_forms(laid_out))
    if laid_out.spot.is_raked:
        assert sum(measured.values) < laid_out.spot.pot
    else:
        assert sum(measured.values) == pytest.approx(laid_out.spot.pot, abs=1e-10)
